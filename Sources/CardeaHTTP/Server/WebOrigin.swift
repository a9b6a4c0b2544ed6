import Foundation

/// The place a page is from (RFC 6454): scheme, host and port, so that two writings of one place do not differ.
struct WebOrigin: Hashable, Sendable {
    let scheme: String
    /// In small letters, without brackets.
    let host: String
    let port: Int

    init(scheme: String, host: String, port: Int? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? Self.defaultPort(scheme)
    }

    /// In a browser's notation; also the beginning of a complete URL. nil for `null`, and for an origin that is not a web page's.
    init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { lower.hasPrefix("\($0)://") }) else { return nil }
        let rest = lower.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        guard let (host, port) = Self.authority(String(rest)) else { return nil }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// Host and port of an authority (RFC 3986, section 3.2), in the form of `Host`; nil if the text is none.
    static func authority(_ text: String) -> (host: String, port: Int?)? {
        guard text.utf8.count <= 255 else { return nil }
        let text = text.lowercased()
        let isBracketed = text.hasPrefix("[")
        guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else { return nil }
        let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
        let host = String(isBracketed ? text[text.index(after: text.startIndex)..<end] : text[..<end])
        guard !host.isEmpty else { return nil }
        // After the name comes a port, or nothing.
        guard rest.first == ":", rest.count > 1 else { return rest.isEmpty || rest == ":" ? (host, nil) : nil }
        guard rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(rest.dropFirst()), port <= 65535 else {
            return nil
        }
        return (host, port)
    }

    /// Returns whether a browser may write a host so: a name in ASCII and small letters, or an address without brackets.
    static func isHostName(_ host: String) -> Bool {
        let isIPv6 = host.contains(":")
        return !host.isEmpty
            && host.utf8.allSatisfy { byte in
                let isHex = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                let isOther = isIPv6 ? byte == 0x3A : (0x67...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
                return isHex || isOther || byte == 0x2E
            }
    }

    static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

    /// As a browser writes it.
    var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == Self.defaultPort(scheme) ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
    }
}
