import CardeaAPI
import CardeaHub
import CardeaModel
import NIOCore
import NIOWebSocket
import Synchronization

/// Who listens to the house, who is still told what they missed, and up to which row of the journal all were told.
final class RealtimeMembers: Sendable {
    /// Those who see and want the same.
    struct Audience: Hashable, Sendable {
        let viewer: Viewer
        let filter: RealtimeRoom.Filter
        /// The second one from `init` on.
        var form = DeviceForm.house
    }

    enum Sink: Sendable {
        case socket(SocketHandle)
        case stream(StreamHandle)
        case values(AsyncStream<[JournalEvent]>.Continuation)
    }

    struct Member: Sendable {
        let credential: Credential
        let isLocal: Bool
        let audience: Audience
        let sink: Sink
    }

    /// An audience's listeners, grouped by event loop.
    struct Table: Sendable {
        var sockets: [ObjectIdentifier: (loop: any EventLoop, sockets: [SocketHandle])] = [:]
        var streams: [StreamHandle] = []
        var values: [AsyncStream<[JournalEvent]>.Continuation] = []
    }

    private struct State {
        var position: Int64?
        var next = 0
        var members: [Int: Member] = [:]
        /// Those who are still told what they missed. They are asked for their rights as the others are.
        var newcomers: [Int: Member] = [:]
        /// When it was last seen for each of them what they may see.
        var looked: [Int: ContinuousClock.Instant] = [:]
        /// Where the devices were when they were last told of.
        var places = RealtimeRoom.Places()
        /// Who is to be told what; made anew when somebody comes or goes.
        var tables: [Audience: Table]?

        mutating func remove(_ id: Int) -> Member? {
            looked[id] = nil
            if let newcomer = newcomers.removeValue(forKey: id) { return newcomer }
            let member = members.removeValue(forKey: id)
            tables = nil
            if members.isEmpty {
                position = nil
                places = RealtimeRoom.Places()
            }
            return member
        }
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.members.count } }

    /// The row of the journal up to which all were told; nil while nobody listens.
    var position: Int64? { state.withLock { $0.position } }

    var everybody: [Int: Member] {
        state.withLock { state in state.members.merging(state.newcomers) { member, _ in member } }
    }

    // MARK: Telling

    /// Moves on from one row to another: who is to be told, and at which of the events a device went to another room. Nobody is, where
    /// they were told another way up to another row.
    func advance(from position: Int64, through: Int64, by events: [JournalEvent]) -> (tables: [Audience: Table], moved: Set<Int64>) {
        state.withLock { state in
            guard state.position == position else { return ([:], []) }
            state.position = through
            let tables = state.tables ?? Self.tables(of: state.members.values)
            state.tables = tables
            return (tables, state.places.moved(by: events))
        }
    }

    private static func tables(of members: some Sequence<Member>) -> [Audience: Table] {
        var tables: [Audience: Table] = [:]
        for member in members {
            switch member.sink {
            case .socket(let socket):
                tables[member.audience, default: Table()].sockets[ObjectIdentifier(socket.loop), default: (socket.loop, [])]
                    .sockets.append(socket)
            case .stream(let stream): tables[member.audience, default: Table()].streams.append(stream)
            case .values(let values): tables[member.audience, default: Table()].values.append(values)
            }
        }
        return tables
    }

    // MARK: Coming and going

    /// Takes in somebody who is still to be told what they missed.
    func come(_ newcomer: Member) -> Int {
        state.withLock { state in
            state.next += 1
            state.newcomers[state.next] = newcomer
            state.looked[state.next] = ContinuousClock.now
            return state.next
        }
    }

    func isStillComing(_ id: Int) -> Bool { state.withLock { $0.newcomers[id] != nil } }

    func isStillHere(_ id: Int) -> Bool { state.withLock { $0.members[id] != nil } }

    /// Makes a newcomer a member, who has everything up to `cursor`. False when others were told more meanwhile, or they had to go.
    func join(_ id: Int, at cursor: Int64) -> Bool {
        state.withLock { state in
            if let position = state.position, position != cursor { return false }
            guard let member = state.newcomers.removeValue(forKey: id) else { return false }
            state.position = cursor
            state.members[id] = member
            state.tables = nil
            return true
        }
    }

    func leave(_ id: Int?) {
        guard let id else { return }
        _ = state.withLock { $0.remove(id) }
    }

    /// Ends a membership and says why.
    func end(_ id: Int, _ reason: String, code: WebSocketErrorCode = .unknown(4401)) {
        guard let member = state.withLock({ $0.remove(id) }) else { return }
        switch member.sink {
        case .socket(let socket): socket.close(code, reason)
        case .stream(let stream): stream.close()
        case .values(let values): values.finish()
        }
    }

    // MARK: When somebody's rights were looked at

    func looked(_ id: Int, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            // Whoever left meanwhile is not kept.
            if state.looked[id] != nil { state.looked[id] = moment }
        }
    }

    /// Whether nobody could look at their rights for this long.
    func isUnlooked(_ id: Int, for time: Duration) -> Bool {
        guard let last = state.withLock({ $0.looked[id] }) else { return false }
        return last.duration(to: .now) >= time
    }
}
