import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging

/// Announces the house's own locks to Home Assistant over one broker, submits its requests to the gate, and withdraws everything when it is
/// not wanted any more.
///
/// The retained messages are the only memory: any message of ours on the broker that is not announced now, from this run or an earlier one,
/// is withdrawn.
actor DiscoveryPublisher {
    private let house: HomeAssistantExport
    private let encoder: DiscoveryEncoder
    /// False if nothing is announced any more, and only leftovers are withdrawn.
    private let isEnabled: Bool
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// The retained messages of the hub on the broker by topic, as far as they are known.
    private var retained: [String: String] = [:]
    /// Signals that the announcements may have changed; nil while there is no connection.
    private var changeSignal: AsyncStream<Void>.Continuation?
    /// True if everything has been withdrawn and nothing more is published.
    private var hasLeft = false
    /// Sentences for the settings page, by subject.
    private var noticesByTopic: [String: String] = [:]

    init(house: HomeAssistantExport, settings: MQTTSettings, logger: Logger, now: @escaping @Sendable () -> Date) {
        self.house = house
        self.logger = logger
        self.now = now
        isEnabled = settings.announces
        encoder = DiscoveryEncoder(prefix: settings.discoveryPrefix, houseID: house.id, showsLastVisitor: settings.announcesLastVisitor)
    }

    var notices: [String] { noticesByTopic.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: Announcing

    /// Begins to listen on a new connection.
    func listen(on connection: MosquittoConnection) async throws(MQTTConnectionError) {
        retained = [:]
        noticesByTopic = [:]
        let answers = try await connection.subscribe([encoder.topicFilter])
        if isEnabled, answers.contains(where: { $0 >= 128 }) {
            noticesByTopic["subscribe"] =
                "The broker does not allow reading \(encoder.topicFilter), so Home Assistant cannot send commands."
        }
    }

    /// Announces on a connection, until it ends.
    func serve(on connection: MosquittoConnection) async {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changeSignal = bell
        defer { self.changeSignal = nil }
        bell.yield()
        await withTaskGroup(of: Void.self) { group in
            // Disabled, it needs no changes of the house: then only retained messages on the broker trigger it.
            if isEnabled {
                let changes = house.changes()
                group.addTask { for await _ in changes { bell.yield() } }
                // A pass expires by time alone, without an event.
                group.addTask {
                    while !Task.isCancelled {
                        do { try await Task.sleep(for: .seconds(60)) } catch { return }
                        bell.yield()
                    }
                }
            }
            for await _ in rings { await announce(on: connection) }
            group.cancelAll()
        }
    }

    /// Brings the broker up to date with the house. Announcements are sent before states.
    private func announce(on connection: MosquittoConnection) async {
        var wanted: [String: String] = [:]
        do {
            if isEnabled { wanted = encoder.messages(try await house.snapshot()) }
        } catch {
            logger.error("house could not be read for MQTT discovery", metadata: ["error": "\(type(of: error))"])
            return
        }
        guard !hasLeft else { return }
        let news = wanted.filter { retained[$0.key] != $0.value }
        for (topic, text) in news.sorted(by: { (encoder.isState($0.key) ? 1 : 0, $0.key) < (encoder.isState($1.key) ? 1 : 0, $1.key) }) {
            guard !hasLeft, await publishRetained(text, at: topic, on: connection) else { return }
        }
        for topic in retained.keys.sorted() where wanted[topic] == nil {
            guard await publishRetained(nil, at: topic, on: connection) else { return }
        }
        // Refused messages are retried each time; the notification goes once every message was accepted.
        if wanted.allSatisfy({ retained[$0.key] != nil }) { noticesByTopic["publish"] = nil }
    }

    /// Has the broker keep a message, or keep none. False when the connection is over.
    private func publishRetained(_ text: String?, at topic: String, on connection: MosquittoConnection) async -> Bool {
        // Recorded before it is sent: a message from the broker meanwhile is newer.
        retained[topic] = text
        do throws(MQTTConnectionError) {
            let code = try await connection.publish(
                OutgoingMessage(topic: topic, payload: Array((text ?? "").utf8), quality: .atLeastOnce, isRetained: true))
            if code >= 128 {
                retained[topic] = nil
                noticesByTopic["publish"] =
                    "The broker does not allow publishing on \(topic) (reason code \(code)), so Home Assistant gets no states."
            }
            return true
        } catch {
            return false
        }
    }

    /// Home Assistant has started, and knows nothing.
    func homeAssistantStarted() {
        if isEnabled { retained = [:] }
        changeSignal?.yield()
    }

    /// Takes everything back before the broker is left.
    func withdrawAll(on connection: MosquittoConnection) async {
        hasLeft = true
        for topic in retained.keys.sorted() {
            guard await publishRetained(nil, at: topic, on: connection) else { return }
        }
    }

    // MARK: Incoming messages

    /// Takes a message that is about the house itself. False for everything else.
    func handles(_ message: ReceivedMessage) async -> Bool {
        if encoder.isOurs(message.topic) {
            // Our own messages come back to us; only a message retained from before is new.
            if message.isRetained, !message.payload.isEmpty, retained[message.topic] == nil {
                retained[message.topic] = String(decoding: message.payload, as: UTF8.self)
                changeSignal?.yield()
            }
            return true
        }
        guard message.topic.hasPrefix(encoder.base + "/") else { return false }
        guard isEnabled, !message.payload.isEmpty else { return true }
        do {
            if let lock = encoder.lock(at: message.topic, in: try await house.snapshot()) { await handleCommand(message, to: lock) }
        } catch {
            logger.error("house could not be read for an MQTT command", metadata: ["error": "\(type(of: error))"])
        }
        return true
    }

    private func handleCommand(_ message: ReceivedMessage, to lock: HomeAssistantExport.Lock) async {
        let request: HomeAssistantLockRequest
        do throws(HomeAssistantLockRequest.RequestError) {
            request = try HomeAssistantLockRequest(
                String(decoding: message.payload, as: UTF8.self), isRetained: message.isRetained, now: now())
        } catch {
            setNotice("The command for \(lock.device.name) \(error.message). Nothing was done.", about: lock)
            do {
                try await house.recordRejection(error.auditReason, at: lock, by: MQTTIntegration.name)
            } catch {
                logger.error("rejected MQTT command could not be stored", metadata: ["error": "\(type(of: error))"])
            }
            return
        }
        do {
            try await house.submit(request.verb, of: lock, by: MQTTIntegration.name, name: request.name)
            noticesByTopic[lock.entity.id] = nil
        } catch let refusal as CommandRefusal {
            setNotice(
                "Home Assistant may not \(request.verb.rawValue) \(lock.device.name) (\(refusal.auditWord)). Nothing was done.", about: lock
            )
            // Home Assistant may already show the requested state.
            retained[encoder.state(of: lock)] = nil
            changeSignal?.yield()
        } catch {
            logger.error("MQTT command could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func setNotice(_ sentence: String, about lock: HomeAssistantExport.Lock) {
        noticesByTopic[lock.entity.id] = sentence
        logger.notice("MQTT command rejected", metadata: ["entity": "\(lock.entity.id)"])
    }
}

extension CommandRefusal {
    /// The reason in one word.
    fileprivate var auditWord: String {
        if case .gate(let refusal) = self { refusal.name } else { auditReasonName ?? "asked_before" }
    }
}
