import CardeaClient
import CardeaClientNIO
import CardeaTestSupport
import Foundation

/// A transport whose waiting passes on the house's clock: the proxy says which request it lets wait in vain, and that one ends at once.
/// This machine's clock does not count: on a busy machine a slow answer would look like silence.
struct FastForwardTransport: Transport {
    private let base: NIOTransport
    private let proxy: FaultProxy
    private let clock: ManualClock
    private let renames: Bool

    /// - Parameter renames: each try has its own key, so that the house cannot recognise a repetition.
    init(_ line: NIOTransport, through proxy: FaultProxy, clock: ManualClock, renames: Bool = false) {
        self.base = line
        self.proxy = proxy
        self.clock = clock
        self.renames = renames
    }

    /// Only a hang takes that long.
    private static let timeout: Duration = .seconds(60)

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { try await base.open(request) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var named = request
        named.timeout = Self.timeout
        if renames, request.headers["idempotency-key"] != nil { named.headers["idempotency-key"] = UUID().uuidString }
        let name = UUID().uuidString
        named.headers[FaultProxy.attemptNameHeader] = name
        let result = await answer(to: named, orSilenceOf: name)
        if case .failure(.timeout) = result { clock.advance(by: TimeInterval(request.timeout.components.seconds)) }
        return try result.get()
    }

    private func answer(to request: TransportRequest, orSilenceOf name: String) async -> Result<TransportResponse, TransportError> {
        let silence = proxy.silences(of: name)
        return await withTaskGroup(of: Result<TransportResponse, TransportError>?.self) { group in
            group.addTask {
                do throws(TransportError) { return .success(try await base.send(request)) } catch { return .failure(error) }
            }
            group.addTask {
                for await _ in silence { return .failure(.timeout) }
                return nil
            }
            defer { group.cancelAll() }
            while let first = await group.next() {
                if let first { return first }
            }
            return .failure(.cancelled)
        }
    }
}

extension ManualClock {
    /// A client on this clock: its pauses pass on it, without real waiting.
    var clientEnvironment: ClientEnvironment {
        ClientEnvironment(
            now: { self.now },
            sleep: { pause in
                self.advance(by: pause / .seconds(1))
                await Task.yield()
            }, newKey: { UUID().uuidString.lowercased() })
    }
}
