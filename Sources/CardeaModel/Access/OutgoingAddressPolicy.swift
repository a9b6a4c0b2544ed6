/// The addresses to which the hub may connect when a person typed the address: those of the house's own network and of the internet, but
/// neither this machine itself nor link-local ones, where clouds serve their credentials. The address that is connected to is checked,
/// after names were resolved; a name is never checked.
public enum OutgoingAddressPolicy {
    public enum Refusal: String, Error, Hashable, Sendable, CaseIterable {
        /// 127.0.0.0/8 and ::1
        case loopback
        /// 169.254.0.0/16 and fe80::/10: the metadata services of clouds too
        case linkLocal = "link_local"
        /// 0.0.0.0/8 and ::
        case unspecified
        /// 224.0.0.0/4 and ff00::/8, and what is above it
        case multicast
        /// Neither four bytes nor sixteen.
        case unknown
    }

    /// The reason why nothing is sent to this address; nil if it is allowed.
    ///
    /// - Parameter bytes: four of IPv4 or sixteen of IPv6, in the order of the network.
    public static func refusal(_ bytes: [UInt8], allowsLoopback: Bool = false) -> Refusal? {
        switch bytes.count {
        case 4: v4(bytes, allowsLoopback)
        case 16: v6(bytes, allowsLoopback)
        default: .unknown
        }
    }

    private static func v4(_ bytes: [UInt8], _ allowsLoopback: Bool) -> Refusal? {
        switch (bytes[0], bytes[1]) {
        case (127, _): allowsLoopback ? nil : .loopback
        case (0, _): .unspecified
        case (169, 254): .linkLocal
        case (224..., _): .multicast
        default: nil
        }
    }

    private static func v6(_ bytes: [UInt8], _ allowsLoopback: Bool) -> Refusal? {
        // An IPv4 address inside IPv6: mapped, compatible, 6to4 and NAT64.
        let zeros = bytes.prefix(10).allSatisfy { $0 == 0 }
        if zeros, bytes[10] == 0xFF, bytes[11] == 0xFF { return v4(Array(bytes[12...]), allowsLoopback) }
        if zeros, bytes[10] == 0, bytes[11] == 0 {
            let rest = Array(bytes[12...])
            if rest == [0, 0, 0, 0] { return .unspecified }
            if rest == [0, 0, 0, 1] { return allowsLoopback ? nil : .loopback }
            return v4(rest, allowsLoopback)
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return v4(Array(bytes[2..<6]), allowsLoopback) }
        if Array(bytes.prefix(12)) == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] { return v4(Array(bytes[12...]), allowsLoopback) }
        // One cloud's metadata service has a unique local address.
        if bytes == [0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54] { return .linkLocal }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return .linkLocal }
        if bytes[0] == 0xFF { return .multicast }
        return nil
    }
}
