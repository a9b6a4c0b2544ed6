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
    let desk: any DeviceDesk
    /// Who tells Home Assistant of the house; nil where there is nothing to tell.
    let announcer: HouseAnnouncer?
    /// Nil where nobody wants to hear of it.
    let frigate: Frigate?
    /// Who is told that buttons can publish here, and that they no longer can.
    private let publishing: (any PublishingDesk)?
    private let logger: Logger
    let now: @Sendable () -> Date
    let trust: Duration
    private let luck: @Sendable () -> Double
    private let clientID: String

    private var backoff: Backoff
    var roster: Roster
    var connection: MosquittoConnection? {
        didSet { line.withLock { [executor = connection?.executor] in $0 = executor } }
    }
    /// The thread of the connection, for whoever hands an order over; nil while it waits for the disk, too.
    nonisolated let line = Mutex<(any TaskExecutor)?>(nil)
    /// When the broker last sent anything.
    var lastHeard: ContinuousClock.Instant?
    /// Whose answers to what buttons have said are waited for.
    var answers = AnswerWatch()
    var standing: IntegrationHealth
    public nonisolated let standings: AsyncStream<IntegrationHealth>
    private let told: AsyncStream<IntegrationHealth>.Continuation
    /// What the broker does not let us do, by topic.
    var refusals: [String: String] = [:]
    /// Devices the house did not take, with its reason.
    var untaken: [String: String] = [:]
    var oversized = 0
    var dropped = 0
    /// The birth message of this connection has not come back yet.
    var hearsItsBirth = false
    /// What the broker has confirmed to tell us on this connection.
    var listening: Set<String> = []
    /// What the house could not keep, and has not been told again.
    var owed = Owed()
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
        settings: MQTTSettings, desk: any DeviceDesk, logger: Logger, house: OwnHouse? = nil, events: (any EventDesk)? = nil,
        publishing: (any PublishingDesk)? = nil, known: [Device] = [], former: [Device] = [], reserved: Set<String> = [],
        backoff: Backoff = Backoff(),
        trust: Duration = .seconds(1),
        luck: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.desk = desk
        announcer = house.map { HouseAnnouncer(house: $0, settings: settings, logger: logger, now: now) }
        frigate = events.flatMap { events in
            settings.frigatePrefix.map { Frigate(prefix: $0, events: events, logger: logger, now: now) }
        }
        self.publishing = publishing
        self.logger = logger
        self.backoff = backoff
        self.trust = trust
        self.luck = luck
        self.now = now
        self.known = known.map(\.id)
        roster = Roster(names: Names(known: known, former: former, reserved: reserved))
        clientID = settings.clientID ?? "cardea-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        standing = IntegrationHealth(status: .connecting, since: now())
        (standings, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        told.yield(standing)
    }

    // MARK: Service

    /// Stays with the broker until the house shuts down, and leaves saying `offline`.
    public func run() async throws {
        if let problem = settings.problem {
            stand(.failed, reason: problem)
            try await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.serve() }
                if let frigate = self.frigate { group.addTask { await frigate.serve() } }
            }
        }
        stand(.off, reason: nil)
    }

    private func serve() async {
        // Until the broker has told, nobody knows how they stand.
        await tell(.unknown, of: known)
        while !Task.isCancelled {
            let reason: String
            do {
                let connection = try await MosquittoConnection.open(options)
                let start = ContinuousClock.now
                let end = await attend(connection)
                // A broker that takes us and drops us at once is not well yet.
                if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
                reason = end.words
            } catch .hungUp where settings.tls && settings.certPEM == nil {
                // What a broker does that asks for certificates depends on who is quicker, its reason or its hanging up.
                reason = ConnectionFailure.hungUp.words + "; it may want a certificate of ours"
            } catch {
                reason = error.words
            }
            if Task.isCancelled { return }
            stand(.failed, reason: reason)
            logger.warning("The MQTT broker is away", metadata: ["reason": "\(reason)"])
            // That nobody is there any more may be what the house could not keep.
            await mendLosses()
            try? await Task.sleep(for: backoff.next(luck: luck()))
        }
    }

    private var options: ConnectionOptions {
        var options = ConnectionOptions(host: settings.host, port: settings.port, clientID: clientID)
        if settings.tls {
            options.tls = .init(caPEM: settings.caPEM, certificatePEM: settings.certPEM, keyPEM: settings.keyPEM)
        }
        options.username = settings.username
        options.password = settings.password
        options.payloadLimit = KeptAnnouncements.limit
        options.will = Self.status("offline")
        return options
    }

    /// On it whoever reads announcements says that it is there, as Home Assistant does.
    var birthTopic: String { "\(settings.discoveryPrefix)/status" }

    private static func status(_ word: String) -> OutgoingMessage {
        OutgoingMessage(topic: statusTopic, payload: Array(word.utf8), quality: .atLeastOnce, isRetained: true)
    }

    /// Lives one connection, from the birth message to its end.
    private func attend(_ connection: MosquittoConnection) async -> ConnectionFailure {
        refusals = [:]
        listening = []
        dropped = 0
        do {
            try await sayBirth(on: connection)
            try await announcer?.listen(on: connection)
            try await subscribe(
                DiscoveryTopic.filters(prefix: settings.discoveryPrefix) + [birthTopic]
                    + (frigate?.topics.filters ?? []), on: connection)
            // What was known before is asked for again: its retained states are how things stand now.
            try await tell(roster.settle(at: now()), on: connection)
            // Once per connection, and never `offline`: devices announce again what the broker does not keep.
            hearsItsBirth = true
            _ = try await connection.publish(OutgoingMessage(topic: birthTopic, payload: Array("online".utf8)))
        } catch {
            await connection.close()
            // What was to be listened to may not be: the next connection asks for all of it.
            roster.loseSight()
            return error
        }
        self.connection = connection
        stand(.connected, reason: refusals[Self.statusTopic])
        await publishing?.carrier(.mqtt, isUp: true)
        logger.info("Connected to the MQTT broker", metadata: ["mqtt5": "\(connection.speaksMQTT5)"])
        await withTaskGroup(of: Void.self) { group in
            if let announcer { group.addTask { await announcer.serve(on: connection) } }
            group.addTask {
                while !Task.isCancelled {
                    do { try await Task.sleep(for: .seconds(10)) } catch { return }
                    await self.mendLosses()
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
                    await take(batch, on: connection)
                }
            }
            group.cancelAll()
        }
        self.connection = nil
        answers.lost()
        await publishing?.carrier(.mqtt, isUp: false)
        if Task.isCancelled {
            _ = try? await connection.publish(Self.status("offline"))
            await connection.close()
        }
        await frigate?.lost()
        roster.loseSight()
        await tellStatuses()
        return await connection.end
    }

    /// The birth message is also the one that the broker acknowledges, so it shows whether we may publish at all.
    private func sayBirth(on connection: MosquittoConnection) async throws(ConnectionFailure) {
        let code = try await connection.publish(Self.status("online"))
        if code >= 128 {
            refusals[Self.statusTopic] =
                "The broker does not let us publish on \(Self.statusTopic) (reason code \(code)); it may refuse commands too, and would not say so."
        }
    }

    func subscribe(_ topics: [String], on connection: MosquittoConnection) async throws(ConnectionFailure) {
        guard !topics.isEmpty else { return }
        let answers = try await connection.subscribe(topics)
        listening.formUnion(topics)
        for (topic, code) in zip(topics, answers) {
            guard code >= 128 else { continue }
            if refusals.count < Roster.problemLimit {
                refusals[topic] = "The broker does not let us read \(Text.quoted(topic)) (reason code \(code))."
            }
        }
    }

    // MARK: What the house is told

    /// - Parameter round: how often ids that the house had given away already were replaced by others.
    func tell(_ changes: Roster.Changes, on connection: MosquittoConnection, round: Int = 0) async throws(ConnectionFailure) {
        var taken: [String] = []
        for device in changes.announced {
            let problem = await announce(device)
            roster.told(device.id)
            switch problem {
            case let error as EntityTaken where round < Self.rounds: taken.append(error.entityID)
            case is DeviceTaken where round < Self.rounds: taken.append(device.id)
            case let error?: logger.error("The house did not take a device", metadata: ["device": "\(device.id)", "error": "\(error)"])
            case nil: break
            }
        }
        for deviceID in changes.withdrawn { await withdraw(deviceID) }
        for id in taken { roster.giveUp(id) }
        try await subscribe(changes.subscribe, on: connection)
        // Where a button's device answers is listened to all the same.
        let unwanted = changes.unsubscribe.filter { !answers.topics.contains($0) }
        if !unwanted.isEmpty { try await connection.unsubscribe(unwanted) }
        if !taken.isEmpty { try await tell(roster.settle(at: now()), on: connection, round: round + 1) }
    }

    private static let rounds = 3

    /// - Returns: why the house did not take it; nil where it did, or where something newer was said of it meanwhile.
    private func announce(_ device: Device) async -> (any Error)? {
        let turn = owed.begin(of: device.id)
        do {
            try await desk.announce(device)
            guard owed.end(turn, of: device.id) else { return nil }
            if untaken.removeValue(forKey: device.id) != nil { roster.tellStatusAgain(of: device.id) }
            return nil
        } catch {
            guard owed.end(turn, of: device.id) else { return nil }
            untaken[device.id] = "\(error)"
            // Whose name is somebody else's is not taken the next time either.
            if !(error is EntityTaken || error is DeviceTaken) { owed.devices[device.id] = device }
            return error
        }
    }

    private func withdraw(_ deviceID: String) async {
        let turn = owed.begin(of: deviceID)
        untaken[deviceID] = nil
        do {
            try await desk.withdraw(deviceID: deviceID, integration: Self.name)
        } catch {
            if owed.end(turn, of: deviceID) { owed.withdrawn.insert(deviceID) }
            logger.error("The house did not let a device go", metadata: ["device": "\(deviceID)", "error": "\(error)"])
        }
    }

    /// - Parameter onItsThread: by the task that runs on the connection's thread, which may wait there.
    func hand(in reports: [EntityReport], onItsThread: Bool = false) async {
        // Of a device that the house did not take, somebody else may have the id.
        let reports = reports.filter { report in roster[report.entityID].map { untaken[$0.deviceID] == nil } ?? false }
        guard !reports.isEmpty else { return }
        do {
            if onItsThread, connection?.isOnItsThread == true {
                // The thread waits for the disk: an order that comes meanwhile goes another way, and so does whoever asks how we stand.
                line.withLock { $0 = nil }
                defer { line.withLock { [executor = connection?.executor] in $0 = executor } }
                try await desk.report(onOwnThread: reports)
            } else {
                try await desk.report(reports)
            }
        } catch {
            owed.reports += reports.count
            logger.error("The house did not take what devices said", metadata: ["reports": "\(reports.count)", "error": "\(error)"])
        }
    }

    /// What the house could not keep it is told again, as it stands by now, until it can: nobody may say the same twice for hours.
    private func mendLosses() async {
        guard !owed.isEmpty else { return }
        owed.reports = 0
        // What was announced anew or has gone meanwhile is not owed any more.
        for deviceID in owed.devices.keys {
            if let device = owed.devices[deviceID] { _ = await announce(device) }
        }
        for deviceID in owed.withdrawn where owed.withdrawn.contains(deviceID) { await withdraw(deviceID) }
        await hand(in: roster.standing)
        await tellStatuses()
    }

    private func expire() async { await hand(in: roster.expire(at: now())) }

    func tellStatuses() async {
        for (status, deviceIDs) in roster.changedStatuses(isConnected: connection != nil) {
            await tell(status, of: deviceIDs.filter { untaken[$0] == nil })
        }
    }

    private func tell(_ status: DeviceStatus, of deviceIDs: [String]) async {
        guard !deviceIDs.isEmpty else { return }
        do {
            try await desk.availability(status, deviceIDs: deviceIDs)
        } catch {
            owed.reports += deviceIDs.count
            for deviceID in deviceIDs { roster.tellStatusAgain(of: deviceID) }
            logger.error("The house did not take who is there", metadata: ["error": "\(error)"])
        }
    }

    /// After a flood that was too much, the states are read again, so that nothing stays wrong.
    func mendDrops(on connection: MosquittoConnection) async {
        let count = connection.droppedMessages
        guard count > dropped else { return }
        dropped = count
        roster.loseSight()
        await tellStatuses()
        do throws(ConnectionFailure) {
            try await subscribe(DiscoveryTopic.filters(prefix: settings.discoveryPrefix), on: connection)
            try await tell(roster.settle(at: now()), on: connection)
        } catch {
            await connection.close()
        }
    }

    private func stand(_ status: IntegrationHealth.Status, reason: String?) {
        if standing.status != status { standing.since = now() }
        standing.status = status
        standing.reason = reason
        told.yield(standing)
    }
}
