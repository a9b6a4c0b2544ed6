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
public struct EventStream: Sendable {
    let caller: AuthenticatedClient

    /// Everything that is told, until whoever listens stops, or the session has ended.
    ///
    /// - Parameter after: the last event that is known already; nil begins with a snapshot.
    public func events(after: Int64? = nil) -> AsyncStream<LiveEvent> {
        let (events, event) = AsyncStream<LiveEvent>.makeStream(bufferingPolicy: .bufferingOldest(Self.bufferLimit))
        let listening = Task {
            await EventStreamFollower(caller: caller, send: { if case .dropped = event.yield($0) { false } else { true } }).run(
                after: after)
            event.finish()
        }
        event.onTermination = { _ in listening.cancel() }
        return events
    }

    /// Events that nobody has looked at yet. With more, the line is given up, and taken up again where the last one was told.
    static let bufferLimit = 1024

    /// Each device that changes, as it stands then; first all of them.
    public func devices() -> EventStreamValues<DeviceAnswer> {
        EventStreamValues(events()) { event in
            switch event {
            case .snapshot(let devices): devices
            case .device(let device, _): [device]
            default: []
            }
        }
    }

    /// Each command as it moves on.
    public func commands() -> EventStreamValues<CommandAnswer> {
        EventStreamValues(events()) { if case .command(let command) = $0 { [command] } else { [] } }
    }
}

/// What of the events somebody wants, as it is told.
public struct EventStreamValues<Value: Sendable>: AsyncSequence, Sendable {
    private let events: AsyncStream<LiveEvent>
    private let select: @Sendable (LiveEvent) -> [Value]

    init(_ events: AsyncStream<LiveEvent>, _ pick: @escaping @Sendable (LiveEvent) -> [Value]) {
        self.events = events
        self.select = pick
    }

    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator(), pick: select) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<LiveEvent>.Iterator
        fileprivate let select: @Sendable (LiveEvent) -> [Value]
        private var pending: ArraySlice<Value> = []

        fileprivate init(events: AsyncStream<LiveEvent>.Iterator, pick: @escaping @Sendable (LiveEvent) -> [Value]) {
            self.events = events
            self.select = pick
        }

        public mutating func next() async -> Value? {
            while pending.isEmpty {
                guard let event = await events.next() else { return nil }
                pending = select(event)[...]
            }
            return pending.popFirst()
        }
    }
}

extension ClientError {
    /// Whether listening on is no use: somebody must do something first.
    var endsEventStream: Bool {
        switch self {
        case .unauthorized, .insecureConnection, .invalidURL, .untrusted: true
        case .api(let error): error.status == 403 || error.status == 404
        default: false
        }
    }
}
