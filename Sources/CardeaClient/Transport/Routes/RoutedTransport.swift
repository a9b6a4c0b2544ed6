import Foundation

/// Reaches a hub by the way that works just now, and by another one when that ends: near ones first, then through a relay.
///
/// It is for hubs that are known by their key, since only the key tells the hub from whoever answers in its place: a way is taken once
/// somebody has answered there who holds it, and no request goes any other way. All other hubs are reached where their address leads.
public final class RoutedTransport: BulkTransport {
    private let carrier: any Transport
    private let pins: PinBook
    private let keeper: RouteKeeper

    /// - Parameters:
    ///   - carrier: proves on each connection that the key is one of `pins`.
    ///   - finder: looks for the hub on the network nearby; nil looks nowhere.
    public init(
        _ carrier: any Transport, pins: PinBook, routes: RouteBook, finder: (any HubFinder)? = nil, timing: RouteRace.Timing = .init(),
        surroundings: Surroundings = .live
    ) {
        self.carrier = carrier
        self.pins = pins
        keeper = RouteKeeper(
            course: RouteCourse(carrier: carrier, finder: finder, timing: timing, surroundings: surroundings), pins: pins, routes: routes)
    }

    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        try await byRoute(request, carrier.send)
    }

    public func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportStream {
        try await byRoute(request, carrier.open)
    }

    /// By the way that is known to work. A way that fails is left; what was carried is asked for again above, if it may be.
    public func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (AnswerPart) async throws -> Void
    ) async throws {
        guard let carrier = carrier as? any BulkTransport else { throw ClientError.carriesNothingLarge }
        guard request.route == nil, let route = try await keeper.route(to: request.url) else {
            return try await carrier.exchange(request, upload: upload, receive: receive)
        }
        do {
            try await carrier.exchange(request.by(route), upload: upload, receive: receive)
        } catch let failure as TransportFailure {
            if failure != .cancelled, failure != .tooLarge { await keeper.leave(route, to: request.url) }
            throw failure
        }
    }

    /// The device is on another network: the ways are tried anew.
    public func networkChanged() async { await keeper.forget() }

    private func byRoute<Answer: Sendable>(
        _ request: TransportRequest, _ carry: @Sendable (TransportRequest) async throws(TransportFailure) -> Answer
    ) async throws(TransportFailure) -> Answer {
        // Whoever names the way has chosen.
        guard request.route == nil, let route = try await keeper.route(to: request.url) else { return try await carry(request) }
        let failure: TransportFailure
        do throws(TransportFailure) { return try await carry(request.by(route)) } catch { failure = error }
        guard failure != .cancelled, failure != .tooLarge else { throw failure }
        await keeper.leave(route, to: request.url)
        // What may have arrived is asked again above, if it may be.
        guard !failure.mayHaveArrived, let other = try await keeper.route(to: request.url) else { throw failure }
        return try await carry(request.by(other))
    }
}

extension TransportRequest {
    fileprivate func by(_ route: HubRoute) -> TransportRequest {
        var request = self
        request.route = route
        return request
    }
}

/// Keeps the way that won until it fails. Whoever asks while ways are tried waits for the same answer.
actor RouteKeeper {
    /// After this long by way of a relay, the ways are tried anew: whoever came home goes straight again.
    static let relayLease: TimeInterval = 300

    private let course: RouteCourse
    private let pins: PinBook
    private let routes: RouteBook
    private var kept: [HubPlace: (route: HubRoute, since: Date)] = [:]
    private var races: [HubPlace: Task<Result<HubRoute, TransportFailure>, Never>] = [:]

    init(course: RouteCourse, pins: PinBook, routes: RouteBook) {
        self.course = course
        self.pins = pins
        self.routes = routes
    }

    /// The way to where `url` leads; nil where there is but the one.
    func route(to url: URL) async throws(TransportFailure) -> HubRoute? {
        guard let place = HubPlace(url), let pins = pins.pins(for: url), let direct = HubRoute(.direct, to: url) else { return nil }
        let ways = routes.ways(to: place)
        let searches = course.finder != nil && !HubAddress.isLoopback(direct.host)
        guard searches || !ways.relays.isEmpty || ways.lastLocal != nil else { return nil }
        if let kept = kept[place], !hasEnded(kept) { return kept.route }
        let race = RouteRace(
            known: [direct] + [ways.lastLocal].compactMap { $0 }.filter { !$0.isSamePlace(as: direct) }, relays: ways.relays,
            searches: searches, timing: course.timing)
        // It belongs to all who wait for it, and ends with the last probe at the latest.
        let running = races[place] ?? Task { await course.run(race, to: url, pins: pins) }
        races[place] = running
        let outcome = await running.value
        if races[place] == running {
            races[place] = nil
            if case .success(let route) = outcome {
                kept[place] = (route, course.surroundings.now())
                routes.take(route, to: place)
            }
        }
        return try outcome.get()
    }

    func leave(_ route: HubRoute, to url: URL) {
        guard let place = HubPlace(url), kept[place]?.route == route else { return }
        kept[place] = nil
        routes.leave(place)
    }

    func forget() {
        for place in kept.keys { routes.leave(place) }
        kept = [:]
    }

    private func hasEnded(_ kept: (route: HubRoute, since: Date)) -> Bool {
        kept.route.kind == .relay && abs(course.surroundings.now().timeIntervalSince(kept.since)) >= Self.relayLease
    }
}
