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

/// Everybody who listens to the house. An event is encoded once for all who see the same of it.
final class RealtimeRoom: JournalFollower, Service {
    private let hub: Hub
    private let wire: RealtimeWire
    /// The words of those who said `init`.
    private let source: DemoWire
    /// How the house is, as far as somebody may know.
    private let standing: @Sendable (Principal) async throws -> ConsciousnessAnswer
    private let logger: Logger
    private let members: RealtimeMembers
    private let rights: RealtimeRights
    private let opened = AsyncStream<@Sendable () async -> Void>.makeStream()
    /// Events that say that the house is otherwise than before, each for one newcomer or for everybody: those who said `init` are told how.
    private let changes = AsyncStream<(event: JournalEvent, newcomer: Int?)>.makeStream(bufferingPolicy: .bufferingNewest(64))

    /// Seconds between two signs of life on a stream.
    private static let reassurance = Duration.seconds(15)

    init(
        hub: Hub, devices: DeviceWire, standing: @escaping @Sendable (Principal) async throws -> ConsciousnessAnswer, logger: Logger
    ) {
        self.hub = hub
        wire = RealtimeWire(hub: hub, devices: devices)
        source = DemoWire(hub: hub)
        self.standing = standing
        self.logger = logger
        members = RealtimeMembers()
        rights = RealtimeRights(of: members, viewing: hub.viewing, logger: logger)
    }

