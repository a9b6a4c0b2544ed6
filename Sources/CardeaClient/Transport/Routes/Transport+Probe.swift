import CardeaAPI
import Foundation

extension Transport {
    /// Checks whether the hub answers on a route and holds its key. The request contains no secret.
    ///
    /// - Throws: the reason why not: `untrusted` if another host answers.
    public func probe(at hub: HubAddress, by route: HubRoute) async throws(TransportError) {
        guard let url = URL(string: hub.description) else { throw .noConnection }
        try await probe(at: url, by: route)
    }

    func probe(at hub: URL, by route: HubRoute) async throws(TransportError) {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port, parts.path) = (hub.scheme, hub.host(), hub.port, "/healthz")
        guard let url = parts.url else { throw .noConnection }
        var request = TransportRequest(
            method: .get, url: url, headers: ["user-agent": "cardea/\(WireFormat.version)"], timeout: .seconds(4))
        request.route = route
        guard try await send(request).status == 200 else { throw .noConnection }
    }
}
