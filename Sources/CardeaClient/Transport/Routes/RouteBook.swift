import Foundation
import Synchronization

/// What is known of the ways to each hub, beside its own address.
public final class RouteBook: Sendable {
    public struct Ways: Hashable, Sendable, Codable {
        public var relays: [HubRoute]
        /// Where the hub was last found on the network nearby.
        public var lastLocal: HubRoute?

        private enum CodingKeys: String, CodingKey {
            case relays
            case lastLocal = "last_local"
        }

        public init(relays: [HubRoute] = [], lastLocal: HubRoute? = nil) {
            self.relays = relays
            self.lastLocal = lastLocal
        }
    }

    private struct Entry {
        var ways = Ways()
        var current: HubRoute?
    }

    private let entries = Mutex<[HubPlace: Entry]>([:])

    public init() {}

    public func ways(to hub: HubAddress) -> Ways { HubPlace(hub).map(ways(to:)) ?? Ways() }

    public func set(_ ways: Ways, to hub: HubAddress) {
        guard let place = HubPlace(hub) else { return }
        entries.withLock { $0[place, default: Entry()].ways = ways }
    }

    /// By which way the hub was last reached; nil where it was not, or has but one.
    public func current(to hub: HubAddress) -> HubRoute? { HubPlace(hub).flatMap { place in entries.withLock { $0[place]?.current } } }

    func ways(to place: HubPlace) -> Ways { entries.withLock { $0[place]?.ways } ?? Ways() }

    func take(_ route: HubRoute, to place: HubPlace) {
        entries.withLock { entries in
            entries[place, default: Entry()].current = route
            if route.kind == .local { entries[place]?.ways.lastLocal = route }
        }
    }

    func leave(_ place: HubPlace) {
        entries.withLock { $0[place]?.current = nil }
    }
}

/// A hub among others: the name and the port of its address, over TLS.
struct HubPlace: Hashable, Sendable {
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
