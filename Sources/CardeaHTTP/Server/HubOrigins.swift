import Foundation

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
