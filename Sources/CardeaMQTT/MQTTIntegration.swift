import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The devices that announce themselves on the household's MQTT broker, as Home Assistant's MQTT discovery has it.
///
/// It listens, translates and reports; it decides nothing. Its own presence is told on `cardea/status`.
///
/// A command goes out once, at most, and is never kept: QoS 0, never retained, with an expiry where the broker speaks MQTT 5, over a
/// connection that is thrown away whole when it breaks.
public actor MQTTIntegration: RunningIntegration {
    public static let name = "mqtt"
    /// The device attribute that holds the first of the device's own names: all that a version before kept of them.
    public static let identifierAttribute = "mqtt_identifier"
    /// The device attribute that holds all of them, by which its id is found again after a restart.
    public static let identifiersAttribute = "mqtt_identifiers"
    /// The device attribute that holds its entities' ids by their own unique ids, for the same reason.
    public static let entitiesAttribute = "mqtt_entities"
    static let statusTopic = "cardea/status"
    /// Bytes of a message that is neither an announcement nor a picture.
    static let payloadLimit = 256 * 1024

    public nonisolated let integration = MQTTIntegration.name

    let settings: MQTTSettings
    let sink: any DeviceSink
    /// Who tells Home Assistant of the house; nil where there is nothing to tell.
    let discoveryPublisher: DiscoveryPublisher?
    /// Nil where nobody wants to hear of it.
    let frigateListener: FrigateListener?
    /// Who is told that buttons can publish here, and that they no longer can.
    private let publishing: (any PublishingSink)?
    private let logger: Logger
    let now: @Sendable () -> Date
    let trustInterval: Duration
    private let randomJitter: @Sendable () -> Double
    private let clientID: String

    private var backoff: Backoff
    var registry: DiscoveryRegistry
    var connection: MosquittoConnection? {
        didSet { connectionExecutor.withLock { [executor = connection?.executor] in $0 = executor } }
    }
    /// The thread of the connection, for whoever hands an order over; nil while it waits for the disk, too.
    nonisolated let connectionExecutor = Mutex<(any TaskExecutor)?>(nil)
    /// When the broker last sent anything.
    var lastHeard: ContinuousClock.Instant?
    /// Whose answers to what buttons have said are waited for.
    var confirmations = StateConfirmationTracker()
    var currentHealth: IntegrationHealth
    public nonisolated let healthUpdates: AsyncStream<IntegrationHealth>
    private let healthContinuation: AsyncStream<IntegrationHealth>.Continuation
    /// What the broker does not let us do, by topic.
    var refusals: [String: String] = [:]
    /// Devices the house did not take, with its reason.
    var rejectedDevices: [String: String] = [:]
    var oversized = 0
    var dropped = 0
    /// The birth message of this connection has not come back yet.
    var awaitsBirthMessage = false
    /// What the broker has confirmed to tell us on this connection.
    var subscribedTopics: Set<String> = []
    /// What the house could not keep, and has not been told again.
    var undelivered = UndeliveredUpdates()
    /// Devices of an earlier run.
    private let known: [String]

    /// - Parameters:
    ///   - settings: the broker.
    ///   - desk: where devices and what they say are handed in.
    ///   - house: what Home Assistant may be told of, where the settings want that.
    ///   - events: where it is told what a Frigate on the broker sees, where the settings want that.
    ///   - publishing: who is told that buttons can publish here.
    ///   - known: the devices of an earlier run; their ids and their entities' stay, so that a pass for a door stays a pass for that door.
    ///   - former: devices that were withdrawn or removed. They get their ids again when they are announced, and nobody else does.
    ///   - reserved: ids of devices and entities of other integrations, also of those that are gone.
    ///   - backoff: how long to wait before trying again.
    ///   - trust: how long after its last word the broker is taken to be awake; beyond it, it is asked before an order goes out.
    ///   - luck: a number between 0 and 1, for the jitter.
    public init(
        settings: MQTTSettings, desk: any DeviceSink, logger: Logger, house: HomeAssistantExport? = nil, events: (any EventSink)? = nil,
        publishing: (any PublishingSink)? = nil, known: [Device] = [], former: [Device] = [], reserved: Set<String> = [],
        backoff: Backoff = Backoff(),
        trust: Duration = .seconds(1),
        luck: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.sink = desk
        discoveryPublisher = house.map { DiscoveryPublisher(house: $0, settings: settings, logger: logger, now: now) }
        frigateListener = events.flatMap { events in
            settings.frigatePrefix.map { FrigateListener(prefix: $0, events: events, logger: logger, now: now) }
        }
        self.publishing = publishing
        self.logger = logger
        self.backoff = backoff
        self.trustInterval = trust
        self.randomJitter = luck
        self.now = now
        self.known = known.map(\.id)
        registry = DiscoveryRegistry(names: IDAllocator(known: known, former: former, reserved: reserved))
        clientID = settings.clientID ?? "cardea-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        currentHealth = IntegrationHealth(status: .connecting, since: now())
        (healthUpdates, healthContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        healthContinuation.yield(currentHealth)
    }

    // MARK: Service

    /// Stays with the broker until the house shuts down, and leaves saying `offline`.
    public func run() async throws {
        if let problem = settings.problem {
            setHealth(.failed, reason: problem)
            try await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.serve() }
                if let frigate = self.frigateListener { group.addTask { await frigate.serve() } }
            }
        }
        setHealth(.off, reason: nil)
    }

    private func serve() async {
        // Until the broker has told, nobody knows how they stand.
        await reportAvailability(.unknown, of: known)
        while !Task.isCancelled {
            let reason: String
            do {
                let connection = try await MosquittoConnection.open(options)
                let start = ContinuousClock.now
                let end = await runConnection(connection)
                // A broker that takes us and drops us at once is not well yet.
                if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
                reason = end.message
            } catch .hungUp where settings.tls && settings.certPEM == nil {
                // What a broker does that asks for certificates depends on who is quicker, its reason or its hanging up.
                reason = MQTTConnectionError.hungUp.message + "; it may want a certificate of ours"
            } catch {
                reason = error.message
            }
            if Task.isCancelled { return }
            setHealth(.failed, reason: reason)
            logger.warning("The MQTT broker is away", metadata: ["reason": "\(reason)"])
            // That nobody is there any more may be what the house could not keep.
            await retryUndelivered()
            try? await Task.sleep(for: backoff.next(luck: randomJitter()))
        }
    }

    private var options: ConnectionOptions {
        var options = ConnectionOptions(host: settings.host, port: settings.port, clientID: clientID)
        if settings.tls {
            options.tls = .init(caPEM: settings.caPEM, certificatePEM: settings.certPEM, keyPEM: settings.keyPEM)
        }
        options.username = settings.username
        options.password = settings.password
        options.payloadLimit = AnnouncementStore.limit
        options.will = Self.status("offline")
        return options
    }

    /// On it whoever reads announcements says that it is there, as Home Assistant does.
    var birthTopic: String { "\(settings.discoveryPrefix)/status" }

    private static func status(_ word: String) -> OutgoingMessage {
        OutgoingMessage(topic: statusTopic, payload: Array(word.utf8), quality: .atLeastOnce, isRetained: true)
    }

    /// Lives one connection, from the birth message to its end.
    private func runConnection(_ connection: MosquittoConnection) async -> MQTTConnectionError {
        refusals = [:]
        subscribedTopics = []
        dropped = 0
        do {
            try await publishBirthMessage(on: connection)
            try await discoveryPublisher?.listen(on: connection)
            try await subscribe(
                DiscoveryTopic.filters(prefix: settings.discoveryPrefix) + [birthTopic]
                    + (frigateListener?.topics.filters ?? []), on: connection)
            // What was known before is asked for again: its retained states are how things stand now.
            try await report(registry.collectChanges(at: now()), on: connection)
            // Once per connection, and never `offline`: devices announce again what the broker does not keep.
            awaitsBirthMessage = true
            _ = try await connection.publish(OutgoingMessage(topic: birthTopic, payload: Array("online".utf8)))
        } catch {
            await connection.close()
            // What was to be listened to may not be: the next connection asks for all of it.
            registry.markDisconnected()
            return error
        }
        self.connection = connection
        setHealth(.connected, reason: refusals[Self.statusTopic])
        await publishing?.reportConnection(.mqtt, isUp: true)
        logger.info("Connected to the MQTT broker", metadata: ["mqtt5": "\(connection.speaksMQTT5)"])
        await withTaskGroup(of: Void.self) { group in
            if let discoveryPublisher { group.addTask { await discoveryPublisher.serve(on: connection) } }
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: .seconds(10)) } catch { return }
                    await self.retryUndelivered()
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: .seconds(1)) } catch { return }
                    await self.expire()
                }
            }
            await withTaskExecutorPreference(connection.executor) {
                for await batch in connection.messages {
                    lastHeard = .now
                    await process(batch, on: connection)
                }
            }
            group.cancelAll()
        }
        self.connection = nil
        confirmations.connectionLost()
        await publishing?.reportConnection(.mqtt, isUp: false)
        if Task.isCancelled {
            _ = try? await connection.publish(Self.status("offline"))
            await connection.close()
        }
        await frigateListener?.connectionLost()
        registry.markDisconnected()
        await reportAvailability()
        return await connection.end
    }

    /// The birth message is also the one that the broker acknowledges, so it shows whether we may publish at all.
    private func publishBirthMessage(on connection: MosquittoConnection) async throws(MQTTConnectionError) {
        let code = try await connection.publish(Self.status("online"))
        if code >= 128 {
            refusals[Self.statusTopic] =
                "The broker does not let us publish on \(Self.statusTopic) (reason code \(code)); it may refuse commands too, and would not say so."
        }
    }

    func subscribe(_ topics: [String], on connection: MosquittoConnection) async throws(MQTTConnectionError) {
        guard !topics.isEmpty else { return }
        let answers = try await connection.subscribe(topics)
        subscribedTopics.formUnion(topics)
        for (topic, code) in zip(topics, answers) {
            guard code >= 128 else { continue }
            if refusals.count < DiscoveryRegistry.problemLimit {
                refusals[topic] = "The broker does not let us read \(DeviceText.quoted(topic)) (reason code \(code))."
            }
        }
    }

    // MARK: What the house is told

    /// - Parameter round: how often ids that the house had given away already were replaced by others.
    func report(_ changes: DiscoveryRegistry.Changes, on connection: MosquittoConnection, round: Int = 0) async throws(MQTTConnectionError)
    {
        var taken: [String] = []
        for device in changes.announced {
            let problem = await announce(device)
            registry.acknowledge(device.id)
            switch problem {
            case let error as EntityIDConflictError where round < Self.maximumRounds: taken.append(error.entityID)
            case is DeviceIDConflictError where round < Self.maximumRounds: taken.append(device.id)
            case let error?: logger.error("The house did not take a device", metadata: ["device": "\(device.id)", "error": "\(error)"])
            case nil: break
            }
        }
        for deviceID in changes.withdrawn { await withdraw(deviceID) }
        for id in taken { registry.release(id) }
        try await subscribe(changes.subscribe, on: connection)
        // Where a button's device answers is listened to all the same.
        let unwanted = changes.unsubscribe.filter { !confirmations.topics.contains($0) }
        if !unwanted.isEmpty { try await connection.unsubscribe(unwanted) }
        if !taken.isEmpty { try await report(registry.collectChanges(at: now()), on: connection, round: round + 1) }
    }

    private static let maximumRounds = 3

    /// - Returns: why the house did not take it; nil where it did, or where something newer was said of it meanwhile.
    private func announce(_ device: Device) async -> (any Error)? {
        let turn = undelivered.begin(of: device.id)
        do {
            try await sink.announce(device)
            guard undelivered.end(turn, of: device.id) else { return nil }
            if rejectedDevices.removeValue(forKey: device.id) != nil { registry.resendStatus(of: device.id) }
            return nil
        } catch {
            guard undelivered.end(turn, of: device.id) else { return nil }
            rejectedDevices[device.id] = "\(error)"
            // Whose name is somebody else's is not taken the next time either.
            if !(error is EntityIDConflictError || error is DeviceIDConflictError) { undelivered.devices[device.id] = device }
            return error
        }
    }

    private func withdraw(_ deviceID: String) async {
        let turn = undelivered.begin(of: deviceID)
        rejectedDevices[deviceID] = nil
        do {
            try await sink.withdraw(deviceID: deviceID, integration: Self.name)
        } catch {
            if undelivered.end(turn, of: deviceID) { undelivered.withdrawn.insert(deviceID) }
            logger.error("The house did not let a device go", metadata: ["device": "\(deviceID)", "error": "\(error)"])
        }
    }

    /// - Parameter onItsThread: by the task that runs on the connection's thread, which may wait there.
    func report(in reports: [EntityReport], onItsThread: Bool = false) async {
        // Of a device that the house did not take, somebody else may have the id.
        let reports = reports.filter { report in registry[report.entityID].map { rejectedDevices[$0.deviceID] == nil } ?? false }
        guard !reports.isEmpty else { return }
        do {
            if onItsThread, connection?.isOnConnectionThread == true {
                // The thread waits for the disk: an order that comes meanwhile goes another way, and so does whoever asks how we stand.
                connectionExecutor.withLock { $0 = nil }
                defer { connectionExecutor.withLock { [executor = connection?.executor] in $0 = executor } }
                try await sink.report(onOwnThread: reports)
            } else {
                try await sink.report(reports)
            }
        } catch {
            undelivered.reports += reports.count
            logger.error("The house did not take what devices said", metadata: ["reports": "\(reports.count)", "error": "\(error)"])
        }
    }

    /// What the house could not keep it is told again, as it stands by now, until it can: nobody may say the same twice for hours.
    private func retryUndelivered() async {
        guard !undelivered.isEmpty else { return }
        undelivered.reports = 0
        // What was announced anew or has gone meanwhile is not owed any more.
        for deviceID in undelivered.devices.keys {
            if let device = undelivered.devices[deviceID] { _ = await announce(device) }
        }
        for deviceID in undelivered.withdrawn where undelivered.withdrawn.contains(deviceID) { await withdraw(deviceID) }
        await report(in: registry.currentReports)
        await reportAvailability()
    }

    private func expire() async { await report(in: registry.expire(at: now())) }

    func reportAvailability() async {
        for (status, deviceIDs) in registry.changedStatuses(isConnected: connection != nil) {
            await reportAvailability(status, of: deviceIDs.filter { rejectedDevices[$0] == nil })
        }
    }

    private func reportAvailability(_ status: DeviceStatus, of deviceIDs: [String]) async {
        guard !deviceIDs.isEmpty else { return }
        do {
            try await sink.reportAvailability(status, deviceIDs: deviceIDs)
        } catch {
            undelivered.reports += deviceIDs.count
            for deviceID in deviceIDs { registry.resendStatus(of: deviceID) }
            logger.error("The house did not take who is there", metadata: ["error": "\(error)"])
        }
    }

    /// After a flood that was too much, the states are read again, so that nothing stays wrong.
    func rereadDroppedStates(on connection: MosquittoConnection) async {
        let count = connection.droppedMessages
        guard count > dropped else { return }
        dropped = count
        registry.markDisconnected()
        await reportAvailability()
        do throws(MQTTConnectionError) {
            try await subscribe(DiscoveryTopic.filters(prefix: settings.discoveryPrefix), on: connection)
            try await report(registry.collectChanges(at: now()), on: connection)
        } catch {
            await connection.close()
        }
    }

    private func setHealth(_ status: IntegrationHealth.Status, reason: String?) {
        if currentHealth.status != status { currentHealth.since = now() }
        currentHealth.status = status
        currentHealth.reason = reason
        healthContinuation.yield(currentHealth)
    }
}
