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

/// Sends events to all subscribers. An event is encoded once for all who see the same part of it.
final class RealtimeBroadcaster: JournalSubscriber, Service {
    private let hub: Hub
    private let encoder: RealtimeEventEncoder
    /// The encoder for clients that sent `init`.
    private let sourceEncoder: SourceFormatEncoder
    /// The house's status, as far as the principal may know it.
    private let consciousness: @Sendable (Principal) async throws -> ConsciousnessAnswer
    private let logger: Logger
    private let subscribers: SubscriberRegistry
    private let authorizer: SubscriptionAuthorizer
    private let sessions = AsyncStream<@Sendable () async -> Void>.makeStream()
    /// Events that say that the house's status changed, each for one newcomer or for all. Subscribers that sent `init` receive the new
    /// status.
    private let statusChanges = AsyncStream<(event: JournalEvent, newcomer: Int?)>.makeStream(bufferingPolicy: .bufferingNewest(64))

    /// Seconds between two signs of life on a stream.
    private static let keepAliveInterval = Duration.seconds(15)

    init(
        hub: Hub, devices: CachedDeviceEncoder, consciousness: @escaping @Sendable (Principal) async throws -> ConsciousnessAnswer,
        logger: Logger
    ) {
        self.hub = hub
        encoder = RealtimeEventEncoder(hub: hub, devices: devices)
        sourceEncoder = SourceFormatEncoder(hub: hub)
        self.consciousness = consciousness
        self.logger = logger
        subscribers = SubscriberRegistry()
        authorizer = SubscriptionAuthorizer(of: subscribers, viewing: hub.visibilityFilter, logger: logger)
    }

