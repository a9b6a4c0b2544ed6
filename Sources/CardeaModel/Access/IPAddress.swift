import Foundation

/// An address of the internet protocol, read once, so that no two writings of it differ: IPv4, or IPv6 (RFC 4291).
///
/// An IPv4 address as an IPv6 socket shows it, `::ffff:192.0.2.1`, is the IPv4 address. A zone, as in `fe80::1%eth0`, says on which cable
/// it is met, and is left out.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen, in the order of the network.
    public let bytes: [UInt8]

    /// Without a port and without brackets; nil for a name, and for an invalid address.
    public init?(_ text: String) {
        guard text.utf8.count <= 64, !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var v6 = in6_addr()
        guard let bare = parts.first, parts.last?.isEmpty == false, inet_pton(AF_INET6, String(bare), &v6) == 1 else { return nil }
        let octets = withUnsafeBytes(of: v6) { Array($0) }
        bytes = Self.isMapped(octets) ? Array(octets[12...]) : octets
    }

    /// As a proxy passes it on (RFC 7239, section 6): with a port or without, in quotes or without, IPv6 in brackets or without. nil for
    /// what hides the address, such as `unknown` and `_hidden`.
    public init?(forwarded text: String) {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.count > 1, text.first == "\"", text.last == "\"" { text = String(text.dropFirst().dropLast()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else { return nil }
            let inside = String(text[text.index(after: text.startIndex)..<end])
            guard inside.contains(":") else { return nil }
            self.init(inside)
        } else if parts.count == 2 {
            guard Self.isPort(":" + parts[1]) else { return nil }
            self.init(String(parts[0]))
        } else {
            self.init(text)
        }
    }

    /// A colon and a number of five digits at most, or nothing.
    private static func isPort(_ text: some StringProtocol) -> Bool {
        text.isEmpty
            || text.first == ":" && (2...6).contains(text.utf8.count) && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    fileprivate static func isMapped(_ bytes: [UInt8]) -> Bool {
        bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    }

    /// The one way to write it (RFC 5952).
    public var description: String {
        let room = Int(INET6_ADDRSTRLEN)
        var text = [CChar](repeating: 0, count: room)
        let isWritten = inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(room)) != nil
        return isWritten ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    }

    /// The addresses of one household, or of one customer of a provider: an IPv4 address, or the first 64 bits of an IPv6 address. In the
    /// house's own network each address counts by itself.
    public var network: String {
        guard bytes.count == 16, !isLocal, let prefix = IPAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) else {
            return description
        }
        return prefix.description + "/64"
    }

    private init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// True if the address belongs to a house's own network: loopback, private (RFC 1918), unique local (RFC 4193) or link-local.
    public var isLocal: Bool {
        guard bytes.count == 4 else {
            // fc00::/7, fe80::/10 and ::1.
            return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
                || bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }
        return switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (192, 168), (169, 254): true
        case (172, let second): (16...31).contains(second)
        default: false
        }
    }
}

extension [AddressRange] {
    public func contain(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}
