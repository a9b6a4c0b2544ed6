/// Decides which route to a hub is tried when, and which one is used: the first on which the host proves to hold the hub's key.
///
/// Nearby routes have a head start (as in RFC 8305, "Happy Eyeballs"), so that no client at home uses a relay: first the hub's own address
/// and its last local address, then hosts found on the network, and the relays after a moment, or once no nearby route is left to try.
public struct RouteRace: Sendable {
    public struct Timing: Hashable, Sendable {
        /// The wait for an answer from known routes before the search starts.
        public var searchAfter: Duration
        /// The wait before the relays are tried as well.
        public var headStart: Duration

        public init(searchAfter: Duration = .milliseconds(100), headStart: Duration = .milliseconds(500)) {
            self.searchAfter = searchAfter
            self.headStart = headStart
        }
    }

    public enum Event: Hashable, Sendable {
        /// This time has passed since the beginning.
        case timeElapsed(Duration)
        case found(HubRoute)
        case searchEnded
        /// The hub answered and proved its key.
        case answered(HubRoute)
        case failed(HubRoute, TransportError)
    }

    public enum Action: Hashable, Sendable {
        case probe(HubRoute)
        case search
        /// Report `timeElapsed` after this time since the beginning.
        case setTimer(after: Duration)
        case won(HubRoute)
        case lost(TransportError)
    }

    /// The number of discovered hosts that are tried: any host on the network can announce itself.
    static let discoveryLimit = 16

    private enum Search { case notYet, underWay, over }

    private let timing: Timing
    private let known: [HubRoute]
    private var relays: [HubRoute]
    private var search: Search
    private var mayUseRelays = false
    private var probing: Set<HubRoute> = []
    private var found: Set<HubRoute> = []
    private var wasRefused = false
    private var isOver = false

    /// - Parameters:
    ///   - known: where the hub was, the best first.
    ///   - searches: whether there is anything to look with.
    public init(known: [HubRoute], relays: [HubRoute], searches: Bool, timing: Timing = Timing()) {
        self.timing = timing
        self.known = known
        self.relays = relays
        search = searches ? .notYet : .over
    }

    public mutating func begin() -> [Action] {
        var actions = known.flatMap { probe($0) }
        if search == .notYet { actions.append(.setTimer(after: timing.searchAfter)) }
        if !relays.isEmpty { actions.append(.setTimer(after: timing.headStart)) }
        return actions + nextActions()
    }

    public mutating func handle(_ event: Event) -> [Action] {
        guard !isOver else { return [] }
        switch event {
        case .answered(let route) where probing.contains(route):
            isOver = true
            return [.won(route)]
        case .answered: return []
        case .failed(let route, let failure):
            probing.remove(route)
            // An untrusted answer at a discovered address is expected; at the configured address it is reported.
            wasRefused = wasRefused || failure == .untrusted && !found.contains(route)
        case .found(let route):
            guard found.count < Self.discoveryLimit, !known.contains(where: { $0.hasSameEndpoint(as: route) }), found.insert(route).inserted
            else {
                return []
            }
            return probe(route)
        case .searchEnded: search = .over
        case .timeElapsed(let time):
            mayUseRelays = mayUseRelays || time >= timing.headStart
            if time >= timing.searchAfter, search == .notYet { return startSearch() + nextActions() }
        }
        return nextActions()
    }

    /// The next actions once no nearby route is being tried, and the final failure once no route is left.
    private mutating func nextActions() -> [Action] {
        let nothingNear = probing.allSatisfy { $0.kind == .relay }
        if nothingNear, search == .notYet { return startSearch() + nextActions() }
        if nothingNear, search == .over { mayUseRelays = true }
        if mayUseRelays, !relays.isEmpty {
            defer { relays = [] }
            return relays.flatMap { probe($0) }
        }
        guard probing.isEmpty, relays.isEmpty, search == .over else { return [] }
        isOver = true
        return [.lost(wasRefused ? .untrusted : .noConnection)]
    }

    private mutating func startSearch() -> [Action] {
        search = .underWay
        return [.search]
    }

    private mutating func probe(_ route: HubRoute) -> [Action] { probing.insert(route).inserted ? [.probe(route)] : [] }
}

extension HubRoute {
    /// Returns whether both routes have the same host and port, whatever their kind.
    func hasSameEndpoint(as other: HubRoute) -> Bool { host == other.host && port == other.port }
}
