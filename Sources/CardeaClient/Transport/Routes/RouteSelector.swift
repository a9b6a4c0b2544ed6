import Foundation

/// Keeps the winning route until it fails. Callers during a race wait for the same result.
actor RouteSelector {
    /// After this many seconds on a relay a new race starts: a client that came home connects directly again.
    static let relayLease: TimeInterval = 300

    private let raceRunner: RouteRaceRunner
    private let pins: PinStore
    private let routes: RouteStore
    private var selected: [HubEndpoint: (route: HubRoute, since: Date)] = [:]
    private var races: [HubEndpoint: Task<Result<HubRoute, TransportError>, Never>] = [:]

    init(course: RouteRaceRunner, pins: PinStore, routes: RouteStore) {
        self.raceRunner = course
        self.pins = pins
        self.routes = routes
    }

    /// The route for `url`; nil if there is only the direct one.
    func route(to url: URL) async throws(TransportError) -> HubRoute? {
        guard let place = HubEndpoint(url), let pins = pins.pins(for: url), let direct = HubRoute(.direct, to: url) else { return nil }
        let ways = routes.routes(to: place)
        let searches = raceRunner.finder != nil && !HubAddress.isLoopback(direct.host)
        guard searches || !ways.relays.isEmpty || ways.lastLocal != nil else { return nil }
        if let selection = selected[place], !isExpired(selection) { return selection.route }
        let race = RouteRace(
            known: [direct] + [ways.lastLocal].compactMap { $0 }.filter { !$0.hasSameEndpoint(as: direct) }, relays: ways.relays,
            searches: searches, timing: raceRunner.timing)
        // It belongs to all callers that wait for it, and ends with the last probe at the latest.
        let running = races[place] ?? Task { await raceRunner.run(race, to: url, pins: pins) }
        races[place] = running
        let outcome = await running.value
        if races[place] == running {
            races[place] = nil
            if case .success(let route) = outcome {
                selected[place] = (route, raceRunner.environment.now())
                routes.setCurrent(route, to: place)
            }
        }
        return try outcome.get()
    }

    func markFailed(_ route: HubRoute, to url: URL) {
        guard let place = HubEndpoint(url), selected[place]?.route == route else { return }
        selected[place] = nil
        routes.clearCurrent(place)
    }

    func reset() {
        for place in selected.keys { routes.clearCurrent(place) }
        selected = [:]
    }

    private func isExpired(_ selection: (route: HubRoute, since: Date)) -> Bool {
        selection.route.kind == .relay && abs(raceRunner.environment.now().timeIntervalSince(selection.since)) >= Self.relayLease
    }
}
