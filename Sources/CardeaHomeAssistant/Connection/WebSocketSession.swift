import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore
import NIOWebSocket
import Synchronization

/// One connection to Home Assistant from beginning to end: replies are matched to requests by number, and events are collected until they
/// are read.
///
/// Nothing outlives it. A request that could not be sent on it is never sent later.
final class WebSocketSession: Sendable {
    /// An answer to one question.
    enum Reply: Hashable, Sendable {
        case done(JSONValue)
        /// It says no, by its own code and in its own words.
        case refused(code: String, message: String)
        /// The connection ended first, or the time passed. What was asked may have happened.
        case unanswered
        /// It was never sent.
        case unsent
    }

    /// The number of registry changes of Home Assistant on this connection.
    struct RegistryChanges: Hashable, Sendable {
        var all = 0
        /// Those that gave an entity another entity id.
        var renamings = 0
    }

    private struct PendingRequest {
        let continuation: CheckedContinuation<Reply, Never>
        let timeout: Scheduled<Void>
        /// True if the reply contains the whole house, so that events received before it are outdated.
        let isSnapshot: Bool
        /// The entity whose settled state is reported again after the reply.
        let entityID: String?
    }

    private struct State {
        var nextID = 1
        var pending: [Int: PendingRequest] = [:]
        var events: [HomeAssistantEvent] = []
        var overflows = 0
        var registryChanges = RegistryChanges()
        var lastReceived = ContinuousClock.now
        var ending: HomeAssistantConnectionError?
    }

    /// The number of events beyond which it is cheaper to read the whole house again.
    static let eventLimit = 20_000

    private let channel: any Channel
    private let state = Mutex(State())
    private let greetings = AsyncStream<JSONValue>.makeStream()
    private let signal = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(channel: any Channel) { self.channel = channel }

    /// The reason why it ended; nil while it is open.
    var ending: HomeAssistantConnectionError? { state.withLock(\.ending) }
    /// The time of Home Assistant's last message.
    var lastReceived: ContinuousClock.Instant { state.withLock(\.lastReceived) }
    var overflows: Int { state.withLock(\.overflows) }
    /// Counted as they are received, before they are handled.
    var registryChanges: RegistryChanges { state.withLock(\.registryChanges) }

    // MARK: Sending

    /// Shows the token. Answers the version of Home Assistant.
    func authenticate(_ token: Secret, within limit: TimeAmount) async throws(HomeAssistantConnectionError) -> String {
        let limit = channel.eventLoop.scheduleTask(in: limit) { self.end(.unresponsive) }
        defer { limit.cancel() }
        for await greeting in greetings.stream {
            switch greeting["type"]?.string {
            case "auth_required": send(["type": "auth", "access_token": .string(token.reveal())])
            default: return greeting["ha_version"]?.string ?? "unknown"
            }
        }
        throw ending ?? .hungUp
    }

    /// Asks, and waits for the answer.
    func request(
        _ type: String, _ fields: [String: JSONValue] = [:], within limit: TimeAmount = .seconds(20), isSnapshot: Bool = false,
        settling entityID: String? = nil
    ) async -> Reply {
        await withCheckedContinuation { asker in
            let isSent = state.withLock { state in
                guard state.ending == nil, channel.isWritable else { return false }
                // Numbered and written under one lock, because Home Assistant refuses numbers that do not rise.
                let id = state.nextID
                state.nextID += 1
                let limit = channel.eventLoop.scheduleTask(in: limit) { self.complete(id, .unanswered) }
                state.pending[id] = PendingRequest(continuation: asker, timeout: limit, isSnapshot: isSnapshot, entityID: entityID)
                send(fields.merging(["id": .number(Double(id)), "type": .string(type)]) { _, ours in ours })
                return true
            }
            if !isSent { asker.resume(returning: .unsent) }
        }
    }

    /// Returns whether Home Assistant answers a ping within `limit`.
    func respondsToPing(within limit: TimeAmount) async -> Bool {
        if case .done = await request("ping", within: limit) { true } else { false }
    }

