import Foundation
import Synchronization

/// Known routes to each hub besides its own address.
public final class RouteStore: Sendable {
    public struct KnownRoutes: Hashable, Sendable, Codable {
        public var relays: [HubRoute]
        /// The hub's last address on the local network.
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
        var routes = KnownRoutes()
        var current: HubRoute?
    }

    private let entries = Mutex<[HubEndpoint: Entry]>([:])

    public init() {}

    public func routes(to hub: HubAddress) -> KnownRoutes { HubEndpoint(hub).map(routes(to:)) ?? KnownRoutes() }

    public func set(_ ways: KnownRoutes, to hub: HubAddress) {
        guard let place = HubEndpoint(hub) else { return }
        entries.withLock { $0[place, default: Entry()].routes = ways }
    }

    /// The route by which the hub was last reached; nil if it was not reached, or has only one.
    public func current(to hub: HubAddress) -> HubRoute? { HubEndpoint(hub).flatMap { place in entries.withLock { $0[place]?.current } } }

    func routes(to place: HubEndpoint) -> KnownRoutes { entries.withLock { $0[place]?.routes } ?? KnownRoutes() }

    func setCurrent(_ route: HubRoute, to place: HubEndpoint) {
        entries.withLock { entries in
            entries[place, default: Entry()].current = route
            if route.kind == .local { entries[place]?.routes.lastLocal = route }
        }
    }

    func clearCurrent(_ place: HubEndpoint) {
        entries.withLock { $0[place]?.current = nil }
    }
}
