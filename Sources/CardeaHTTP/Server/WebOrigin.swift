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

    /// As a browser names it; also of a whole address, by its beginning. nil for `null`, and for what is no page of the web.
    init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https", "http"].first(where: { lower.hasPrefix("\($0)://") }) else { return nil }
        let rest = lower.dropFirst(scheme.count + 3).prefix { $0 != "/" }
        guard let (host, port) = Self.authority(String(rest)) else { return nil }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// Host and port of an authority (RFC 3986, section 3.2), as it stands in `Host`; nil where it is none.
    static func authority(_ text: String) -> (host: String, port: Int?)? {
        guard text.utf8.count <= 255 else { return nil }
        let text = text.lowercased()
        let isBracketed = text.hasPrefix("[")
        guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else { return nil }
        let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
        let host = String(isBracketed ? text[text.index(after: text.startIndex)..<end] : text[..<end])
        guard !host.isEmpty else { return nil }
        // After the name there is a port, or nothing.
        guard rest.first == ":", rest.count > 1 else { return rest.isEmpty || rest == ":" ? (host, nil) : nil }
        guard rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(rest.dropFirst()), port <= 65535 else {
            return nil
        }
        return (host, port)
    }

    /// Whether a browser may call a host so: a name in ASCII and small letters, or an address without brackets.
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

/// The origins that are the hub's own.
struct HubOrigins: Sendable {
    let settings: HTTPSettings
    let address: PublicAddress
    /// Whether the hub speaks TLS itself.
    let isSecure: Bool

    private var publicOrigin: WebOrigin? { WebOrigin(address.text) }

    /// The scheme under which the hub is reached where nobody says which.
    private var scheme: String { isSecure || publicOrigin?.scheme == "https" ? "https" : "http" }

    /// Whether the hub answers under this name.
    func answers(to host: String) -> Bool { settings.hosts.contains(host) || host == publicOrigin?.host }

    /// Whether a page that asks for `authority` is the hub's own. A `Host` without a port has the usual one of the hub's own scheme, so that another
    /// port of our name is somebody else.
    func isSameOrigin(_ origin: String, asking authority: String) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        if origin == publicOrigin { return true }
        guard let (host, port) = WebOrigin.authority(authority), host == origin.host else { return false }
        if let port { return port == origin.port }
        return origin == WebOrigin(scheme: scheme, host: host)
    }

    /// Whether that is the page under the public address.
    func isPublic(_ origin: String?) -> Bool { origin.flatMap { WebOrigin($0) }.map { $0 == publicOrigin } ?? false }

    var publicHost: String? { publicOrigin?.host }

    /// Where a page of this name may be open for a passkey to count, as browsers write it: under the public address, under a name that was allowed,
    /// or under a name of the hub's own at the port it listens at. Only on this very machine without TLS.
    func origins(of host: String) -> Set<String> {
        var origins = Set([publicOrigin].compactMap(\.self).filter { $0.host == host })
        let own = address.port
        var ports = settings.hosts.contains(host) ? [own].compactMap(\.self) : []
        for allowed in settings.allowedHosts where allowed.name == host { ports += allowed.port.map { [$0] } ?? [443] }
        for port in ports {
            origins.insert(WebOrigin(scheme: "https", host: host, port: port))
            if host == "localhost" { origins.insert(WebOrigin(scheme: "http", host: host, port: port)) }
        }
        return Set(origins.filter { $0.scheme == "https" || host == "localhost" }.map(\.text))
    }
}
