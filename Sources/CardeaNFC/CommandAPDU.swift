/// A command to a card (ISO/IEC 7816-4), in the short form.
public struct CommandAPDU: Hashable, Sendable {
    public let header: [UInt8]
    public let data: [UInt8]
    /// The expected length of the answer in octets, 1 to 256; nil for none.
    public let expectedLength: Int?

    /// - Parameters:
    ///   - data: up to 255 octets; the card refuses more, which is a mistake of the caller.
    ///   - wanted: 1 to 256.
    public init(
        _ cla: UInt8, _ ins: UInt8, _ p1: UInt8 = 0, _ p2: UInt8 = 0, data: [UInt8] = [], wanted: Int? = nil
    ) {
        precondition(data.count <= 255 && wanted.map((1...256).contains) ?? true, "no short APDU")
        header = [cla, ins, p1, p2]
        self.data = data
        self.expectedLength = wanted
    }

    public var octets: [UInt8] {
        var octets = header
        if !data.isEmpty { octets += [UInt8(truncatingIfNeeded: data.count)] + data }
        // 256 is written as 0.
        if let expectedLength { octets.append(UInt8(truncatingIfNeeded: expectedLength)) }
        return octets
    }
}
