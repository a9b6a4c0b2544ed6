import CardeaClient
import Synchronization

/// A transport that records every exchange, to be compared with what the client makes of it.
final class RecordingTransport: Transport {
    struct Exchange: Sendable {
        let request: TransportRequest
        let response: TransportResponse
    }

    private let base: any Transport
    private let recorded = Mutex<[Exchange]>([])

    init(_ line: any Transport) {
        self.base = line
    }

    var exchanges: [Exchange] { recorded.withLock(\.self) }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { try await base.open(request) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let response = try await base.send(request)
        recorded.withLock { $0.append(Exchange(request: request, response: response)) }
        return response
    }
}
