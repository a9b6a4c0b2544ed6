import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOWebSocket
import ServiceLifecycle
import Synchronization

/// Everybody who listens to the house. An event is encoded once for all who see the same of it.
final class RealtimeRoom: JournalFollower, Service {
    /// Those who see and want the same.
    private struct Audience: Hashable {
        let viewer: Viewer
        let filter: Filter
    }

    private enum Sink: Sendable {
        case socket(SocketHandle)
        case stream(AsyncStream<ByteBuffer>.Continuation)
        case values(AsyncStream<JournalEvent>.Continuation)
    }

    private struct Member: Sendable {
        let credential: Credential
        let isLocal: Bool
        let audience: Audience
        let sink: Sink
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
        var places = Places()
        /// Who is to be told what, grouped by event loop; made anew when somebody comes or goes.
        var tables: [Audience: Table]?

        mutating func remove(_ id: Int) -> Member? {
            looked[id] = nil
            if let newcomer = newcomers.removeValue(forKey: id) { return newcomer }
            let member = members.removeValue(forKey: id)
            tables = nil
            if members.isEmpty {
                position = nil
                places = Places()
            }
            return member
        }
    }

    private struct Table: Sendable {
        var sockets: [ObjectIdentifier: (loop: any EventLoop, sockets: [SocketHandle])] = [:]
        var streams: [AsyncStream<ByteBuffer>.Continuation] = []
        var values: [AsyncStream<JournalEvent>.Continuation] = []
    }

    private let hub: Hub
    private let wire: RealtimeWire
    private let logger: Logger
    private let state = Mutex(State())
    private let opened = AsyncStream<@Sendable () async -> Void>.makeStream()
    private let rightsChanged = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// How often it is asked whether those who listen still may. Revoking acts within a second.
    private static let recheck = Duration.milliseconds(250)
    /// For how long somebody is told on where their rights cannot be looked at: four rounds, the second within which revoking acts.
    private static let unlooked = Duration.seconds(1)
    /// Rounds of that between two signs of life on a stream: 15 seconds.
    private static let reassurance = 60

    init(hub: Hub, devices: DeviceWire, logger: Logger) {
        self.hub = hub
        wire = RealtimeWire(hub: hub, devices: devices)
        self.logger = logger
    }

