import Foundation

/// All addresses that begin alike, as `10.0.0.0/8` (RFC 4632), or one.
public struct AddressRange: Hashable, Sendable {
    private let first: IPAddress
    /// The number of bits they have in common.
    private let length: Int

    /// An address, or one with a prefix length; nil for a name and for invalid text.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let written = parts.first else { return nil }
        guard let address = IPAddress(written), !written.contains("%") else { return nil }
        let all = address.bytes.count * 8
        first = address
        guard parts.count == 2 else {
            length = all
            return
        }
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1])
        else { return nil }
        // Written as IPv6, the 96 bits before an IPv4 address count.
        let common = written.contains(":") && all == 32 ? bits - 96 : bits
        guard (0...all).contains(common) else { return nil }
        self.length = common
    }

    public func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        return (0..<length).allSatisfy { bit in
            let mask = UInt8(0x80) >> (bit % 8)
            return address.bytes[bit / 8] & mask == first.bytes[bit / 8] & mask
        }
    }
}
