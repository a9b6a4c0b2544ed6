/// Which way to a hub is tried when, and which one is taken: the first on which somebody answers who holds the hub's key.
///
/// What is near has a head start (as in RFC 8305, "Happy Eyeballs"), so that nobody at home goes by way of a relay: first the hub's address
/// and where it was last found, then what is found on the network, and the relays after a moment, or once nothing near is left to try.
public struct RouteRace: Sendable {
    public struct Timing: Hashable, Sendable {
        /// After this long without an answer from where the hub was, it is looked for.
        public var searchAfter: Duration
        /// After this long the relays are tried as well.
        public var headStart: Duration

        public init(searchAfter: Duration = .milliseconds(100), headStart: Duration = .milliseconds(500)) {
            self.searchAfter = searchAfter
            self.headStart = headStart
        }
    }

    public enum Event: Hashable, Sendable {
        /// So long after the beginning.
        case timeElapsed(Duration)
        case found(HubRoute)
        case searchEnded
        /// The hub itself, by its key.
        case answered(HubRoute)
        case failed(HubRoute, TransportError)
    }

    public enum Action: Hashable, Sendable {
        case probe(HubRoute)
        case search
        /// Tell when so much has passed since the beginning.
        case setTimer(after: Duration)
        case won(HubRoute)
        case lost(TransportError)
    }

    /// How many found ones are tried: anybody on the network can put up signs.
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
            // That a stranger answers at an address that was found is nothing new; where the hub should be, it is.
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

    /// What is due once nothing near is under way, and how it ends where nothing is left.
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
    /// Whether both lead to the same place, whatever they are for.
    func hasSameEndpoint(as other: HubRoute) -> Bool { host == other.host && port == other.port }
}
