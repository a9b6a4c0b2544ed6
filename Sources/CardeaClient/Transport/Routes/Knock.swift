import CardeaAPI
import Foundation

extension Transport {
    /// Asks whether the hub answers by a way, and holds its key. The question holds nothing that a stranger could use.
    ///
    /// - Throws: why not: `untrusted` where somebody else answers.
    public func knock(at hub: HubAddress, by route: HubRoute) async throws(TransportFailure) {
        guard let url = URL(string: hub.description) else { throw .noConnection }
        try await knock(at: url, by: route)
    }

    func knock(at hub: URL, by route: HubRoute) async throws(TransportFailure) {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port, parts.path) = (hub.scheme, hub.host(), hub.port, "/healthz")
        guard let url = parts.url else { throw .noConnection }
        var request = TransportRequest(method: .get, url: url, headers: ["user-agent": "cardea/\(Wire.version)"], timeout: .seconds(4))
        request.route = route
        guard try await send(request).status == 200 else { throw .noConnection }
    }
}
