import CardeaAPI
import CardeaHub
import CardeaModel
import NIOCore
import NIOWebSocket
import Synchronization

/// The subscribers to the house's events, those that are still catching up, and the last row of the journal that was sent to all.
final class SubscriberRegistry: Sendable {
    /// Those who see and want the same.
    struct Audience: Hashable, Sendable {
        let visibility: Visibility
        let filter: RealtimeBroadcaster.Filter
        /// The second one from `init` on.
        var format = DeviceFormat.house
    }

    enum Sink: Sendable {
        case socket(WebSocketHandle)
        case stream(ServerSentEventBuffer)
        case values(AsyncStream<[JournalEvent]>.Continuation)
    }

    struct Subscriber: Sendable {
        let credential: Credential
        let isLocal: Bool
        let audience: Audience
        let sink: Sink
    }

    /// An audience's listeners, grouped by event loop.
    struct Recipients: Sendable {
        var sockets: [ObjectIdentifier: (loop: any EventLoop, sockets: [WebSocketHandle])] = [:]
        var streams: [ServerSentEventBuffer] = []
        var values: [AsyncStream<[JournalEvent]>.Continuation] = []
    }

    private struct State {
        var position: Int64?
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        /// Subscribers that are still catching up. Their rights are checked like those of the others.
        var pending: [Int: Subscriber] = [:]
        /// When the visibility of each was last checked.
        var checkedAt: [Int: ContinuousClock.Instant] = [:]
        /// The rooms of the devices when they were last sent.
        var roomTracker = RealtimeBroadcaster.RoomTracker()
        /// The recipients by audience; rebuilt after a subscriber came or left.
        var recipientsByAudience: [Audience: Recipients]?

        mutating func remove(_ id: Int) -> Subscriber? {
            checkedAt[id] = nil
            if let newcomer = pending.removeValue(forKey: id) { return newcomer }
            let member = subscribers.removeValue(forKey: id)
            recipientsByAudience = nil
            if subscribers.isEmpty {
                position = nil
                roomTracker = RealtimeBroadcaster.RoomTracker()
            }
            return member
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.subscribers.count } }

    /// The row of the journal up to which all events were sent; nil while there is no subscriber.
    var position: Int64? { state.withLock { $0.position } }

    var all: [Int: Subscriber] {
        state.withLock { state in state.subscribers.merging(state.pending) { member, _ in member } }
    }

    // MARK: Sending

    /// Advances from one row to another. Returns the recipients, and the events at which a device went to another room; both are empty if
    /// the position is no longer `position`.
    func advance(from position: Int64, through: Int64, by events: [JournalEvent]) -> (tables: [Audience: Recipients], moved: Set<Int64>) {
        state.withLock { state in
            guard state.position == position else { return ([:], []) }
            state.position = through
            let tables = state.recipientsByAudience ?? Self.recipients(of: state.subscribers.values)
            state.recipientsByAudience = tables
            return (tables, state.roomTracker.moved(by: events))
        }
    }

    private static func recipients(of members: some Sequence<Subscriber>) -> [Audience: Recipients] {
        var tables: [Audience: Recipients] = [:]
        for member in members {
            switch member.sink {
            case .socket(let socket):
                tables[member.audience, default: Recipients()].sockets[ObjectIdentifier(socket.eventLoop), default: (socket.eventLoop, [])]
                    .sockets.append(socket)
            case .stream(let stream): tables[member.audience, default: Recipients()].streams.append(stream)
            case .values(let values): tables[member.audience, default: Recipients()].values.append(values)
            }
        }
        return tables
    }

    // MARK: Adding and removing

    /// Adds a subscriber that still has to catch up.
    func addPending(_ newcomer: Subscriber) -> Int {
        state.withLock { state in
            state.next += 1
            state.pending[state.next] = newcomer
            state.checkedAt[state.next] = ContinuousClock.now
            return state.next
        }
    }

    func isPending(_ id: Int) -> Bool { state.withLock { $0.pending[id] != nil } }

    func isActive(_ id: Int) -> Bool { state.withLock { $0.subscribers[id] != nil } }

    /// Makes a newcomer a subscriber, who has everything up to `cursor`. False if others were sent more meanwhile, or the newcomer had to
    /// go.
    func activate(_ id: Int, at cursor: Int64) -> Bool {
        state.withLock { state in
            if let position = state.position, position != cursor { return false }
            guard let member = state.pending.removeValue(forKey: id) else { return false }
            state.position = cursor
            state.subscribers[id] = member
            state.recipientsByAudience = nil
            return true
        }
    }

    func remove(_ id: Int?) {
        guard let id else { return }
        _ = state.withLock { $0.remove(id) }
    }

    /// Ends a membership and says why.
    func disconnect(_ id: Int, _ reason: String, code: WebSocketErrorCode = .unknown(4401)) {
        guard let member = state.withLock({ $0.remove(id) }) else { return }
        switch member.sink {
        case .socket(let socket): socket.close(code, reason)
        case .stream(let stream): stream.close()
        case .values(let values): values.finish()
        }
    }

    // MARK: Times of the last permission checks

    func recordCheck(_ id: Int, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            // A subscriber that left meanwhile is not kept.
            if state.checkedAt[id] != nil { state.checkedAt[id] = moment }
        }
    }

    /// Returns whether the last check of this subscriber's rights is at least `time` ago.
    func isCheckOverdue(_ id: Int, for time: Duration) -> Bool {
        guard let last = state.withLock({ $0.checkedAt[id] }) else { return false }
        return last.duration(to: .now) >= time
    }
}
