import Foundation

/// Reaches a hub by the way that works just now, and by another one when that ends: near ones first, then through a relay.
///
/// It is for hubs that are known by their key, since only the key tells the hub from whoever answers in its place: a way is taken once
/// somebody has answered there who holds it, and no request goes any other way. All other hubs are reached where their address leads.
public final class RoutedTransport: BulkTransport {
    private let transport: any Transport
    private let pins: PinStore
    private let selector: RouteSelector

    /// - Parameters:
    ///   - carrier: proves on each connection that the key is one of `pins`.
    ///   - finder: looks for the hub on the network nearby; nil looks nowhere.
    public init(
        _ carrier: any Transport, pins: PinStore, routes: RouteStore, finder: (any HubFinder)? = nil, timing: RouteRace.Timing = .init(),
        environment: ClientEnvironment = .live
    ) {
        self.transport = carrier
        self.pins = pins
        selector = RouteSelector(
            course: RouteRaceRunner(transport: carrier, finder: finder, timing: timing, environment: environment), pins: pins,
            routes: routes)
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await withRoute(request, transport.send)
    }

    public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        try await withRoute(request, transport.open)
    }

    /// By the way that is known to work. A way that fails is left; what was carried is asked for again above, if it may be.
    public func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        guard let carrier = transport as? any BulkTransport else { throw ClientError.bulkTransferUnsupported }
        guard request.route == nil, let route = try await selector.route(to: request.url) else {
            return try await carrier.exchange(request, upload: upload, receive: receive)
        }
        do {
            try await carrier.exchange(request.using(route), upload: upload, receive: receive)
        } catch let failure as TransportError {
            if failure != .cancelled, failure != .tooLarge { await selector.markFailed(route, to: request.url) }
            throw failure
        }
    }

    /// The device is on another network: the ways are tried anew.
    public func handleNetworkChange() async { await selector.reset() }

    private func withRoute<Answer: Sendable>(
        _ request: TransportRequest, _ carry: @Sendable (TransportRequest) async throws(TransportError) -> Answer
    ) async throws(TransportError) -> Answer {
        // Whoever names the way has chosen.
        guard request.route == nil, let route = try await selector.route(to: request.url) else { return try await carry(request) }
        let failure: TransportError
        do throws(TransportError) { return try await carry(request.using(route)) } catch { failure = error }
        guard failure != .cancelled, failure != .tooLarge else { throw failure }
        await selector.markFailed(route, to: request.url)
        // What may have arrived is asked again above, if it may be.
        guard !failure.mayHaveArrived, let other = try await selector.route(to: request.url) else { throw failure }
        return try await carry(request.using(other))
    }
}

extension TransportRequest {
    fileprivate func using(_ route: HubRoute) -> TransportRequest {
        var request = self
        request.route = route
        return request
    }
}
