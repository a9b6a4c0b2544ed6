import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// One listener's line to the house, through all its breaks.
struct EventStreamFollower: Sendable {
    let caller: AuthenticatedClient
    /// Returns false if the buffer of unread events was full and this one was dropped.
    let send: @Sendable (LiveEvent) -> Bool

    /// The hub gives a sign of life every 15 seconds; after this long without one, the line is dead.
    static let idleTimeout: Duration = .seconds(40)
    static let reconnectPolicy = RetryPolicy(attempts: .max, multiplier: 2, initialDelay: .milliseconds(500), maximumDelay: .seconds(30))

    private var environment: ClientEnvironment { caller.pipeline.environment }

    func run(after: Int64?) async {
        let cursor = Cursor(after)
        var failures = 0
        while !Task.isCancelled {
            let before = cursor.value
            var problem: ClientError?
            do {
                try await receiveUntilClosed(cursor)
            } catch let error as ClientError {
                problem = error
            } catch let failure as TransportError {
                problem = ClientError(failure, host: caller.pipeline.hub.host)
            } catch is CancellationError {
                return
            } catch {
                problem = .invalidResponse("an event cannot be decoded")
            }
            guard !Task.isCancelled else { return }
            if let problem, problem.endsEventStream {
                _ = send(.interrupted(problem, retryIn: .zero))
                return
            }
            failures = cursor.value == before ? failures + 1 : problem == nil ? 0 : 1
            // A stream that ended after an event is reopened at once.
            guard failures > 0 else { continue }
            // Never at once, and spread over time for clients that lost one hub together.
            let pause = Self.reconnectPolicy.longestDelay(after: failures - 1) * (0.2 + 0.8 * environment.jitter())
            _ = send(.interrupted(problem ?? .interrupted(host: caller.pipeline.hub.host), retryIn: pause))
            do { try await environment.sleep(pause) } catch { return }
        }
    }

    /// The journal position to resume from. Only the reader of the stream moves it.
    private final class Cursor: Sendable {
        private let seq: Mutex<Int64?>

        init(_ seq: Int64?) { self.seq = Mutex(seq) }

        var value: Int64? { seq.withLock(\.self) }
        func move(to new: Int64) { seq.withLock { $0 = new } }
    }

    /// When the line last gave a sign of life.
    private final class LastActivity: Sendable {
        private let moment: Mutex<Date>

        init(_ moment: Date) { self.moment = Mutex(moment) }

        var value: Date { moment.withLock(\.self) }
        func record(_ now: Date) { moment.withLock { $0 = now } }
    }

    private struct Snapshot: Decodable {
        let devices: [DeviceAnswer]
    }

    /// Receives until the connection ends. The hub ends it when the client must reconnect, as after a change of rights.
    private func receiveUntilClosed(_ cursor: Cursor) async throws {
        let stream = try await open(after: cursor.value)
        _ = send(.connected)
        let heard = LastActivity(environment.now())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(stream, cursor) { heard.record(environment.now()) } }
            group.addTask {
                while true {
                    try await environment.sleep(Self.idleTimeout / 4)
                    let quiet = environment.now().timeIntervalSince(heard.value)
                    // After a clock was set back, the length of the silence is not known.
                    guard abs(quiet) < TimeInterval(Self.idleTimeout.components.seconds) else { throw TransportError.timeout }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func open(after seq: Int64?) async throws -> TransportStream {
        var session = try await caller.sessionManager.current()
        var stream = try await caller.pipeline.stream(after: seq, bearer: session.accessToken)
        if stream.status == 401 {
            session = try await caller.sessionManager.renewed(insteadOf: session)
            stream = try await caller.pipeline.stream(after: seq, bearer: session.accessToken)
        }
        guard stream.status == 200 else {
            var body = Data()
            for try await part in stream.parts.prefix(64) { body.append(part.prefix(64 << 10)) }
            if stream.status == 401 { throw ClientError.unauthorized }
            throw ClientError.api(APIError(TransportResponse(status: stream.status, body: body)))
        }
        return stream
    }

    private func read(_ stream: TransportStream, _ cursor: Cursor, heard: () -> Void) async throws {
        var parser = EventStreamParser()
        for try await part in stream.parts {
            heard()
            for event in try parser.parse(part) {
                try deliver(event)
                if let seq = event.id.flatMap({ Int64($0) }) { cursor.move(to: seq) }
            }
        }
    }

    private func deliver(_ event: EventStreamParser.Event) throws {
        let told: LiveEvent
        do {
            let data = Data(event.data.utf8)
            switch event.name {
            case "snapshot": told = .snapshot(try WireFormat.read(Snapshot.self, from: data).devices)
            // A snapshot follows.
            case "gap": return
            default: told = LiveEvent(try WireFormat.read(ChangeEvent.self, from: data))
            }
        } catch {
            throw ClientError.invalidResponse("an event cannot be decoded")
        }
        // The buffer of unread events is full: the connection is restored before this event, which is then sent again.
        guard send(told) else { throw TransportError.interrupted }
    }
}
