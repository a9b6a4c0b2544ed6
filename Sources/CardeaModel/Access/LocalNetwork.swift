/// The addresses of a house's own network: loopback, private (RFC 1918), unique local (RFC 4193) and link-local, v4 and v6.
public enum LocalNetwork {
    public static func contains(_ address: String) -> Bool {
        if let v4 = v4(address) { return isLocal(v4) }
        let bare = address.split(separator: "%", maxSplits: 1).first.map { $0.lowercased() } ?? ""
        if bare.hasPrefix("::ffff:"), let mapped = v4(String(bare.dropFirst(7))) { return isLocal(mapped) }
        guard bare.contains(":") else { return false }
        if bare == "::1" { return true }
        // fc00::/7 and fe80::/10, by the first group.
        guard let first = bare.split(separator: ":", omittingEmptySubsequences: false).first, let group = UInt16(first, radix: 16)
        else { return false }
        return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
    }

    private static func v4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { part in part.count <= 3 && part.allSatisfy(\.isNumber) ? UInt8(part) : nil }
        return bytes.count == 4 ? bytes : nil
    }

    private static func isLocal(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (192, 168), (169, 254): true
        case (172, let second): (16...31).contains(second)
        default: false
        }
    }
}
