/// The file `E103` of a Type 4 tag (NFC Forum, Type 4 Tag 2.0): the message's file, and the sizes for reading and writing.
public struct Type4CapabilityContainer: Hashable, Sendable {
    /// Octets that it gives at once.
    public let maxReadLength: Int
    /// Octets that it takes at once.
    public let maxWriteLength: Int
    public let file: UInt16
    /// Octets of the file, two of which say how long the message is.
    public let size: Int
    public let isWritable: Bool
    /// The position of the write access condition in `E103`.
    static let writeAccessOffset = 14

    public init(_ octets: [UInt8]) throws(NFCTagError) {
        guard octets.count >= 15, octets[0] == 0 ? octets[1] >= 15 : true else { throw .malformed }
        guard (2...3).contains(octets[2] >> 4) else { throw .unsuitable }
        func number(_ place: Int) -> Int { Int(octets[place]) << 8 | Int(octets[place + 1]) }
        (maxReadLength, maxWriteLength) = (number(3), number(5))
        guard octets[7] == 0x04, octets[8] == 0x06 else { throw .unsuitable }
        file = UInt16(truncatingIfNeeded: number(9))
        size = number(11)
        guard octets[13] == 0x00 else { throw .unsuitable }
        isWritable = octets[14] == 0x00
        guard maxReadLength >= 0x0F, maxWriteLength >= 1, size >= 5, size <= 0x7FFF else { throw .malformed }
    }

    /// The maximum size of a message in octets.
    public var capacity: Int { size - 2 }
}
