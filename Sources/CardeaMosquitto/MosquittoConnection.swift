import CMosquitto
import Foundation

/// One connection to an MQTT broker, from its first packet to its last.
///
/// It never reconnects: who wants another connection opens another one. What was handed to a connection that broke is gone with it,
/// so nothing is delivered late.
///
/// ```swift
/// let connection = try await MosquittoConnection.open(options)
/// _ = try await connection.subscribe(["home/door"])
/// for await batch in connection.messages { … }
/// ```
public final class MosquittoConnection: Sendable {
    /// True if the connection uses MQTT 5, so that expiry and user properties are sent.
    public let speaksMQTT5: Bool
    private let messageBuffer: MessageBuffer
    private let jobQueue: ConnectionJobQueue
    private let ended: OneShotValue<MQTTConnectionError>
    private let thread: ConnectionThread

    /// Connects, trying MQTT 5 first. The broker has accepted us when this returns.
    ///
    /// Resolving the name and opening the socket block, on a thread of their own.
    public static func open(_ options: ConnectionOptions) async throws(MQTTConnectionError) -> MosquittoConnection {
        guard !options.onlyMQTT311 else { return try await attempt(options, speaksMQTT5: false) }
        do {
            return try await attempt(options, speaksMQTT5: true)
        } catch .refused(code: 1), .refused(code: 132), .hungUp, .unanswered {
            // Brokers without MQTT 5 answer with a code of either version, close the connection, or stay silent.
            return try await attempt(options, speaksMQTT5: false)
        }
    }

    private static func attempt(
        _ options: ConnectionOptions, speaksMQTT5: Bool
    ) async throws(MQTTConnectionError) -> MosquittoConnection {
        _ = libraryInitialization
        guard !options.host.isEmpty, !options.host.utf8.contains(0), (1...65_535).contains(options.port) else {
            throw .invalid("there is no such address")
        }
        guard let outbox = ConnectionJobQueue() else { throw .invalid("the system is out of descriptors") }
        let inbox = MessageBuffer(limit: options.inboxLimit)
        let line = ConnectionThread(outbox: outbox)
        let opened = OneShotValue<MQTTConnectionError?>()
        let ended = OneShotValue<MQTTConnectionError>()
        // Ends by itself: with the connection, when it is closed, or when it is released.
        let thread = Thread {
            line.begin()
            MosquittoClient(options: options, speaksMQTT5: speaksMQTT5, inbox: inbox, outbox: outbox).run(opened: opened, ended: ended)
        }
        thread.name = "mqtt"
        thread.start()
        // A cancelled caller does not wait for a socket that does not answer; the thread closes it when the call returns.
        let failure = await withTaskCancellationHandler {
            await opened.value
        } onCancel: {
            opened.resolve(.closed)
            outbox.post(ConnectionJobQueue.Job(run: { $0.close() }, abandon: { _ in }))
        }
        if let failure { throw failure }
        return MosquittoConnection(speaksMQTT5: speaksMQTT5, inbox: inbox, outbox: outbox, line: line, ended: ended)
    }

    private init(
        speaksMQTT5: Bool, inbox: MessageBuffer, outbox: ConnectionJobQueue, line: ConnectionThread,
        ended: OneShotValue<MQTTConnectionError>
    ) {
        self.speaksMQTT5 = speaksMQTT5
        self.messageBuffer = inbox
        self.jobQueue = outbox
        self.ended = ended
        self.thread = line
    }

    deinit {
        jobQueue.post(ConnectionJobQueue.Job(run: { $0.close() }, abandon: { _ in }))
    }

    /// The thread on which messages arrive, for a task that handles each message: pass it to `withTaskExecutorPreference`.
    public var executor: any TaskExecutor { thread }

    /// True if the caller runs on that thread, which serves this connection only and may block.
    public var isOnConnectionThread: Bool { thread.isCurrent }

    /// The received messages, until the connection ends. For one reader.
    public var messages: ReceivedMessages { ReceivedMessages(inbox: messageBuffer) }

    /// Messages that arrived faster than they were read, and are lost.
    public var droppedMessages: Int { messageBuffer.dropped }

    /// The reason why the connection ended; waits until it has.
    public var end: MQTTConnectionError {
        get async { await ended.value }
    }

