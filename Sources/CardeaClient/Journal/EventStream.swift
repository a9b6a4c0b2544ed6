import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// The house's events as they happen. One connection is held and restored when it breaks; events missed meanwhile are sent first.
///
///     for await event in client.eventStream.events() {
///         if case .device(let device, _) = event { show(device) }
///     }
public struct EventStream: Sendable {
    let caller: AuthenticatedClient

    /// All events, until the caller stops reading or the session has ended.
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

    /// The number of unread events. With more, the connection is dropped, and restored after the last delivered event.
    static let bufferLimit = 1024

    /// Each device after a change; first all of them.
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

/// The values that `select` picks from the live events, in their order.
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
    /// True if reconnecting is useless until a person changes something.
    var endsEventStream: Bool {
        switch self {
        case .unauthorized, .insecureConnection, .invalidURL, .untrusted: true
        case .api(let error): error.status == 403 || error.status == 404
        default: false
        }
    }
}
