import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging

/// Tells Home Assistant of the house's own locks over one broker, takes what it wants done with them to the gate, and takes everything
/// back when it is no longer wanted.
///
/// What the broker keeps is the memory: whatever it has of ours that is not announced, of this run or of an earlier one, is taken back.
actor HouseAnnouncer {
    private let house: OwnHouse
    private let announcer: Announcer
    /// False where nothing is announced any more, and only what is left is taken back.
    private let isWanted: Bool
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// What the broker keeps of ours, by topic, as far as we know.
    private var kept: [String: String] = [:]
    /// Rings when what is announced may have changed; nil while there is no connection.
    private var bell: AsyncStream<Void>.Continuation?
    /// Everything has been taken back, and nothing more is said.
    private var hasLeft = false
    /// Sentences for the settings page, by what they are about.
    private var notes: [String: String] = [:]

    init(house: OwnHouse, settings: MQTTSettings, logger: Logger, now: @escaping @Sendable () -> Date) {
        self.house = house
        self.logger = logger
        self.now = now
        isWanted = settings.announces
        announcer = Announcer(prefix: settings.discoveryPrefix, houseID: house.id, showsLastVisitor: settings.announcesLastVisitor)
    }

    var notices: [String] { notes.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: Announcing

    /// Begins to listen on a new connection.
    func listen(on connection: MosquittoConnection) async throws(ConnectionFailure) {
        kept = [:]
        notes = [:]
        let answers = try await connection.subscribe([announcer.everything])
        if isWanted, answers.contains(where: { $0 >= 128 }) {
            notes["subscribe"] = "The broker does not let us read \(announcer.everything), so Home Assistant cannot ask for anything."
        }
    }

    /// Announces on a connection, until it ends.
    func serve(on connection: MosquittoConnection) async {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.bell = bell
        defer { self.bell = nil }
        bell.yield()
        await withTaskGroup(of: Void.self) { group in
            // Whoever announces nothing has nothing to hear of the house: only what the broker still has rings then.
            if isWanted {
                let changes = house.changes()
                group.addTask { for await _ in changes { bell.yield() } }
                // A pass that is over is so by time alone.
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

    /// Brings the broker up to what the house is now. What exists goes before what it says.
    private func announce(on connection: MosquittoConnection) async {
        var wanted: [String: String] = [:]
        do {
            if isWanted { wanted = announcer.messages(try await house.view()) }
        } catch {
            logger.error("The house could not be read to be announced", metadata: ["error": "\(type(of: error))"])
            return
        }
        guard !hasLeft else { return }
        let news = wanted.filter { kept[$0.key] != $0.value }
        for (topic, text) in news.sorted(by: { (announcer.isState($0.key) ? 1 : 0, $0.key) < (announcer.isState($1.key) ? 1 : 0, $1.key) })
        {
            guard !hasLeft, await keep(text, at: topic, on: connection) else { return }
        }
        for topic in kept.keys.sorted() where wanted[topic] == nil {
            guard await keep(nil, at: topic, on: connection) else { return }
        }
        // What was refused once is tried again each time; only when all of it was let by there is nothing to say.
        if wanted.allSatisfy({ kept[$0.key] != nil }) { notes["publish"] = nil }
    }

    /// Has the broker keep a message, or keep none. False when the connection is over.
    private func keep(_ text: String?, at topic: String, on connection: MosquittoConnection) async -> Bool {
        // Known before it is sent: what comes back from the broker meanwhile is newer.
        kept[topic] = text
        do throws(ConnectionFailure) {
            let code = try await connection.publish(
                OutgoingMessage(topic: topic, payload: Array((text ?? "").utf8), quality: .atLeastOnce, isRetained: true))
            if code >= 128 {
                kept[topic] = nil
                notes["publish"] = "The broker does not let us publish on \(topic) (reason code \(code)), so Home Assistant is not told."
            }
            return true
        } catch {
            return false
        }
    }

    /// Home Assistant has started, and knows nothing.
    func homeAssistantStarted() {
        if isWanted { kept = [:] }
        bell?.yield()
    }

    /// Takes everything back before the broker is left.
    func leave(on connection: MosquittoConnection) async {
        hasLeft = true
        for topic in kept.keys.sorted() {
            guard await keep(nil, at: topic, on: connection) else { return }
        }
    }

    // MARK: What comes in

    /// Takes a message that is about the house itself. False for everything else.
    func takes(_ message: ReceivedMessage) async -> Bool {
        if announcer.isOurs(message.topic) {
            // What we say comes back to us; only what was kept from before tells something.
            if message.isRetained, !message.payload.isEmpty, kept[message.topic] == nil {
                kept[message.topic] = String(decoding: message.payload, as: UTF8.self)
                bell?.yield()
            }
            return true
        }
        guard message.topic.hasPrefix(announcer.base + "/") else { return false }
        guard isWanted, !message.payload.isEmpty else { return true }
        do {
            if let lock = announcer.lock(at: message.topic, in: try await house.view()) { await take(message, to: lock) }
        } catch {
            logger.error("The house could not be read for what is asked of it", metadata: ["error": "\(type(of: error))"])
        }
        return true
    }

    private func take(_ message: ReceivedMessage, to lock: OwnHouse.Lock) async {
        let request: LockRequest
        do throws(LockRequest.Problem) {
            request = try LockRequest(String(decoding: message.payload, as: UTF8.self), isRetained: message.isRetained, now: now())
        } catch {
            note("What the broker brought for \(lock.device.name) \(error.words); nothing was done.", about: lock)
            do {
                try await house.turnDown(error.auditReason, at: lock, by: MQTTIntegration.name)
            } catch {
                logger.error("What was turned down could not be written", metadata: ["error": "\(type(of: error))"])
            }
            return
        }
        do {
            try await house.ask(request.verb, of: lock, by: MQTTIntegration.name, name: request.name)
            notes[lock.entity.id] = nil
        } catch let refusal as CommandRefusal {
            note("Home Assistant may not \(request.verb.rawValue) \(lock.device.name) (\(refusal.word)); nothing was done.", about: lock)
            // It may show already what it asked for.
            kept[announcer.state(of: lock)] = nil
            bell?.yield()
        } catch {
            logger.error("What Home Assistant asked for could not be written", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func note(_ sentence: String, about lock: OwnHouse.Lock) {
        notes[lock.entity.id] = sentence
        logger.notice("A command from the broker was turned down", metadata: ["entity": "\(lock.entity.id)"])
    }
}

extension CommandRefusal {
    /// The reason in one word.
    fileprivate var word: String {
        if case .gate(let refusal) = self { refusal.name } else { auditName ?? "asked_before" }
    }
}