    func sendPong(_ data: ByteBuffer) {
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: data), promise: nil)
    }

    private func send(_ message: [String: JSONValue]) {
        guard let data = try? JSONEncoder().encode(JSONValue.object(message)) else { return }
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: data)), promise: nil)
    }

    // MARK: Receiving

    /// Reads one frame: a message, or an array of those that Home Assistant had at once.
    func receive(_ bytes: [UInt8]) throws(HomeAssistantConnectionError) {
        guard let json = JSONValue.read(bytes) else { throw .malformed }
        state.withLock { $0.lastReceived = .now }
        switch json {
        case .array(let messages): receive(messages)
        case .object: receive([json])
        default: throw .malformed
        }
    }

    /// Handles the messages of one read together.
    private func receive(_ messages: [JSONValue]) {
        var newEvents: [HomeAssistantEvent] = []
        for message in messages {
            switch message["type"]?.string {
            case "auth_required", "auth_ok": greetings.continuation.yield(message)
            // Home Assistant closes the connection right after this, which must not become the reason.
            case "auth_invalid": end(.unauthorised)
            case "result", "pong":
                guard let number = message["id"]?.number, let id = Int(exactly: number) else { continue }
                // In order, after the reports that came before the answer.
                append(newEvents)
                newEvents = []
                complete(id, Reply(message))
            case "event":
                guard let event = message["event"] else { continue }
                let all = HomeAssistantEvent.all(in: event)
                record(all)
                newEvents += all
            default: break
            }
        }
        append(newEvents)
    }

    private func record(_ newEvents: [HomeAssistantEvent]) {
        let renamings = newEvents.count(where: { $0 == .renamed })
        let changes = renamings + newEvents.count(where: { $0 == .registryChanged })
        guard changes > 0 else { return }
        state.withLock { state in
            state.registryChanges.all += changes
            state.registryChanges.renamings += renamings
        }
    }

    private func complete(_ id: Int, _ answer: Reply) {
        let (waiting, mustRing) = state.withLock { state in
            guard let waiting = state.pending.removeValue(forKey: id) else { return (nil as PendingRequest?, false) }
            // Earlier states are in the snapshot; the fact that one was reported just now, which may answer a command, is not.
            if waiting.isSnapshot { state.events = state.events.compactMap(\.withoutState) }
            if let entityID = waiting.entityID, case .done = answer {
                state.events.append(.serviceCompleted(entityID: entityID))
                return (waiting, true)
            }
            return (waiting, false)
        }
        waiting?.timeout.cancel()
        waiting?.continuation.resume(returning: answer)
        if mustRing { signal.continuation.yield() }
    }

    // MARK: Events

    /// Yields when anything has happened since the last value was taken; ends with the connection.
    var signals: AsyncStream<Void> { signal.stream }

    func append(_ newEvents: [HomeAssistantEvent]) {
        guard !newEvents.isEmpty else { return }
        state.withLock { state in
            if state.events.count + newEvents.count > Self.eventLimit {
                state.events = [.reloadRequired]
                state.overflows += 1
                return
            }
            state.events += newEvents
        }
        signal.continuation.yield()
    }

    /// Everything that has happened since the last time, in order.
    func drainEvents() -> [HomeAssistantEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    // MARK: The end

    /// Ends it, for the first reason given. Data still in the socket is discarded, so that nothing arrives late.
    func end(_ failure: HomeAssistantConnectionError) {
        let waiting = state.withLock { state -> [PendingRequest]? in
            guard state.ending == nil else { return nil }
            state.ending = failure
            defer { state.pending = [:] }
            return Array(state.pending.values)
        }
        guard let waiting else { return }
        greetings.continuation.finish()
        signal.continuation.finish()
        for one in waiting {
            one.timeout.cancel()
            one.continuation.resume(returning: .unanswered)
        }
        channel.closeImmediately()
    }
}

extension WebSocketSession.Reply {
    init(_ message: JSONValue) {
        if message["type"]?.string == "pong" || message["success"]?.bool == true {
            self = .done(message["result"] ?? .null)
        } else {
            self = .refused(
                code: message["error"]?["code"]?.string ?? "unknown_error",
                message: message["error"]?["message"]?.string ?? "no reason given")
        }
    }
}
