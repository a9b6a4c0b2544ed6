import Foundation

/// The origins that are the hub's own.
struct HubOrigins: Sendable {
    let settings: HTTPSettings
    let address: CurrentPublicURL
    /// True if the hub serves TLS itself.
    let isSecure: Bool

    private var publicOrigin: WebOrigin? { WebOrigin(address.text) }

    /// The scheme under which the hub is reached if a request does not say which.
    private var scheme: String { isSecure || publicOrigin?.scheme == "https" ? "https" : "http" }

    /// Returns whether this is one of the hub's host names.
    func answers(to host: String) -> Bool { settings.hosts.contains(host) || host == publicOrigin?.host }

    /// Returns whether a page's origin is the hub's own in a request to `authority`. A `Host` without a port means the default port of the
    /// hub's own scheme, so another port of the same name is another origin.
    func isSameOrigin(_ origin: String, asking authority: String) -> Bool {
        guard let origin = WebOrigin(origin) else { return false }
        if origin == publicOrigin { return true }
        guard let (host, port) = WebOrigin.authority(authority), host == origin.host else { return false }
        if let port { return port == origin.port }
        return origin == WebOrigin(scheme: scheme, host: host)
    }

    /// Returns whether the origin is the public address.
    func isPublic(_ origin: String?) -> Bool { origin.flatMap { WebOrigin($0) }.map { $0 == publicOrigin } ?? false }

    var publicHost: String? { publicOrigin?.host }

    /// The origins at which a passkey for this host counts, as browsers write them: the public address, an allowed name, or one of the
    /// hub's own names at the port on which it listens. Without TLS only `localhost` counts.
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
