import Foundation
import Synchronization

/// Identifies one of several hubs by the host and the port of its TLS address.
struct HubEndpoint: Hashable, Sendable {
    let host: String
    let port: Int

    init?(_ url: URL) {
        guard url.scheme == "https", let host = url.host() else { return nil }
        self.host = host.lowercased()
        port = url.port ?? 443
    }

    init?(_ hub: HubAddress) {
        guard let url = URL(string: hub.description) else { return nil }
        self.init(url)
    }
}
