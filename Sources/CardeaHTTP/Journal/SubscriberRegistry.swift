import CardeaAPI
import CardeaHub
import CardeaModel
import NIOCore
import NIOWebSocket
import Synchronization

/// Who listens to the house, who is still told what they missed, and up to which row of the journal all were told.
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
        case stream(ServerSentEventStream)
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
        var streams: [ServerSentEventStream] = []
        var values: [AsyncStream<[JournalEvent]>.Continuation] = []
    }

    private struct State {
        var position: Int64?
        var next = 0
        var subscribers: [Int: Subscriber] = [:]
        /// Those who are still told what they missed. They are asked for their rights as the others are.
        var pending: [Int: Subscriber] = [:]
        /// When it was last seen for each of them what they may see.
        var checkedAt: [Int: ContinuousClock.Instant] = [:]
        /// Where the devices were when they were last told of.
        var roomTracker = RealtimeBroadcaster.RoomTracker()
        /// Who is to be told what; made anew when somebody comes or goes.
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

    /// The row of the journal up to which all were told; nil while nobody listens.
    var position: Int64? { state.withLock { $0.position } }

    var all: [Int: Subscriber] {
        state.withLock { state in state.subscribers.merging(state.pending) { member, _ in member } }
    }

    // MARK: Telling

    /// Moves on from one row to another: who is to be told, and at which of the events a device went to another room. Nobody is, where
    /// they were told another way up to another row.
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

    // MARK: Coming and going

    /// Takes in somebody who is still to be told what they missed.
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

    /// Makes a newcomer a member, who has everything up to `cursor`. False when others were told more meanwhile, or they had to go.
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

    // MARK: When somebody's rights were looked at

    func recordCheck(_ id: Int, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            // Whoever left meanwhile is not kept.
            if state.checkedAt[id] != nil { state.checkedAt[id] = moment }
        }
    }

    /// Whether nobody could look at their rights for this long.
    func isCheckOverdue(_ id: Int, for time: Duration) -> Bool {
        guard let last = state.withLock({ $0.checkedAt[id] }) else { return false }
        return last.duration(to: .now) >= time
    }
}