    /// How many listen.
    var count: Int { members.count }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.rights.run() }
            group.addTask { await self.reassureStreams() }
            group.addTask { await self.tellStandings() }
            for await conversation in opened.stream.cancelOnGracefulShutdown() {
                group.addTask { await conversation() }
            }
            group.cancelAll()
        }
    }

    // MARK: Telling

    var position: Int64? { members.position }

    func publish(_ events: [JournalEvent], after position: Int64, through: Int64) {
        let (tables, moved) = members.advance(from: position, through: through, by: events)
        var whole: [DeviceForm: [Int64: RealtimeFrame]] = [:]
        for (audience, table) in tables {
            let frames = frames(events, moved: moved, for: audience, &whole)
            guard !frames.isEmpty else { continue }
            let bytes = table.sockets.isEmpty ? [] : frames.map(\.socket)
            for (loop, sockets) in table.sockets.values {
                loop.execute { for socket in sockets { socket.sendOnLoop(bytes) } }
            }
            if !table.values.isEmpty {
                let seen = events.filter { audience.filter.fits($0) }.compactMap { audience.viewer.view($0) }
                for values in table.values where !seen.isEmpty {
                    if case .dropped = values.yield(seen) { values.finish() }
                }
            }
            if table.streams.isEmpty { continue }
            var lines = ByteBuffer()
            for frame in frames { lines.writeImmutableBuffer(frame.stream) }
            for stream in table.streams { stream.send(lines) }
        }
        if tables.keys.contains(where: { $0.form == .source }) {
            for event in events where source.isOfStanding(event) { changes.continuation.yield((event, nil)) }
        }
        letGoReplacedPhones(events)
        // Most changes of rights are told in the journal; only what is not waits for the next round.
        if events.contains(where: { $0.name == .guestUpdate || $0.name == .personUpdate }) { rights.look() }
    }

    /// What was read at once is told at once: a commit's rows come together.
    private func frames(
        _ events: [JournalEvent], moved: Set<Int64>, for audience: RealtimeMembers.Audience,
        _ whole: inout [DeviceForm: [Int64: RealtimeFrame]]
    ) -> [RealtimeFrame] {
        let told = events.compactMap { event -> (event: JournalEvent, frame: RealtimeFrame)? in
            if audience.filter.fits(event) { return frame(event, for: audience, &whole).map { (event: event, frame: $0) } }
            // It went where they do not look: for them it is gone.
            guard moved.contains(event.seq), let gone = audience.filter.leaving(event) else { return nil }
            return frame(gone, for: audience, &whole).map { (event: gone, frame: $0) }
        }
        return audience.filter.wantsBatches ? RealtimeWire.batched(told, as: audience.form) : told.map(\.frame)
    }

    /// The event as this audience sees it; nil when it does not. What residents see is the same for all of them.
    private func frame(
        _ event: JournalEvent, for audience: RealtimeMembers.Audience, _ whole: inout [DeviceForm: [Int64: RealtimeFrame]]
    ) -> RealtimeFrame? {
        guard let seen = audience.viewer.view(event) else { return nil }
        do {
            guard audience.viewer.seesWholeDevices else { return try encoded(seen, isWhole: false, as: audience.form) }
            // A device that is gone for some is not for the others, and its number is the same.
            if let frame = whole[audience.form]?[event.seq], frame.name == event.name.rawValue { return frame }
            let frame = try encoded(seen, isWhole: true, as: audience.form)
            whole[audience.form, default: [:]][event.seq] = frame
            return frame
        } catch {
            logger.error("an event could not be encoded", metadata: ["kind": "\(event.name.rawValue)", "error": "\(type(of: error))"])
            return nil
        }
    }

    private func encoded(_ event: JournalEvent, isWhole: Bool, as form: DeviceForm) throws -> RealtimeFrame? {
        switch form {
        case .house: try wire.frame(event, isWhole: isWhole)
        case .source: try source.told(event)
        }
    }

    /// Tells those who said `init` how the house is, as often as it is otherwise. Each person's answer is their own.
    private func tellStandings() async {
        for await (event, newcomer) in changes.stream {
            var told: [Principal: ByteBuffer] = [:]
            for (id, member) in members.everybody where newcomer == nil || newcomer == id {
                let (audience, principal) = (member.audience, member.credential.principal)
                guard case .socket(let socket) = member.sink, audience.form == .source, audience.filter.fits(event),
                    audience.viewer.view(event) != nil
                else { continue }
                do {
                    if told[principal] == nil { told[principal] = try source.told(try await standing(principal), at: event)?.socket }
                } catch {
                    logger.error("how the house is could not be told", metadata: ["error": "\(type(of: error))"])
                }
                // Their right to listen may have ended meanwhile.
                guard let frame = told[principal], members.isStillHere(id) || members.isStillComing(id) else { continue }
                socket.loop.execute { socket.sendOnLoop([frame]) }
            }
        }
    }

    /// A pass that another phone has taken is no longer shown on the first one.
    private func letGoReplacedPhones(_ events: [JournalEvent]) {
        for event in events {
            guard case .guest(let id, let data) = event.fact, data["paired"] == true else { continue }
            for (number, member) in members.everybody where member.credential.principal == .guest(id: id) {
                members.end(number, "token_replaced")
            }
        }
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
        var form = DeviceForm.house
        for await text in socket.messages {
            do {
                let message = try Wire.readBody(RealtimeMessage.self, from: Data(text.utf8))
                switch message.type {
                case "ping": try await socket.send([pong(form)])
                case "subscribe", "init":
                    // What cannot be understood changes nothing: the socket stays, and goes on hearing what it did.
                    let wish = try Self.wish(message)
                    members.leave(membership)
                    membership = nil
                    if let ticket = message.ticket { credential = hub.tickets.redeem(Secret(ticket)) }
                    guard let credential else {
                        socket.close(.unknown(4401), "no ticket, or not a good one")
                        break
                    }
                    form = wish.form
                    membership = try await subscribe(socket, wish, after: message.after, credential, from: origin)
                default: try await socket.send([problem("unknown_message", "Say subscribe, init or ping.", form)])
                }
            } catch is Wire.Problem {
                try? await socket.send([problem("validation_error", "That message is not one of docs/protocol.md.", form)])
            } catch let error as FilterProblem {
                try? await socket.send([problem("validation_error", error.message, form)])
            } catch {
                socket.close(.unexpectedServerError, "the hub could not answer")
            }
        }
        members.leave(membership)
    }

    private func pong(_ form: DeviceForm) throws -> ByteBuffer {
        switch form {
        case .house: RealtimeWire.pong.socket
        case .source: try source.told(source.answer("pong", .nothing)).socket
        }
    }

    private func problem(_ code: String, _ message: String, _ form: DeviceForm) throws -> ByteBuffer {
        switch form {
        case .house: RealtimeWire.error(code, message).socket
        case .source: try source.told(source.answer("error", .problem(message))).socket
        }
    }

    /// The events that a client asks for, and the form of them.
    private struct Wish {
        let form: DeviceForm
        let filter: Filter
        /// Those that `init` named.
        var subjects: [DemoWire.Subject] = []
    }

    private static func wish(_ message: RealtimeMessage) throws -> Wish {
        guard message.type == "init" else {
            return Wish(form: .house, filter: try filter(kinds: message.kinds, devices: message.devices, rooms: message.rooms))
        }
        let subjects = DemoWire.Subject.named(message.data?.subscriptions)
        let kinds = subjects.reduce(into: Set<JournalEvent.Name>()) { $0.formUnion($1.kinds) }
        return Wish(form: .source, filter: Filter(kinds: kinds), subjects: subjects)
    }

    private func subscribe(
        _ socket: SocketHandle, _ wish: Wish, after: Int64?, _ credential: Credential, from origin: Origin
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
        let member = RealtimeMembers.Member(
            credential: credential, isLocal: isLocal, audience: .init(viewer: viewer, filter: wish.filter, form: wish.form),
            sink: .socket(socket))
        var after = after
        switch wish.form {
        case .house: try await socket.send([RealtimeWire.subscribed(try await hub.journal.last(seenBy: viewer)).socket])
        case .source:
            // Taken before the answer is sent, so that nothing after it is missed.
            after = try await hub.journal.last()
            try await socket.send([try source.told(source.greeting(wish.subjects)).socket])
        }
        return try await catchUp(member, after: after) { try await socket.send($1.map(\.socket)) }
    }

    /// Tells a newcomer what they missed, then lets them in at the very row up to which they were told. Nil where their right to listen
    /// ended on the way.
    private func catchUp(
        _ member: RealtimeMembers.Member, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Int? {
        let id = members.come(member)
        do {
            if try await tellWhatWasMissed(id, member, after: after, send) { return id }
        } catch {
            members.leave(id)
            throw error
        }
        members.leave(id)
        return nil
    }

    private func tellWhatWasMissed(
        _ id: Int, _ member: RealtimeMembers.Member, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Bool {
        var cursor: Int64
        if let after, try await isKept(after) {
            cursor = after
        } else {
            let viewer = member.audience.viewer
            // Whoever sees a part is told the latest number that they see: the snapshot may be newer, and what is told twice changes nothing.
            let seen = viewer.seesWholeDevices ? nil : try await hub.journal.last(seenBy: viewer)
            let (devices, seq) = try await hub.journal.snapshot()
            let number = seen ?? seq
            let visible = devices.compactMap(viewer.view).filter(member.audience.filter.fits)
            if member.audience.form == .house {
                var frames = [try wire.snapshot(visible, seq: number, isWhole: viewer.seesWholeDevices)]
                if let after { frames.insert(RealtimeWire.gap(from: after, to: number), at: 0) }
                try await send(id, frames)
            }
            cursor = seq
        }
        var places = Places()
        // For each page anew: a slow reader may be told for minutes.
        while !Task.isCancelled, members.isStillComing(id) {
            let (events, through) = try await hub.journal.events(after: cursor, limit: 256)
            if through == cursor {
                if join(id, at: cursor) { return true }
                continue
            }
            var whole: [DeviceForm: [Int64: RealtimeFrame]] = [:]
            let frames = frames(events, moved: places.moved(by: events), for: member.audience, &whole)
            if !frames.isEmpty { try await send(id, frames) }
            if member.audience.form == .source {
                for event in events where source.isOfStanding(event) { changes.continuation.yield((event, id)) }
            }
            cursor = through
        }
        return false
    }

    /// What happens from now on, for whoever tells of it in other words than docs/protocol.md; what was read at once comes at once. Nil for
    /// somebody who may not look; ends with their right to, and where it is read too slowly.
    func events(for principal: Principal, isLocal: Bool) async throws -> AsyncStream<[JournalEvent]>? {
        guard let viewer = try await hub.viewing.viewer(of: principal, isLocal: isLocal) else { return nil }
        let events = AsyncStream<[JournalEvent]>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let member = RealtimeMembers.Member(
            credential: Credential(principal, by: nil), isLocal: isLocal, audience: .init(viewer: viewer, filter: Filter()),
            sink: .values(events.continuation))
        let id = members.come(member)
        do {
            while !Task.isCancelled, members.isStillComing(id) {
                guard join(id, at: try await hub.journal.last()) else { continue }
                events.continuation.onTermination = { [members] _ in members.leave(id) }
                return events.stream
            }
        } catch {
            members.leave(id)
            throw error
        }
        members.leave(id)
        return nil
    }

    /// Lets a newcomer in, and has the journal looked at: something may have come meanwhile.
    private func join(_ id: Int, at cursor: Int64) -> Bool {
        let joined = members.join(id, at: cursor)
        if joined { hub.journal.wake() }
        return joined
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

    /// Writes events until the reader goes, the right ends or the reader is too slow, and hangs up.
    func stream(
        to credential: Credential, isLocal: Bool, after: Int64?, filter: Filter, on channel: any Channel,
        into writer: inout any ResponseBodyWriter
    ) async throws {
        let stream = StreamHandle(channel: channel)
        defer { stream.close() }
        guard let viewer = try await hub.viewing.viewer(of: credential.principal, by: credential.token, isLocal: isLocal) else { return }
        try await stream.limitBuffers()
        let member = RealtimeMembers.Member(
            credential: credential, isLocal: isLocal, audience: .init(viewer: viewer, filter: filter), sink: .stream(stream))
        let id = try await catchUp(member, after: after) { id, frames in
            // One by one, since each may wait long for its reader.
            for frame in frames where members.isStillComing(id) { try await writer.write(frame.stream) }
        }
        guard let id else { return }
        defer { members.leave(id) }
        for await bytes in stream.lines.cancelOnGracefulShutdown() {
            // What still lies here for a slow reader is not told to somebody whose right has ended.
            guard members.isStillHere(id) else { return }
            stream.taken(bytes)
            try await writer.write(bytes)
        }
    }

    /// A comment now and then: that a reader is gone is noticed by writing to it.
    private func reassureStreams() async {
        let comment = ByteBuffer(string: ": still here\n\n")
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.reassurance) } catch { return }
            for case .stream(let stream) in members.everybody.values.map(\.sink) { stream.send(comment) }
        }
    }
}
