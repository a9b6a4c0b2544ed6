import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The devices that announce themselves on the household's MQTT broker, by Home Assistant's MQTT discovery.
///
/// It receives, translates and reports; it decides nothing. Its own presence is published on `cardea/status`.
///
/// A command is sent at most once and never retained: QoS 0, with an expiry if the broker uses MQTT 5, over a connection that is discarded
/// as a whole when it breaks.
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
    /// Announces the house to Home Assistant; nil if there is nothing to announce.
    let discoveryPublisher: DiscoveryPublisher?
    /// Nil if Frigate's events are not wanted.
    let frigateListener: FrigateListener?
    /// Receives whether buttons can publish over this connection.
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
    /// The connection's thread, for tasks that hand over commands; nil also while it waits for the disk.
    nonisolated let connectionExecutor = Mutex<(any TaskExecutor)?>(nil)
    /// When the broker last sent anything.
    var lastHeard: ContinuousClock.Instant?
    /// The replies that buttons' messages wait for.
    var confirmations = StateConfirmationTracker()
    var currentHealth: IntegrationHealth
    public nonisolated let healthUpdates: AsyncStream<IntegrationHealth>
    private let healthContinuation: AsyncStream<IntegrationHealth>.Continuation
    /// The reasons for which the broker refused something, by topic.
    var refusals: [String: String] = [:]
    /// Devices the house did not take, with its reason.
    var rejectedDevices: [String: String] = [:]
    var oversized = 0
    var dropped = 0
    /// The birth message of this connection has not come back yet.
    var awaitsBirthMessage = false
    /// The topics whose subscription the broker has confirmed on this connection.
    var subscribedTopics: Set<String> = []
    /// The updates that the house could not store and that were not delivered again yet.
    var undelivered = UndeliveredUpdates()
    /// Devices of an earlier run.
    private let known: [String]

    /// - Parameters:
    ///   - settings: the broker.
    ///   - sink: receives the devices and their reports.
    ///   - house: the house for Home Assistant to see, if the settings say so.
    ///   - events: receives the events of a Frigate on the broker, if the settings say so.
    ///   - publishing: receives whether buttons can publish here.
    ///   - known: the devices of an earlier run; their ids and their entities' stay, so that a pass for a door stays a pass for that door.
    ///   - former: devices that were withdrawn or removed. Only they get their ids again when they are announced.
    ///   - reserved: ids of devices and entities of other integrations, also of those that are gone.
    ///   - backoff: how long to wait before trying again.
    ///   - trust: how long after its last message the broker counts as responsive; after that it is checked before a command is sent.
    ///   - random: a number between 0 and 1, for the jitter.
    public init(
        settings: MQTTSettings, sink: any DeviceSink, logger: Logger, house: HomeAssistantExport? = nil, events: (any EventSink)? = nil,
        publishing: (any PublishingSink)? = nil, known: [Device] = [], former: [Device] = [], reserved: Set<String> = [],
        backoff: Backoff = Backoff(),
        trust: Duration = .seconds(1),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.sink = sink
        discoveryPublisher = house.map { DiscoveryPublisher(house: $0, settings: settings, logger: logger, now: now) }
        frigateListener = events.flatMap { events in
            settings.frigatePrefix.map { FrigateListener(prefix: $0, events: events, logger: logger, now: now) }
        }
        self.publishing = publishing
        self.logger = logger
        self.backoff = backoff
        self.trustInterval = trust
        self.randomJitter = random
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
        // Until the broker reports, their state is unknown.
        await reportAvailability(.unknown, of: known)
        while !Task.isCancelled {
            let reason: String
            do {
                let connection = try await MosquittoConnection.open(options)
                let start = ContinuousClock.now
                let end = await runConnection(connection)
                // A broker that accepts a connection and drops it at once has not recovered yet.
                if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
                reason = end.message
            } catch .hungUp where settings.tls && settings.certPEM == nil {
                // A broker that requires a client certificate sends its reason or closes the connection, whichever is faster.
                reason = MQTTConnectionError.hungUp.message + "; it may require a client certificate"
            } catch {
                reason = error.message
            }
            if Task.isCancelled { return }
            setHealth(.failed, reason: reason)
            logger.warning("MQTT broker is not reachable", metadata: ["reason": "\(reason)"])
            // The unstored updates may include that a device is gone.
            await retryUndelivered()
            try? await Task.sleep(for: backoff.next(random: randomJitter()))
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

    /// The topic on which a discovery reader announces that it is online, as Home Assistant does.
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
            // Known devices are subscribed to again: their retained states are the current ones.
            try await report(registry.collectChanges(at: now()), on: connection)
            // Once per connection, and never `offline`: devices then repeat announcements that the broker does not retain.
            awaitsBirthMessage = true
            _ = try await connection.publish(OutgoingMessage(topic: birthTopic, payload: Array("online".utf8)))
        } catch {
            await connection.close()
            // Subscriptions may be missing: the next connection subscribes to all.
            registry.markDisconnected()
            return error
        }
        self.connection = connection
        setHealth(.connected, reason: refusals[Self.statusTopic])
        await publishing?.reportConnection(.mqtt, isUp: true)
        logger.info("connected to the MQTT broker", metadata: ["mqtt5": "\(connection.speaksMQTT5)"])
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
                "The broker does not allow publishing on \(Self.statusTopic) (reason code \(code)). It may discard commands too. Allow it in the broker's access control."
        }
    }

    func subscribe(_ topics: [String], on connection: MosquittoConnection) async throws(MQTTConnectionError) {
        guard !topics.isEmpty else { return }
        let answers = try await connection.subscribe(topics)
        subscribedTopics.formUnion(topics)
        for (topic, code) in zip(topics, answers) {
            guard code >= 128 else { continue }
            if refusals.count < DiscoveryRegistry.problemLimit {
                refusals[topic] =
                    "The broker does not allow reading \(PayloadText.quoted(topic)) (reason code \(code)). Allow it in the broker's access control."
            }
        }
    }

    // MARK: Reporting

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
            case let error?: logger.error("device could not be stored", metadata: ["device": "\(device.id)", "error": "\(error)"])
            case nil: break
            }
        }
        for deviceID in changes.withdrawn { await withdraw(deviceID) }
        for id in taken { registry.release(id) }
        try await subscribe(changes.subscribe, on: connection)
        // A button's state topic stays subscribed.
        let unwanted = changes.unsubscribe.filter { !confirmations.topics.contains($0) }
        if !unwanted.isEmpty { try await connection.unsubscribe(unwanted) }
        if !taken.isEmpty { try await report(registry.collectChanges(at: now()), on: connection, round: round + 1) }
    }

    private static let maximumRounds = 3

    /// - Returns: why the house did not accept it; nil if it did, or if there is a newer announcement meanwhile.
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
            // An id of another device would be refused again.
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
            logger.error("device could not be removed", metadata: ["device": "\(deviceID)", "error": "\(error)"])
        }
    }

    /// - Parameter onItsThread: by the task that runs on the connection's thread, which may wait there.
    func report(in reports: [EntityReport], onItsThread: Bool = false) async {
        // The id of a device that the house refused may belong to another.
        let reports = reports.filter { report in registry[report.entityID].map { rejectedDevices[$0.deviceID] == nil } ?? false }
        guard !reports.isEmpty else { return }
        do {
            if onItsThread, connection?.isOnConnectionThread == true {
                // The thread is waiting for the disk: meanwhile commands and health checks use another executor.
                connectionExecutor.withLock { $0 = nil }
                defer { connectionExecutor.withLock { [executor = connection?.executor] in $0 = executor } }
                try await sink.report(onOwnThread: reports)
            } else {
                try await sink.report(reports)
            }
        } catch {
            undelivered.reports += reports.count
            logger.error("device reports could not be stored", metadata: ["reports": "\(reports.count)", "error": "\(error)"])
        }
    }

    /// Delivers the updates that the house could not store, with their present values, until it succeeds: a device may not repeat a state
    /// for hours.
    private func retryUndelivered() async {
        guard !undelivered.isEmpty else { return }
        undelivered.reports = 0
        // A device that was announced again or is gone meanwhile is not pending any more.
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
            logger.error("device availability could not be stored", metadata: ["error": "\(error)"])
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
