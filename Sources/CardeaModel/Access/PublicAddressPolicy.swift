/// The addresses of the public internet (IANA's registries of special-purpose addresses, RFC 6890). The hub sends push messages to these
/// alone, so that an address from a browser never leads to a machine of the household's network.
///
/// The connected address itself is checked, after the name was resolved. ``OutgoingAddressPolicy`` is the rule for cameras, which are in
/// the household's network.
public enum PublicAddressPolicy {
    /// The reason why an address is not of the public internet.
    public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
        /// 127.0.0.0/8 and ::1
        case loopback
        /// 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16
        case privateNetwork = "private_network"
        /// 100.64.0.0/10, between a provider and its customers
        case carrierNAT = "carrier_nat"
        /// 169.254.0.0/16 and fe80::/10: the metadata services of clouds too
        case linkLocal = "link_local"
        /// fc00::/7
        case uniqueLocal = "unique_local"
        /// 224.0.0.0/4 and ff00::/8
        case multicast
        /// 0.0.0.0/8 and ::
        case unspecified
        /// Kept for protocols, documentation, measurements and later use
        case reserved
        /// An address of this machine
        case own
        /// Neither four bytes nor sixteen
        case unknown
    }

    /// The reason why the hub does not connect to this address; nil if it is allowed.
    ///
    /// - Parameters:
    ///   - bytes: four of IPv4 or sixteen of IPv6, in the order of the network.
    ///   - own: the addresses of this machine, in the same form.
    public static func refusal(_ bytes: [UInt8], own: Set<[UInt8]> = []) -> Refusal? {
        if own.contains(bytes) { return classify(bytes) ?? .own }
        guard let inner = embeddedIPv4(bytes) else { return classify(bytes) }
        return classify(inner) ?? (own.contains(inner) ? .own : nil)
    }

    private static func classify(_ bytes: [UInt8]) -> Refusal? {
        switch bytes.count {
        case 4: v4(bytes)
        case 16: v6(bytes)
        default: .unknown
        }
    }

    /// The IPv4 address inside an IPv6 address: mapped, NAT64 (RFC 6052) and 6to4 (RFC 3056).
    private static func embeddedIPv4(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 16 else { return nil }
        let head = Array(bytes[..<12])
        if head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] { return Array(bytes[12...]) }
        if head == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] { return Array(bytes[12...]) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return Array(bytes[2..<6]) }
        return nil
    }

    private static func v4(_ bytes: [UInt8]) -> Refusal? {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _): .unspecified
        case (10, _, _), (172, 16...31, _), (192, 168, _): .privateNetwork
        case (100, 64...127, _): .carrierNAT
        case (127, _, _): .loopback
        case (169, 254, _): .linkLocal
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113): .reserved
        case (224...239, _, _): .multicast
        case (240..., _, _): .reserved
        default: nil
        }
    }

    private static func v6(_ bytes: [UInt8]) -> Refusal? {
        if bytes.dropLast().allSatisfy({ $0 == 0 }) {
            switch bytes[15] {
            case 0: return .unspecified
            case 1: return .loopback
            default: return .reserved
            }
        }
        switch (bytes[0], bytes[1]) {
        case (0xFC...0xFD, _): return .uniqueLocal
        case (0xFE, 0x80...0xBF): return .linkLocal
        case (0xFF, _): return .multicast
        // Protocol assignments, Teredo among them (2001::/23), and documentation (2001:db8::/32, 3fff::/20).
        case (0x20, 0x01) where bytes[2] & 0xFE == 0 || bytes[2] == 0x0D && bytes[3] == 0xB8: return .reserved
        case (0x3F, 0xFF) where bytes[2] & 0xF0 == 0: return .reserved
        // Only 2000::/3 is allocated.
        case (0x20...0x3F, _): return nil
        default: return .reserved
        }
    }
}
