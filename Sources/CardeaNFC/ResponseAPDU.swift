/// A card's response.
public struct ResponseAPDU: Hashable, Sendable {
    public let data: [UInt8]
    /// SW1 and SW2; `0x9000` is yes.
    public let status: UInt16

    public init(data: [UInt8] = [], status: UInt16) {
        self.data = data
        self.status = status
    }

    /// - Returns: nil if there is not even a status.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= 2 else { return nil }
        data = Array(octets.dropLast(2))
        status = octets.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    public var isSuccess: Bool { status == 0x9000 }
}
