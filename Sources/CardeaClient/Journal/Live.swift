import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// The house as it changes. One line is held, taken up again when it breaks, and what was missed meanwhile is told first.
///
///     for await event in client.live.events() {
///         if case .device(let device, _) = event { show(device) }
///     }
public struct Live: Sendable {
    let caller: Caller

    /// Everything that is told, until whoever listens stops, or the session has ended.
    ///
    /// - Parameter after: the last event that is known already; nil begins with a snapshot.
    public func events(after: Int64? = nil) -> AsyncStream<LiveEvent> {
        let (events, event) = AsyncStream<LiveEvent>.makeStream(bufferingPolicy: .bufferingOldest(Self.unread))
        let listening = Task {
            await Listening(caller: caller, tell: { if case .dropped = event.yield($0) { false } else { true } }).run(after: after)
            event.finish()
        }
        event.onTermination = { _ in listening.cancel() }
        return events
    }

    /// Events that nobody has looked at yet. With more, the line is given up, and taken up again where the last one was told.
    static let unread = 1024

    /// Each device that changes, as it stands then; first all of them.
    public func devices() -> LiveValues<DeviceAnswer> {
        LiveValues(events()) { event in
            switch event {
            case .snapshot(let devices): devices
            case .device(let device, _): [device]
            default: []
            }
        }
    }

    /// Each command as it moves on.
    public func commands() -> LiveValues<CommandAnswer> {
        LiveValues(events()) { if case .command(let command) = $0 { [command] } else { [] } }
    }
}

/// What of the events somebody wants, as it is told.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
    private let events: AsyncStream<LiveEvent>
    private let pick: @Sendable (LiveEvent) -> [Value]

    init(_ events: AsyncStream<LiveEvent>, _ pick: @escaping @Sendable (LiveEvent) -> [Value]) {
        self.events = events
        self.pick = pick
    }

    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), pick: pick) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<LiveEvent>.Iterator
        fileprivate let pick: @Sendable (LiveEvent) -> [Value]
        private var picked: ArraySlice<Value> = []

        fileprivate init(events: AsyncStream<LiveEvent>.Iterator, pick: @escaping @Sendable (LiveEvent) -> [Value]) {
            self.events = events
            self.pick = pick
        }

        public mutating func next() async -> Value? {
            while picked.isEmpty {
                guard let event = await events.next() else { return nil }
                picked = pick(event)[...]
            }
            return picked.popFirst()
        }
    }
}

/// One listener's line to the house, through all its breaks.
private struct Listening: Sendable {
    let caller: Caller
    /// False where nobody has looked at what was told before, and this was dropped.
    let tell: @Sendable (LiveEvent) -> Bool

    /// The hub gives a sign of life every 15 seconds; after this long without one, the line is dead.
    static let silence: Duration = .seconds(40)
    static let pauses = RetryPolicy(attempts: .max, multiplier: 2, initialDelay: .milliseconds(500), maximumDelay: .seconds(30))

    private var surroundings: Surroundings { caller.line.surroundings }

    func run(after: Int64?) async {
        let cursor = Cursor(after)
        var failures = 0
        while !Task.isCancelled {
            let before = cursor.value
            var problem: ClientError?
            do {
                try await listen(cursor)
            } catch let error as ClientError {
                problem = error
            } catch let failure as TransportFailure {
                problem = ClientError(failure, host: caller.line.hub.host)
            } catch is CancellationError {
                return
            } catch {
                problem = .invalidResponse("what it tells cannot be read")
            }
            guard !Task.isCancelled else { return }
            if let problem, problem.endsListening {
                _ = tell(.interrupted(problem, retryIn: .zero))
                return
            }
            failures = cursor.value == before ? failures + 1 : problem == nil ? 0 : 1
            // A line that the hub ended after telling something is taken up again at once.
            guard failures > 0 else { continue }
            // Never at once, and not all of those together whom one hub lost together.
            let pause = Self.pauses.longestDelay(after: failures - 1) * (0.2 + 0.8 * surroundings.jitter())
            _ = tell(.interrupted(problem ?? .interrupted(host: caller.line.hub.host), retryIn: pause))
            do { try await surroundings.sleep(pause) } catch { return }
        }
    }

    /// Where to go on. Only the reader of the line moves it.
    private final class Cursor: Sendable {
        private let seq: Mutex<Int64?>

        init(_ seq: Int64?) { self.seq = Mutex(seq) }

        var value: Int64? { seq.withLock(\.self) }
        func move(to new: Int64) { seq.withLock { $0 = new } }
    }

    /// When the line last gave a sign of life.
    private final class LastHeard: Sendable {
        private let moment: Mutex<Date>

        init(_ moment: Date) { self.moment = Mutex(moment) }

        var value: Date { moment.withLock(\.self) }
        func note(_ now: Date) { moment.withLock { $0 = now } }
    }

    private struct Snapshot: Decodable {
        let devices: [DeviceAnswer]
    }

    /// Until the line ends; by itself it does when the hub wants to be asked again, as after a change of rights.
    private func listen(_ cursor: Cursor) async throws {
        let stream = try await open(after: cursor.value)
        _ = tell(.connected)
        let heard = LastHeard(surroundings.now())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await read(stream, cursor) { heard.note(surroundings.now()) } }
            group.addTask {
                while true {
                    try await surroundings.sleep(Self.silence / 4)
                    let quiet = surroundings.now().timeIntervalSince(heard.value)
                    // By a clock that was set back, nobody knows how long.
                    guard abs(quiet) < TimeInterval(Self.silence.components.seconds) else { throw TransportFailure.timeout }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func open(after seq: Int64?) async throws -> TransportStream {
        var session = try await caller.keeper.current()
        var stream = try await caller.line.stream(after: seq, bearer: session.accessToken)
        if stream.status == 401 {
            session = try await caller.keeper.renewed(insteadOf: session)
            stream = try await caller.line.stream(after: seq, bearer: session.accessToken)
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
            for event in try parser.take(part) {
                try take(event)
                if let seq = event.id.flatMap({ Int64($0) }) { cursor.move(to: seq) }
            }
        }
    }

    private func take(_ event: EventStreamParser.Event) throws {
        let told: LiveEvent
        do {
            let data = Data(event.data.utf8)
            switch event.name {
            case "snapshot": told = .snapshot(try Wire.read(Snapshot.self, from: data).devices)
            // A snapshot follows.
            case "gap": return
            default: told = LiveEvent(try Wire.read(ChangeEvent.self, from: data))
            }
        } catch {
            throw ClientError.invalidResponse("an event cannot be read")
        }
        // Nobody has looked for long: the line is taken up again with this event, which then is told.
        guard tell(told) else { throw TransportFailure.interrupted }
    }
}

extension ClientError {
    /// Whether listening on is no use: somebody must do something first.
    fileprivate var endsListening: Bool {
        switch self {
        case .unauthorized, .insecureConnection, .invalidURL, .untrusted: true
        case .api(let error): error.status == 403 || error.status == 404
        default: false
        }
    }
}