    /// How many listen.
    var count: Int { state.withLock { $0.members.count } }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.guardRights() }
            group.addTask { await self.keepTime() }
            for await conversation in opened.stream.cancelOnGracefulShutdown() {
                group.addTask { await conversation() }
            }
            group.cancelAll()
        }
    }

    // MARK: Telling

    var position: Int64? { state.withLock { $0.position } }

    func publish(_ events: [JournalEvent], after position: Int64, through: Int64) {
        let (tables, moved) = state.withLock { state -> ([Audience: Table], Set<Int64>) in
            guard state.position == position else { return ([:], []) }
            state.position = through
            let tables = state.tables ?? Self.tables(of: state.members.values)
            state.tables = tables
            return (tables, state.places.moved(by: events))
        }
        var whole: [Int64: RealtimeFrame] = [:]
        for (audience, table) in tables {
            let frames = frames(events, moved: moved, for: audience, &whole)
            guard !frames.isEmpty else { continue }
            let bytes = table.sockets.isEmpty ? [] : frames.map(\.socket)
            for (loop, sockets) in table.sockets.values {
                loop.execute { for socket in sockets { socket.sendOnLoop(bytes) } }
            }
            for values in table.values {
                for event in events where audience.filter.fits(event) {
                    if let seen = audience.viewer.view(event), case .dropped = values.yield(seen) { values.finish() }
                }
            }
            let lines = table.streams.isEmpty ? [] : frames.map(\.stream)
            for stream in table.streams {
                for line in lines {
                    // Too slow: the stream ends, and its reader comes back with its cursor.
                    if case .dropped = stream.yield(line) { stream.finish() }
                }
            }
        }
        letGoReplacedPhones(events)
        // Most changes of rights are told in the journal; only what is not waits for the next round.
        if events.contains(where: { $0.name == .guestUpdate || $0.name == .personUpdate }) { rightsChanged.continuation.yield() }
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

    /// What was read at once is told at once: a commit's rows come together.
    private func frames(
        _ events: [JournalEvent], moved: Set<Int64>, for audience: Audience, _ whole: inout [Int64: RealtimeFrame]
    ) -> [RealtimeFrame] {
        let told = events.compactMap { event -> (event: JournalEvent, frame: RealtimeFrame)? in
            if audience.filter.fits(event) { return frame(event, for: audience, &whole).map { (event: event, frame: $0) } }
            // It went where they do not look: for them it is gone.
            guard moved.contains(event.seq), let gone = audience.filter.leaving(event) else { return nil }
            return frame(gone, for: audience, &whole).map { (event: gone, frame: $0) }
        }
        return audience.filter.wantsBatches ? RealtimeWire.batched(told) : told.map(\.frame)
    }

    /// The event as this audience sees it; nil when it does not. What residents see is the same for all of them.
    private func frame(_ event: JournalEvent, for audience: Audience, _ whole: inout [Int64: RealtimeFrame]) -> RealtimeFrame? {
        guard let seen = audience.viewer.view(event) else { return nil }
        do {
            guard audience.viewer.seesWholeDevices else { return try wire.frame(seen, isWhole: false) }
            // A device that is gone for some is not for the others, and its number is the same.
            if let frame = whole[event.seq], frame.name == event.name.rawValue { return frame }
            let frame = try wire.frame(seen, isWhole: true)
            whole[event.seq] = frame
            return frame
        } catch {
            logger.error("an event could not be encoded", metadata: ["kind": "\(event.name.rawValue)", "error": "\(type(of: error))"])
            return nil
        }
    }

    /// A pass that another phone has taken is no longer shown on the first one.
    private func letGoReplacedPhones(_ events: [JournalEvent]) {
        for event in events {
            guard case .guest(let id, let data) = event.fact, data["paired"] == true else { continue }
            for (number, member) in everybody() where member.credential.principal == .guest(id: id) { end(number, "token_replaced") }
        }
    }

    // MARK: Coming and going

    private func everybody() -> [Int: Member] {
        state.withLock { state in state.members.merging(state.newcomers) { member, _ in member } }
    }

    /// Takes in somebody who is still to be told what they missed.
    private func come(_ newcomer: Member) -> Int {
        state.withLock { state in
            state.next += 1
            state.newcomers[state.next] = newcomer
            state.looked[state.next] = ContinuousClock.now
            return state.next
        }
    }

    private func isStillComing(_ id: Int) -> Bool { state.withLock { $0.newcomers[id] != nil } }

    private func isStillHere(_ id: Int) -> Bool { state.withLock { $0.members[id] != nil } }

    /// Makes a newcomer a member, who has everything up to `cursor`. False when others were told more meanwhile, or they had to go.
    private func join(_ id: Int, at cursor: Int64) -> Bool {
        let joined = state.withLock { state in
            if let position = state.position, position != cursor { return false }
            guard let member = state.newcomers.removeValue(forKey: id) else { return false }
            state.position = cursor
            state.members[id] = member
            state.tables = nil
            return true
        }
        if joined { hub.journal.wake() }
        return joined
    }

    private func leave(_ id: Int?) {
        guard let id else { return }
        _ = state.withLock { $0.remove(id) }
    }

    /// Ends a membership and says why.
    private func end(_ id: Int, _ reason: String, code: WebSocketErrorCode = .unknown(4401)) {
        guard let member = state.withLock({ $0.remove(id) }) else { return }
        switch member.sink {
        case .socket(let socket): socket.close(code, reason)
        case .stream(let stream): stream.finish()
        case .values(let values): values.finish()
        }
    }

    private func guardRights() async {
        for await _ in rightsChanged.stream { await recheck() }
    }

    private func keepTime() async {
        var round = 0
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.recheck) } catch { return }
            rightsChanged.continuation.yield()
            round += 1
            if round.isMultiple(of: Self.reassurance) { reassureStreams() }
        }
    }

    /// Asks for each who listens whether they still may, and what they may see now.
    private func recheck() async {
        let members = everybody()
        struct Onlooker: Hashable {
            let credential: Credential
            let isLocal: Bool
        }
        var looks: [Onlooker: Look] = [:]
        for (id, member) in members {
            let key = Onlooker(credential: member.credential, isLocal: member.isLocal)
            let look: Look
            if let known = looks[key] {
                look = known
            } else {
                look = await self.look(for: member.credential, isLocal: member.isLocal)
                looks[key] = look
            }
            switch look {
            case .saw(let viewer, let moment):
                if viewer == member.audience.viewer {
                    looked(id, at: moment)
                } else {
                    end(id, viewer == nil ? "not allowed any longer" : "your rights have changed")
                }
            case .failed:
                // Nobody is told on in the dark: they may no longer be allowed to hear it.
                if isUnlooked(id) { end(id, "your rights could not be looked at; come back with your cursor", code: .unknown(1013)) }
            }
        }
    }

    private enum Look {
        /// What somebody may see, nothing where they may not look, and when that was asked.
        case saw(Viewer?, ContinuousClock.Instant)
        case failed
    }

    private func look(for credential: Credential, isLocal: Bool) async -> Look {
        let moment = ContinuousClock.now
        do {
            return .saw(try await viewer(of: credential, isLocal: isLocal), moment)
        } catch {
            logger.error("rights could not be checked", metadata: ["error": "\(type(of: error))"])
            return .failed
        }
    }

    private func looked(_ id: Int, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            // Whoever left meanwhile is not kept.
            if state.looked[id] != nil { state.looked[id] = moment }
        }
    }

    private func isUnlooked(_ id: Int) -> Bool {
        guard let last = state.withLock({ $0.looked[id] }) else { return false }
        return last.duration(to: .now) >= Self.unlooked
    }

    /// What somebody may see now, by the token they showed when they came.
    private func viewer(of credential: Credential, isLocal: Bool) async throws -> Viewer? {
        try await hub.viewing.viewer(of: credential.principal, by: credential.token, isLocal: isLocal)
    }

    // MARK: A WebSocket's conversation

    func open(_ socket: SocketHandle, credential: Credential?, origin: Origin) {
        host { await self.converse(socket, credential, from: origin) }
    }

    /// Lets a conversation live as long as the room does.
    func host(_ conversation: @escaping @Sendable () async -> Void) { opened.continuation.yield(conversation) }

    private func converse(_ socket: SocketHandle, _ known: Credential?, from origin: Origin) async {
        var credential = known
        var membership: Int?
        for await text in socket.messages {
            do {
                let message = try Wire.readBody(RealtimeMessage.self, from: Data(text.utf8))
                switch message.type {
                case "ping": try await socket.send([RealtimeWire.pong.socket])
                case "subscribe":
                    // What cannot be understood changes nothing: the socket stays, and goes on hearing what it did.
                    let filter = try Self.filter(kinds: message.kinds, devices: message.devices, rooms: message.rooms)
                    leave(membership)
                    membership = nil
                    if let ticket = message.ticket { credential = hub.tickets.redeem(Secret(ticket)) }
                    guard let credential else {
                        socket.close(.unknown(4401), "no ticket, or not a good one")
                        break
                    }
                    membership = try await subscribe(socket, filter, after: message.after, credential, from: origin)
                default: try await socket.send([RealtimeWire.error("unknown_message", "Say subscribe or ping.").socket])
                }
            } catch is Wire.Problem {
                try? await socket.send([RealtimeWire.error("validation_error", "That message is not one of docs/protocol.md.").socket])
            } catch let problem as FilterProblem {
                try? await socket.send([RealtimeWire.error("validation_error", problem.message).socket])
            } catch {
                socket.close(.unexpectedServerError, "the hub could not answer")
            }
        }
        leave(membership)
    }

    private func subscribe(
        _ socket: SocketHandle, _ filter: Filter, after: Int64?, _ credential: Credential, from origin: Origin
    ) async throws -> Int? {
        let isLocal = origin.isLocal
        let viewer: Viewer
        do {
            viewer = try await hub.looks.look(at: "realtime", by: credential.principal, origin: origin) {
                try await hub.viewing.mustLook(credential.principal, by: credential.token, isLocal: isLocal)
            }
        } catch is People.Problem {
            socket.close(.unknown(4401), "not allowed, or not any longer")
            return nil
        }
        socket.subscribed()
        let member = Member(
            credential: credential, isLocal: isLocal, audience: Audience(viewer: viewer, filter: filter), sink: .socket(socket))
        try await socket.send([RealtimeWire.subscribed(try await hub.journal.last()).socket])
        return try await catchUp(member, after: after) { try await socket.send($1.map(\.socket)) }
    }

    /// Tells a newcomer what they missed, then lets them in at the very row up to which they were told. Nil where their right to listen
    /// ended on the way.
    private func catchUp(
        _ member: Member, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Int? {
        let id = come(member)
        do {
            if try await tellWhatWasMissed(id, member, after: after, send) { return id }
        } catch {
            leave(id)
            throw error
        }
        leave(id)
        return nil
    }

    private func tellWhatWasMissed(
        _ id: Int, _ member: Member, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Bool {
        var cursor: Int64
        if let after, try await isKept(after) {
            cursor = after
        } else {
            let (devices, seq) = try await hub.journal.snapshot()
            let visible = devices.compactMap(member.audience.viewer.view).filter(member.audience.filter.fits)
            var frames = [try wire.snapshot(visible, seq: seq, isWhole: member.audience.viewer.seesWholeDevices)]
            if let after { frames.insert(RealtimeWire.gap(from: after, to: seq), at: 0) }
            try await send(id, frames)
            cursor = seq
        }
        var places = Places()
        // For each page anew: a slow reader may be told for minutes.
        while !Task.isCancelled, isStillComing(id) {
            let (events, through) = try await hub.journal.events(after: cursor, limit: 256)
            if through == cursor {
                if join(id, at: cursor) { return true }
                continue
            }
            var whole: [Int64: RealtimeFrame] = [:]
            let frames = frames(events, moved: places.moved(by: events), for: member.audience, &whole)
            if !frames.isEmpty { try await send(id, frames) }
            cursor = through
        }
        return false
    }

    /// What happens from now on, for whoever tells of it in other words than docs/protocol.md. Nil for somebody who may not look; ends
    /// with their right to, and where it is read too slowly.
    func events(for principal: Principal, isLocal: Bool) async throws -> AsyncStream<JournalEvent>? {
        guard let viewer = try await hub.viewing.viewer(of: principal, isLocal: isLocal) else { return nil }
        let events = AsyncStream<JournalEvent>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let member = Member(
            credential: Credential(principal, by: nil), isLocal: isLocal, audience: Audience(viewer: viewer, filter: Filter()),
            sink: .values(events.continuation))
        let id = come(member)
        do {
            while !Task.isCancelled, isStillComing(id) {
                guard join(id, at: try await hub.journal.last()) else { continue }
                events.continuation.onTermination = { [weak self] _ in self?.leave(id) }
                return events.stream
            }
        } catch {
            leave(id)
            throw error
        }
        leave(id)
        return nil
    }

    private func isKept(_ after: Int64) async throws -> Bool {
        do {
            _ = try await hub.journal.events(after: after, limit: 1)
            return true
        } catch is JournalTail.Problem {
            return false
        }
    }

    // MARK: Server-sent events

    /// Writes events until the reader goes, the right ends or the reader is too slow.
    func stream(
        to credential: Credential, isLocal: Bool, after: Int64?, filter: Filter, into writer: inout any ResponseBodyWriter
    ) async throws {
        guard let viewer = try await viewer(of: credential, isLocal: isLocal) else { return }
        let events = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let member = Member(
            credential: credential, isLocal: isLocal, audience: Audience(viewer: viewer, filter: filter), sink: .stream(events.continuation)
        )
        let id = try await catchUp(member, after: after) { id, frames in
            // One by one, since each may wait long for its reader.
            for frame in frames where isStillComing(id) { try await writer.write(frame.stream) }
        }
        guard let id else { return }
        defer { leave(id) }
        for await bytes in events.stream.cancelOnGracefulShutdown() {
            // What still lies here for a slow reader is not told to somebody whose right has ended.
            guard isStillHere(id) else { return }
            try await writer.write(bytes)
        }
    }

    /// A comment now and then: that a reader is gone is noticed by writing to it.
    private func reassureStreams() {
        let comment = ByteBuffer(string: ": still here\n\n")
        for case .stream(let stream) in everybody().values.map(\.sink) { stream.yield(comment) }
    }
}