    /// The number of subscribers.
    var count: Int { subscribers.count }

    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.authorizer.run() }
            group.addTask { await self.sendKeepAlives() }
            group.addTask { await self.sendStatusUpdates() }
            for await conversation in sessions.stream.cancelOnGracefulShutdown() {
                group.addTask { await conversation() }
            }
            group.cancelAll()
        }
    }

    // MARK: Sending

    var position: Int64? { subscribers.position }

    func receive(_ events: [JournalEvent], after position: Int64, through: Int64) {
        let (tables, moved) = subscribers.advance(from: position, through: through, by: events)
        var whole: [DeviceFormat: [Int64: RealtimeFrame]] = [:]
        for (audience, table) in tables {
            let frames = frames(events, moved: moved, for: audience, &whole)
            guard !frames.isEmpty else { continue }
            let bytes = table.sockets.isEmpty ? [] : frames.map(\.webSocketFrame)
            for (loop, sockets) in table.sockets.values {
                loop.execute { for socket in sockets { socket.sendOnLoop(bytes) } }
            }
            if !table.values.isEmpty {
                let seen = events.filter { audience.filter.matches($0) }.compactMap { audience.visibility.filtered($0) }
                for values in table.values where !seen.isEmpty {
                    if case .dropped = values.yield(seen) { values.finish() }
                }
            }
            if table.streams.isEmpty { continue }
            var lines = ByteBuffer()
            for frame in frames { lines.writeImmutableBuffer(frame.serverSentEvent) }
            for stream in table.streams { stream.send(lines) }
        }
        if tables.keys.contains(where: { $0.format == .source }) {
            for event in events where sourceEncoder.isStatusUpdate(event) { statusChanges.continuation.yield((event, nil)) }
        }
        disconnectReplacedPhones(events)
        // Most permission changes are in the journal; only the others wait for the next round.
        if events.contains(where: { $0.name == .guestUpdate || $0.name == .personUpdate }) { authorizer.requestRecheck() }
    }

    /// Frames of events that were read together. They are sent together too: a commit's rows belong together.
    private func frames(
        _ events: [JournalEvent], moved: Set<Int64>, for audience: SubscriberRegistry.Audience,
        _ whole: inout [DeviceFormat: [Int64: RealtimeFrame]]
    ) -> [RealtimeFrame] {
        let told = events.compactMap { event -> (event: JournalEvent, frame: RealtimeFrame)? in
            if audience.filter.matches(event) { return frame(event, for: audience, &whole).map { (event: event, frame: $0) } }
            // Its device moved out of their rooms: for them it was removed.
            guard moved.contains(event.seq), let gone = audience.filter.removalEvent(event) else { return nil }
            return frame(gone, for: audience, &whole).map { (event: gone, frame: $0) }
        }
        return audience.filter.wantsBatches ? RealtimeEventEncoder.batched(told, as: audience.format) : told.map(\.frame)
    }

    /// The event as this audience sees it; nil when it does not. What residents see is the same for all of them.
    private func frame(
        _ event: JournalEvent, for audience: SubscriberRegistry.Audience, _ whole: inout [DeviceFormat: [Int64: RealtimeFrame]]
    ) -> RealtimeFrame? {
        guard let seen = audience.visibility.filtered(event) else { return nil }
        do {
            guard audience.visibility.seesWholeDevices else { return try encoded(seen, isWhole: false, as: audience.format) }
            // A removal for some is an update with the same number for others, so the name must match too.
            if let frame = whole[audience.format]?[event.seq], frame.name == event.name.rawValue { return frame }
            let frame = try encoded(seen, isWhole: true, as: audience.format)
            whole[audience.format, default: [:]][event.seq] = frame
            return frame
        } catch {
            logger.error(
                "realtime event could not be encoded", metadata: ["kind": "\(event.name.rawValue)", "error": "\(type(of: error))"])
            return nil
        }
    }

    private func encoded(_ event: JournalEvent, isWhole: Bool, as form: DeviceFormat) throws -> RealtimeFrame? {
        switch form {
        case .house: try encoder.frame(event, isWhole: isWhole)
        case .source: try sourceEncoder.realtimeFrame(event)
        }
    }

    /// Sends the house's status to clients that sent `init`, whenever it changed. Each person gets their own answer.
    private func sendStatusUpdates() async {
        for await (event, newcomer) in statusChanges.stream {
            var told: [Principal: ByteBuffer] = [:]
            for (id, member) in subscribers.all where newcomer == nil || newcomer == id {
                let (audience, principal) = (member.audience, member.credential.principal)
                guard case .socket(let socket) = member.sink, audience.format == .source, audience.filter.matches(event),
                    audience.visibility.filtered(event) != nil
                else { continue }
                do {
                    if told[principal] == nil {
                        told[principal] = try sourceEncoder.realtimeFrame(try await consciousness(principal), at: event)?.webSocketFrame
                    }
                } catch {
                    logger.error("house state could not be sent to subscribers", metadata: ["error": "\(type(of: error))"])
                }
                // Their right to listen may have ended meanwhile.
                guard let frame = told[principal], subscribers.isActive(id) || subscribers.isPending(id) else { continue }
                socket.eventLoop.execute { socket.sendOnLoop([frame]) }
            }
        }
    }

    /// A pass that another phone has taken is no longer shown on the first one.
    private func disconnectReplacedPhones(_ events: [JournalEvent]) {
        for event in events {
            guard case .guest(let id, let data) = event.fact, data["paired"] == true else { continue }
            for (number, member) in subscribers.all where member.credential.principal == .guest(id: id) {
                subscribers.disconnect(number, "token_replaced")
            }
        }
    }

    // MARK: WebSocket session

    func openWebSocket(_ socket: WebSocketHandle, credential: Credential?, origin: RequestOrigin) {
        runSession { await self.runWebSocketSession(socket, credential, from: origin) }
    }

    /// Runs a session for as long as the broadcaster runs.
    func runSession(_ conversation: @escaping @Sendable () async -> Void) { sessions.continuation.yield(conversation) }

    private func runWebSocketSession(_ socket: WebSocketHandle, _ known: Credential?, from origin: RequestOrigin) async {
        var credential = known
        var membership: Int?
        var form = DeviceFormat.house
        for await text in socket.messages {
            do {
                let message = try WireFormat.readBody(RealtimeMessage.self, from: Data(text.utf8))
                switch message.type {
                case "ping": try await socket.send([pongFrame(form)])
                case "subscribe", "init":
                    // An invalid message changes nothing: the socket and its subscription stay.
                    let wish = try Self.subscriptionRequest(message)
                    subscribers.remove(membership)
                    membership = nil
                    if let ticket = message.ticket { credential = hub.realtimeTickets.redeem(Secret(ticket)) }
                    guard let credential else {
                        socket.close(.unknown(4401), "the ticket is missing or not valid")
                        break
                    }
                    form = wish.format
                    membership = try await subscribe(socket, wish, after: message.after, credential, from: origin)
                default: try await socket.send([errorFrame("unknown_message", "Unknown message. Send subscribe, init or ping.", form)])
                }
            } catch is WireFormat.BodyError {
                try? await socket.send([errorFrame("validation_error", "The message is not valid. See docs/protocol.md.", form)])
            } catch let error as FilterError {
                try? await socket.send([errorFrame("validation_error", error.message, form)])
            } catch {
                socket.close(.unexpectedServerError, "internal error: see the hub's log")
            }
        }
        subscribers.remove(membership)
    }

    private func pongFrame(_ form: DeviceFormat) throws -> ByteBuffer {
        switch form {
        case .house: RealtimeEventEncoder.pong.webSocketFrame
        case .source: try sourceEncoder.realtimeFrame(sourceEncoder.reply("pong", .empty)).webSocketFrame
        }
    }

    private func errorFrame(_ code: String, _ message: String, _ form: DeviceFormat) throws -> ByteBuffer {
        switch form {
        case .house: RealtimeEventEncoder.error(code, message).webSocketFrame
        case .source: try sourceEncoder.realtimeFrame(sourceEncoder.reply("error", .error(message))).webSocketFrame
        }
    }

    /// The events that a client asks for, and the form of them.
    private struct SubscriptionRequest {
        let format: DeviceFormat
        let filter: Filter
        /// Those that `init` named.
        var subjects: [SourceFormatEncoder.Subject] = []
    }

    private static func subscriptionRequest(_ message: RealtimeMessage) throws -> SubscriptionRequest {
        guard message.type == "init" else {
            return SubscriptionRequest(
                format: .house, filter: try filter(kinds: message.kinds, devices: message.devices, rooms: message.rooms))
        }
        let subjects = SourceFormatEncoder.Subject.named(message.data?.subscriptions)
        let kinds = subjects.reduce(into: Set<JournalEvent.Name>()) { $0.formUnion($1.eventNames) }
        return SubscriptionRequest(format: .source, filter: Filter(kinds: kinds), subjects: subjects)
    }

    private func subscribe(
        _ socket: WebSocketHandle, _ wish: SubscriptionRequest, after: Int64?, _ credential: Credential, from origin: RequestOrigin
    ) async throws -> Int? {
        let isLocal = origin.isLocal
        let viewer: Visibility
        do {
            viewer = try await hub.readAuditor.read(at: "realtime", by: credential.principal, origin: origin) {
                try await hub.visibilityFilter.requireVisibility(credential.principal, by: credential.token, isLocal: isLocal)
            }
        } catch is People.PersonError {
            socket.close(.unknown(4401), "not allowed, or no longer allowed")
            return nil
        }
        socket.markSubscribed()
        let member = SubscriberRegistry.Subscriber(
            credential: credential, isLocal: isLocal, audience: .init(visibility: viewer, filter: wish.filter, format: wish.format),
            sink: .socket(socket))
        var after = after
        switch wish.format {
        case .house: try await socket.send([RealtimeEventEncoder.subscribed(try await hub.journal.last(seenBy: viewer)).webSocketFrame])
        case .source:
            // Read before the answer is sent, so that no later event is missed.
            after = try await hub.journal.last()
            try await socket.send([try sourceEncoder.realtimeFrame(sourceEncoder.greeting(wish.subjects)).webSocketFrame])
        }
        return try await catchUp(member, after: after) { try await socket.send($1.map(\.webSocketFrame)) }
    }

    /// Sends a newcomer the events they missed, then subscribes them at the very row up to which these were sent. Nil if their right to
    /// listen ended on the way.
    private func catchUp(
        _ member: SubscriberRegistry.Subscriber, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Int? {
        let id = subscribers.addPending(member)
        do {
            if try await sendMissedEvents(id, member, after: after, send) { return id }
        } catch {
            subscribers.remove(id)
            throw error
        }
        subscribers.remove(id)
        return nil
    }

    private func sendMissedEvents(
        _ id: Int, _ member: SubscriberRegistry.Subscriber, after: Int64?, _ send: (Int, [RealtimeFrame]) async throws -> Void
    ) async throws -> Bool {
        var cursor: Int64
        if let after, try await isRetained(after) {
            cursor = after
        } else {
            let viewer = member.audience.visibility
            // A subscriber that sees a part gets the latest number that they see. The snapshot may be newer; a repeated event changes
            // nothing.
            let seen = viewer.seesWholeDevices ? nil : try await hub.journal.last(seenBy: viewer)
            let (devices, seq) = try await hub.journal.snapshot()
            let number = seen ?? seq
            let visible = devices.compactMap(viewer.filtered).filter(member.audience.filter.matches)
            if member.audience.format == .house {
                var frames = [try encoder.snapshot(visible, seq: number, isWhole: viewer.seesWholeDevices)]
                if let after { frames.insert(RealtimeEventEncoder.gap(from: after, to: number), at: 0) }
                try await send(id, frames)
            }
            cursor = seq
        }
        var places = RoomTracker()
        // Checked for each page: a slow reader may take minutes.
        while !Task.isCancelled, subscribers.isPending(id) {
            let (events, through) = try await hub.journal.events(after: cursor, limit: 256)
            if through == cursor {
                if activate(id, at: cursor) { return true }
                continue
            }
            var whole: [DeviceFormat: [Int64: RealtimeFrame]] = [:]
            let frames = frames(events, moved: places.moved(by: events), for: member.audience, &whole)
            if !frames.isEmpty { try await send(id, frames) }
            if member.audience.format == .source {
                for event in events where sourceEncoder.isStatusUpdate(event) { statusChanges.continuation.yield((event, id)) }
            }
            cursor = through
        }
        return false
    }

    /// Events from now on, for callers that send them in a format other than docs/protocol.md's; events that are read together arrive
    /// together. Nil if the principal may not read them. The stream ends with the right to read, and if it is read too slowly.
    func eventStream(for principal: Principal, isLocal: Bool) async throws -> AsyncStream<[JournalEvent]>? {
        guard let viewer = try await hub.visibilityFilter.visibility(of: principal, isLocal: isLocal) else { return nil }
        let events = AsyncStream<[JournalEvent]>.makeStream(bufferingPolicy: .bufferingOldest(1024))
        let member = SubscriberRegistry.Subscriber(
            credential: Credential(principal, by: nil), isLocal: isLocal, audience: .init(visibility: viewer, filter: Filter()),
            sink: .values(events.continuation))
        let id = subscribers.addPending(member)
        do {
            while !Task.isCancelled, subscribers.isPending(id) {
                guard activate(id, at: try await hub.journal.last()) else { continue }
                events.continuation.onTermination = { [subscribers] _ in subscribers.remove(id) }
                return events.stream
            }
        } catch {
            subscribers.remove(id)
            throw error
        }
        subscribers.remove(id)
        return nil
    }

    /// Activates a new subscriber and triggers a read of the journal: events may have arrived meanwhile.
    private func activate(_ id: Int, at cursor: Int64) -> Bool {
        let joined = subscribers.activate(id, at: cursor)
        if joined { hub.journal.requestCatchUp() }
        return joined
    }

    private func isRetained(_ after: Int64) async throws -> Bool {
        do {
            _ = try await hub.journal.events(after: after, limit: 1)
            return true
        } catch is JournalTail.CursorError {
            return false
        }
    }

    // MARK: Server-sent events

    /// Writes events until the reader goes, the right ends or the reader is too slow, and hangs up.
    func streamEvents(
        to credential: Credential, isLocal: Bool, after: Int64?, filter: Filter, on channel: any Channel,
        into writer: inout any ResponseBodyWriter
    ) async throws {
        let stream = ServerSentEventBuffer(channel: channel)
        defer { stream.close() }
        guard let viewer = try await hub.visibilityFilter.visibility(of: credential.principal, by: credential.token, isLocal: isLocal)
        else { return }
        try await stream.limitBuffers()
        let member = SubscriberRegistry.Subscriber(
            credential: credential, isLocal: isLocal, audience: .init(visibility: viewer, filter: filter), sink: .stream(stream))
        let id = try await catchUp(member, after: after) { id, frames in
            // One by one, since each may wait long for its reader.
            for frame in frames where subscribers.isPending(id) { try await writer.write(frame.serverSentEvent) }
        }
        guard let id else { return }
        defer { subscribers.remove(id) }
        for await bytes in stream.chunks.cancelOnGracefulShutdown() {
            // Events still queued for a slow reader are not sent after their right has ended.
            guard subscribers.isActive(id) else { return }
            stream.didDequeue(bytes)
            try await writer.write(bytes)
        }
    }

    /// A comment now and then: that a reader is gone is noticed by writing to it.
    private func sendKeepAlives() async {
        let comment = ByteBuffer(string: ": still here\n\n")
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.keepAliveInterval) } catch { return }
            for case .stream(let stream) in subscribers.all.values.map(\.sink) { stream.send(comment) }
        }
    }
}
