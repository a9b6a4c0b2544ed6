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
        /// Who is to be told what, grouped by event loop; made anew when somebody comes or goes.
        var tables: [Audience: Table]?

        mutating func remove(_ id: Int) -> Member? {
            let member = members.removeValue(forKey: id)
            tables = nil
            if members.isEmpty { position = nil }
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
        let tables = state.withLock { state -> [Audience: Table] in
            guard state.position == position else { return [:] }
            state.position = through
            let tables = state.tables ?? Self.tables(of: state.members.values)
            state.tables = tables
            return tables
        }
        var whole: [Int64: RealtimeFrame] = [:]
        for (audience, table) in tables {
            let frames = frames(events, for: audience, &whole)
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
        _ events: [JournalEvent], for audience: Audience, _ whole: inout [Int64: RealtimeFrame]
    ) -> [RealtimeFrame] {
        let told = events.compactMap { event in frame(event, for: audience, &whole).map { (event: event, frame: $0) } }
        return audience.filter.wantsBatches ? RealtimeWire.batched(told) : told.map(\.frame)
    }

    /// The event as this audience sees it; nil when it does not. What residents see is the same for all of them.
    private func frame(_ event: JournalEvent, for audience: Audience, _ whole: inout [Int64: RealtimeFrame]) -> RealtimeFrame? {
        guard audience.filter.fits(event), let seen = audience.viewer.view(event) else { return nil }
        do {
            guard audience.viewer.seesWholeDevices else { return try wire.frame(seen, isWhole: false) }
            if let frame = whole[event.seq] { return frame }
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

    private func everybody() -> [Int: Member] { state.withLock { $0.members } }

    /// Adds a member who has everything up to `cursor`. False when others were told more meanwhile.
    private func join(_ member: Member, at cursor: Int64) -> Int? {
        let id = state.withLock { state -> Int? in
            if let position = state.position, position != cursor { return nil }
            state.position = cursor
            state.next += 1
            state.members[state.next] = member
            state.tables = nil
            return state.next
        }
        if id != nil { hub.journal.wake() }
        return id
    }

    private func leave(_ id: Int?) {
        guard let id else { return }
        _ = state.withLock { $0.remove(id) }
    }

    /// Ends a membership and says why.
    private func end(_ id: Int, _ reason: String) {
        guard let member = state.withLock({ $0.remove(id) }) else { return }
        switch member.sink {
        case .socket(let socket): socket.close(.unknown(4401), reason)
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
        var viewers: [Onlooker: Viewer?] = [:]
        for (id, member) in members {
            let key = Onlooker(credential: member.credential, isLocal: member.isLocal)
            do {
                let viewer: Viewer?
                if let known = viewers[key] {
                    viewer = known
                } else {
                    viewer = try await self.viewer(of: member.credential, isLocal: member.isLocal)
                    viewers[key] = .some(viewer)
                }
                if viewer != member.audience.viewer { end(id, viewer == nil ? "not allowed any longer" : "your rights have changed") }
            } catch {
                logger.error("rights could not be checked", metadata: ["error": "\(type(of: error))"])
            }
        }
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
                    leave(membership)
                    if let ticket = message.ticket { credential = hub.tickets.redeem(Secret(ticket)) }
                    guard let credential else {
                        socket.close(.unknown(4401), "no ticket, or not a good one")
                        break
                    }
                    membership = try await subscribe(socket, message, credential, from: origin)
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
        _ socket: SocketHandle, _ message: RealtimeMessage, _ credential: Credential, from origin: Origin
    ) async throws -> Int? {
        let filter = try Self.filter(kinds: message.kinds, devices: message.devices, rooms: message.rooms)
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
        return try await catchUp(member, after: message.after) { try await socket.send($0.map(\.socket)) }
    }

    /// Tells a newcomer what they missed, then lets them in at the very row up to which they were told.
    private func catchUp(
        _ member: Member, after: Int64?, _ send: ([RealtimeFrame]) async throws -> Void
    ) async throws -> Int? {
        var cursor: Int64
        if let after, try await isKept(after) {
            cursor = after
        } else {
            let (devices, seq) = try await hub.journal.snapshot()
            let visible = devices.compactMap(member.audience.viewer.view).filter(member.audience.filter.fits)
            var frames = [try wire.snapshot(visible, seq: seq, isWhole: member.audience.viewer.seesWholeDevices)]
            if let after { frames.insert(RealtimeWire.gap(from: after, to: seq), at: 0) }
            try await send(frames)
            cursor = seq
        }
        while !Task.isCancelled {
            let (events, through) = try await hub.journal.events(after: cursor, limit: 256)
            if through == cursor {
                if let id = join(member, at: cursor) { return id }
                continue
            }
            var whole: [Int64: RealtimeFrame] = [:]
            let frames = frames(events, for: member.audience, &whole)
            if !frames.isEmpty { try await send(frames) }
            cursor = through
        }
        return nil
    }

    /// What happens from now on, for whoever tells of it in other words than docs/protocol.md. Nil for somebody who may not look; ends
    /// with their right to, and where it is read too slowly.
    func events(for principal: Principal, isLocal: Bool) async throws -> AsyncStream<JournalEvent>? {
        guard let viewer = try await hub.viewing.viewer(of: principal, isLocal: isLocal) else { return nil }
        let events = AsyncStream<JournalEvent>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let member = Member(
            credential: Credential(principal, by: nil), isLocal: isLocal, audience: Audience(viewer: viewer, filter: Filter()),
            sink: .values(events.continuation))
        while !Task.isCancelled {
            guard let id = join(member, at: try await hub.journal.last()) else { continue }
            events.continuation.onTermination = { [weak self] _ in self?.leave(id) }
            return events.stream
        }
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
        let id = try await catchUp(member, after: after) { frames in for frame in frames { try await writer.write(frame.stream) } }
        defer { leave(id) }
        for await bytes in events.stream.cancelOnGracefulShutdown() { try await writer.write(bytes) }
    }

    /// A comment now and then: that a reader is gone is noticed by writing to it.
    private func reassureStreams() {
        let comment = ByteBuffer(string: ": still here\n\n")
        for case .stream(let stream) in everybody().values.map(\.sink) { stream.yield(comment) }
    }
}
