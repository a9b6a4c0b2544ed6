import CardeaClient
import CardeaClientNIO
import CardeaTestSupport
import Foundation
import Synchronization

/// A transport whose streams are cut after some parts, now fewer, now more, however often they are resumed.
final class TruncatingTransport: Transport {
    private let base: NIOTransport
    private let parts: Int
    private let cuts = Mutex(0)

    init(_ line: NIOTransport, after parts: Int) {
        self.base = line
        self.parts = parts
    }

    var opened: Int { cuts.withLock(\.self) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { try await base.send(request) }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        let whole = try await base.open(request)
        cuts.withLock { $0 += 1 }
        let (passed, part) = AsyncThrowingStream<Data, any Error>.makeStream()
        let (left, source) = (parts * (1 + opened % 7), whole.parts)
        let passing = Task {
            do {
                for try await bytes in source.prefix(left) { part.yield(bytes) }
                part.finish(throwing: TransportError.interrupted)
            } catch { part.finish(throwing: error) }
        }
        part.onTermination = { _ in passing.cancel() }
        return TransportStream(status: whole.status, parts: passed)
    }
}

extension CardeaClient {
    /// The owner's client over a socket, with short pauses.
    static func listening(on port: Int, over transport: any Transport) async throws -> CardeaClient {
        let hurried = ClientEnvironment(
            now: { Date() }, sleep: { try await Task.sleep(for: min($0, .milliseconds(20))) }, newKey: { UUID().uuidString })
        let cardea = CardeaClient(hub: try HubAddress("http://127.0.0.1:\(port)"), transport: transport, environment: hurried)
        try await cardea.sessions.login(username: "owner", password: TestHouse.password)
        return cardea
    }
}
