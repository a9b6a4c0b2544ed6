import CardeaClient
import Synchronization

/// A line on which every exchange is kept as it was, to be held against what the client makes of it.
final class Overheard: Transport {
    struct Exchange: Sendable {
        let request: TransportRequest
        let response: TransportResponse
    }

    private let line: any Transport
    private let heard = Mutex<[Exchange]>([])

    init(_ line: any Transport) {
        self.line = line
    }

    var exchanges: [Exchange] { heard.withLock(\.self) }

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportStream { try await line.open(request) }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let response = try await line.send(request)
        heard.withLock { $0.append(Exchange(request: request, response: response)) }
        return response
    }
}