    public var isOpen: Bool { ended.valueIfResolved == nil }

    /// Asks for topics. One answer each: 0 to 2 when granted, 128 and above when refused.
    public func subscribe(_ topics: [String]) async throws(MQTTConnectionError) -> [Int32] {
        var answers: [Int32] = []
        var rest = topics[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.topicsPerPacket))
            rest = rest.dropFirst(some.count)
            answers += try await sendAndWait(within: Self.acknowledgementTimeout) { client, id in
                Self.withCStrings(some) { names, count in
                    mosquitto_subscribe_multiple(client, &id, count, names, 0, 0, nil)
                }
            }
        }
        return answers
    }

    /// Unsubscribes from these topics.
    public func unsubscribe(_ topics: [String]) async throws(MQTTConnectionError) {
        var rest = topics[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.topicsPerPacket))
            rest = rest.dropFirst(some.count)
            _ = try await sendAndWait(within: Self.acknowledgementTimeout) { client, id in
                Self.withCStrings(some) { names, count in
                    mosquitto_unsubscribe_multiple(client, &id, count, names, nil)
                }
            }
        }
    }

    /// Returns whether the broker answers. It sends an UNSUBSCRIBE for a topic without a subscription, which has no effect.
    public func answers(within limit: Duration) async -> Bool {
        let answer = try? await sendAndWait(within: limit) { client, id in mosquitto_unsubscribe(client, &id, "cardea/nothing") }
        return answer != nil
    }

    /// Sends `message`, and returns the broker's reason code: always 0 for `atMostOnce`, which is done when it is written.
    ///
    /// - Parameter notAfter: checked at the last moment, on the thread that writes. Past it, nothing is sent.
    /// - Throws: `unanswered` when it may have gone out, and at quality 1 also why the connection ended while the broker's word was
    ///   awaited; everything else means that it did not.
    @discardableResult
    public func publish(_ message: OutgoingMessage, notAfter: Date? = nil) async throws(MQTTConnectionError) -> Int32 {
        let speaksMQTT5 = speaksMQTT5
        let codes = try await sendAndWait(within: Self.acknowledgementTimeout, notAfter: notAfter) { client, id in
            let properties = MQTTPropertyList()
            if speaksMQTT5 {
                if let expiry = message.expiry { properties.add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry) }
                for (name, value) in message.userProperties { properties.add(MQTT_PROP_USER_PROPERTY, name: name, value: value) }
            }
            return mosquitto_publish_v5(
                client, &id, message.topic, Int32(clamping: message.payload.count), message.payload, message.quality.rawValue,
                message.isRetained, properties.head)
        }
        return codes.first ?? 0
    }

    /// Says goodbye and waits until the connection is gone. The broker keeps the will to itself.
    public func close() async {
        jobQueue.post(ConnectionJobQueue.Job(run: { $0.close() }, abandon: { _ in }))
        _ = await ended.value
    }

    private func sendAndWait(
        within limit: Duration, notAfter: Date? = nil, _ packet: @escaping @Sendable (OpaquePointer, inout Int32) -> Int32
    ) async throws(MQTTConnectionError) -> [Int32] {
        let answer: MosquittoClient.Reply = await withCheckedContinuation { continuation in
            jobQueue.post(
                ConnectionJobQueue.Job(
                    run: { wire in
                        if let notAfter {
                            if Date() >= notAfter { return continuation.resume(returning: .failure(.tooLate)) }
                            if wire.isCongested { return continuation.resume(returning: .failure(.congested)) }
                        }
                        wire.send(within: limit, packet) { continuation.resume(returning: $0) }
                    },
                    abandon: { continuation.resume(returning: .failure($0)) }))
        }
        return try answer.get()
    }

    /// The time within which the broker must acknowledge a packet.
    private static let acknowledgementTimeout = Duration.seconds(5)
    private static let topicsPerPacket = 200

    /// Once per process, before anything else of the library.
    private static let libraryInitialization: Int32 = mosquitto_lib_init()

    private static func withCStrings(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>, Int32) -> Int32
    ) -> Int32 {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { names in
            guard let first = names.baseAddress else { return 0 }
            return body(first, Int32(clamping: names.count))
        }
    }
}
