import Foundation

/// Reaches a hub by the route that works at present, and by another one when it fails: nearby routes first, then through a relay.
///
/// It is for hubs with pinned keys, since only the key tells the hub from another host: a route is used only after its host has proved to
/// hold the key, and no request takes any other. All other hubs are reached at their own address.
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

    /// By the known route. A route that fails is dropped; the caller retries the request if it may be repeated.
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

    /// The device is on another network: a new race starts.
    public func handleNetworkChange() async { await selector.reset() }

    private func withRoute<Answer: Sendable>(
        _ request: TransportRequest, _ carry: @Sendable (TransportRequest) async throws(TransportError) -> Answer
    ) async throws(TransportError) -> Answer {
        // The caller has chosen the route.
        guard request.route == nil, let route = try await selector.route(to: request.url) else { return try await carry(request) }
        let failure: TransportError
        do throws(TransportError) { return try await carry(request.using(route)) } catch { failure = error }
        guard failure != .cancelled, failure != .tooLarge else { throw failure }
        await selector.markFailed(route, to: request.url)
        // A request that may have arrived is retried by the caller, if it may be repeated.
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
