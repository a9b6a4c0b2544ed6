import CardeaClient
import CardeaClientNIO
import CardeaTestSupport
import Foundation

/// The SDK's own line over real sockets, whose waits are short: what it would have waited passes on the house's clock.
struct HastyLine: Transport {
    private let line: NIOTransport
    private let clock: ManualClock
    private let renames: Bool

    /// - Parameter renames: each try has a name of its own, so that the house cannot know a repetition.
    init(_ line: NIOTransport, clock: ManualClock, renames: Bool = false) {
        self.line = line
        self.clock = clock
        self.renames = renames
    }

    /// Longer than any answer of the house takes on a busy machine.
    private static let patience: Duration = .milliseconds(1500)

    func open(_ request: TransportRequest) async throws(TransportFailure) -> TransportStream { try await line.open(request) }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        var hasty = request
        hasty.timeout = Self.patience
        if renames, request.headers["idempotency-key"] != nil { hasty.headers["idempotency-key"] = UUID().uuidString }
        do throws(TransportFailure) { return try await line.send(hasty) } catch {
            if error == .timeout { clock.advance(by: TimeInterval(request.timeout.components.seconds)) }
            throw error
        }
    }
}

extension ManualClock {
    /// A client that lives by this clock: its pauses pass on it, and nobody really waits.
    var travelling: Surroundings {
        Surroundings(
            now: { self.now },
            sleep: { pause in
                self.advance(by: pause / .seconds(1))
                await Task.yield()
            }, newKey: { UUID().uuidString.lowercased() })
    }
}
