import CardeaHub
import CardeaModel
import Foundation
import Logging
import NIOCore
import ServiceLifecycle

/// The household's Home Assistant: its devices are mirrored, and commands to them are sent through it.
///
/// It receives, translates and reports; it decides nothing. A command is sent at most once, and only while there is a connection: otherwise
/// it is refused, and a broken connection is discarded with everything still queued in it.
public actor HomeAssistantIntegration: RunningIntegration {
    public static let name = "home-assistant"

    public nonisolated let integration = HomeAssistantIntegration.name

    let settings: HomeAssistantSettings
    private let sink: any DeviceSink
    let events: (any EventSink)?
    let presenceSink: (any PresenceSink)?
    let logger: Logger
    let now: @Sendable () -> Date
    let timing: Timing
    private let randomJitter: @Sendable () -> Double

    private var backoff: Backoff
    var mirror: HomeAssistantMirror
    var presenceTracker = PresenceTracker()
    var announcementTracker: AnnouncementTracker
    private var deviceIDAllocator: DeviceIDAllocator
    private var roomIDAllocator = DeviceIDAllocator()
    var session: WebSocketSession?
    var currentHealth: IntegrationHealth
    public nonisolated let healthUpdates: AsyncStream<IntegrationHealth>
    private let healthContinuation: AsyncStream<IntegrationHealth>.Continuation
    /// Devices the house did not take, with its reason.
    var rejectedDevices: [String: String] = [:]
    /// The last error messages of Home Assistant for failed calls, by entity.
    var lastErrors: [String: String] = [:]
    /// Reports that the house could not keep since it was last read.
    var lostReports = 0
    var overflows = 0
    /// The number of registry changes, and of renamings, received before the last reading.
    private(set) var readChanges = WebSocketSession.RegistryChanges()
    /// When the whole house was last read to its end.
    private var lastRead = ContinuousClock.now
    /// The sightings to report. The stream outlives the connection on which they were received.
    let sightings = AsyncStream<IntegrationEvent>.makeStream(bufferingPolicy: .bufferingOldest(256))

    /// - Parameters:
    ///   - events: receives rings and motion.
    ///   - presence: receives the presence of those who linked an entity; nil if linking is not possible.
    ///   - known: devices of an earlier run, so that a pass for a door stays a pass for that door.
    ///   - former: devices that were withdrawn or removed. Only they get their ids again.
    ///   - reserved: ids of other integrations' devices, and of entities that these have no more.
    ///   - backoff: how long to wait before trying again.
    ///   - random: a number between 0 and 1, for the jitter.
    public init(
        settings: HomeAssistantSettings, sink: any DeviceSink, events: (any EventSink)? = nil, presence: (any PresenceSink)? = nil,
        logger: Logger, known: [Device] = [], former: [Device] = [], reserved: Set<String> = [],
        backoff: Backoff = Backoff(), pace: Timing = Timing(), random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.sink = sink
        self.events = events
        presenceSink = presence
        self.logger = logger
        self.backoff = backoff
        self.timing = pace
        self.randomJitter = random
        self.now = now
        mirror = HomeAssistantMirror(known: known, former: former, reserved: reserved)
        deviceIDAllocator = DeviceIDAllocator(known: known, former: former, reserved: reserved)
        announcementTracker = AnnouncementTracker(known: known)
        currentHealth = IntegrationHealth(status: .connecting, since: now())
        (healthUpdates, healthContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        healthContinuation.yield(currentHealth)
    }

    // MARK: Service

    /// Stays with Home Assistant until the house shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.serve() }
                group.addTask { await self.reportSightings() }
            }
        }
        setHealth(.off, reason: nil)
    }

    private func serve() async {
        // States from an earlier run are unknown until they have been read.
        await reportAvailability()
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let failure = await runConnection()
            // A server that accepts a connection and drops it at once has not recovered yet.
            if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
            await reportAvailability()
            if Task.isCancelled { return }
            setHealth(.failed, reason: failure.message)
            logger.warning("Home Assistant is not reachable", metadata: ["reason": "\(failure.message)"])
            try? await Task.sleep(for: failure == .unauthorised ? timing.refusedTokenDelay : backoff.next(random: randomJitter()))
        }
    }

    /// Lives one connection, from dialling to its end.
    private func runConnection() async -> HomeAssistantConnectionError {
        let line: WebSocketConnection
        do {
            line = try await WebSocketConnection.open(settings.address, caPEM: settings.caPEM)
        } catch {
            return error
        }
        let conversation = WebSocketSession(channel: line.channel)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await line.receiveFrames(for: conversation) }
            group.addTask { await self.runSession(conversation) }
            group.addTask { await self.monitor(conversation) }
            await group.next()
            conversation.end(.closed)
            group.cancelAll()
        }
        self.session = nil
        overflows += conversation.overflows
        return conversation.ending ?? .closed
    }

    private func runSession(_ conversation: WebSocketSession) async {
        do throws(HomeAssistantConnectionError) {
            let version = try await conversation.authenticate(settings.token, within: .init(timing.replyTimeout))
            _ = try await request(conversation, "supported_features", ["features": ["coalesce_messages": 1]])
            // Subscribed before anything is read, so that no event is missed.
            for event in HomeAssistantEvent.subscribedTypes {
                _ = try await request(conversation, "subscribe_events", ["event_type": .string(event)])
            }
            try await readAll(conversation)
            self.session = conversation
            setHealth(.connected, reason: nil)
            logger.info("connected to Home Assistant", metadata: ["version": "\(version)"])
            for await _ in conversation.signals { try await process(conversation.drainEvents(), from: conversation) }
        } catch {
            conversation.end(error)
        }
    }

    /// Sees to it that a connection which has gone dead is noticed, and that a Home Assistant which is still starting is read again.
    private func monitor(_ conversation: WebSocketSession) async {
        while conversation.ending == nil, !Task.isCancelled {
            do { try await Task.sleep(for: min(timing.startupInterval, timing.pingInterval)) } catch { return }
            guard self.session != nil else { continue }
            let age = ContinuousClock.now - lastRead
            if !mirror.isComplete, age >= timing.startupInterval {
                conversation.append([.reloadRequired])
            } else if lostReports > 0, age >= timing.pingInterval {
                // The same state may not be reported again for hours.
                conversation.append([.reloadRequired])
            } else if ContinuousClock.now - conversation.lastReceived >= timing.pingInterval,
                await !conversation.respondsToPing(within: .init(timing.replyTimeout))
            {
                conversation.end(.unresponsive)
            }
        }
    }

    // MARK: Reading the house

    /// Asks for what cannot be done without.
    private func request(_ conversation: WebSocketSession, _ type: String, _ fields: [String: JSONValue] = [:], isSnapshot: Bool = false)
        async throws(HomeAssistantConnectionError) -> JSONValue
    {
        switch await conversation.request(type, fields, isSnapshot: isSnapshot) {
        case .done(let result): return result
        case .refused(_, let message): throw .refused(Name.cleaned(message, else: type))
        case .unanswered, .unsent: throw conversation.ending ?? .unresponsive
        }
    }

    private func readAll(_ conversation: WebSocketSession) async throws(HomeAssistantConnectionError) {
        lostReports = 0
        // Earlier conflicts may be resolved.
        mirror.foreignEntities = []
        let config = try await request(conversation, "get_config")
        mirror.isFahrenheit = config["unit_system"]?["temperature"]?.string == "°F"
        mirror.isComplete = config["state"]?.string == "RUNNING"
        try await readRegistries(conversation)
        let states = try await request(conversation, "get_states", isSnapshot: true)
        mirror.read(states: states)
        presenceTracker.replaceAll(states, at: now())
        // An entity may have been added or renamed meanwhile; its state alone does not say which one it is.
        for _ in 0..<3 where conversation.registryChanges != readChanges { try await readRegistries(conversation) }
        await updateDevices()
        // These states are from before the connection: they answer no command.
        await report(in: mirror.reports.keys.compactMap { report($0, isFresh: false) })
        await reportAvailability(isConnected: true)
        // Otherwise an entity may belong to another entry by now; it is reported when the registry has been read.
        if conversation.registryChanges == readChanges { await reportPresences() }
        lastRead = .now
    }

    private func readRegistries(_ conversation: WebSocketSession) async throws(HomeAssistantConnectionError) {
        let changes = conversation.registryChanges
        let areas = try await request(conversation, "config/area_registry/list")
        let devices = try await request(conversation, "config/device_registry/list")
        let entities = try await request(conversation, "config/entity_registry/list")
        readChanges = changes
        mirror.isRegistryCurrent = changes == conversation.registryChanges
        mirror.read(areas: areas, devices: devices, entities: entities)
    }

    /// Applies the received events, all in one commit.
    private func process(_ newEvents: [HomeAssistantEvent], from conversation: WebSocketSession) async throws(HomeAssistantConnectionError)
    {
        guard !newEvents.contains(.renamed) else {
            // Two entities may have exchanged names, and a state may belong to either: everything is read again.
            try await readAll(conversation)
            let later = newEvents.compactMap(\.withoutState).filter { ![.renamed, .registryChanged, .reloadRequired].contains($0) }
            return try await process(later, from: conversation)
        }
        mirror.isRegistryCurrent = conversation.registryChanges == readChanges
        var reports: [EntityReport] = []
        var (isChanged, isPresenceChanged) = (false, false)
        for event in newEvents {
            switch event {
            case .stateReported(let stateReport):
                if mirror.apply(stateReport) { isChanged = true }
                if let report = report(stateReport.entityID, isFresh: true) { reports.append(report) }
            case .entityRemoved(let entityID):
                mirror.handleRemoval(entityID)
                presenceTracker.remove(entityID)
                isChanged = true
            case .serviceCompleted(let entityID):
                if let report = report(entityID, isFresh: true) { reports.append(report) }
            case .detection(let occurrence):
                if let sighting = sighting(occurrence) { sightings.continuation.yield(sighting) }
            case .presence(let state):
                if presenceTracker.apply(state, at: now()) { isPresenceChanged = true }
            case .registryChanged, .renamed, .reloadRequired: break
            }
        }
        let mustReadAgain = newEvents.contains(.reloadRequired)
        if newEvents.contains(.registryChanged), !mustReadAgain {
            try await readRegistries(conversation)
            (isChanged, isPresenceChanged) = (true, true)
        }
        if isChanged { await updateDevices() }
        await report(in: reports)
        await reportAvailability(isConnected: true)
        // After the states, which may answer a command.
        if mustReadAgain {
            try await readAll(conversation)
        } else if isPresenceChanged {
            // By the present registry: an entity that took over the entity id of a removed person is not that person.
            await reportPresences()
        }
    }

    private func report(_ entityID: String, isFresh: Bool) -> EntityReport? {
        guard let id = mirror.houseID(of: entityID) else { return nil }
        return mirror.state(of: entityID).map { EntityReport(entityID: id, state: $0, isFresh: isFresh) }
    }

    // MARK: Reporting

    /// Announces new and changed devices, and withdraws removed ones.
    private func updateDevices() async {
        do {
            try await sink.announce(rooms: mirror.rooms(with: &roomIDAllocator))
        } catch {
            lostReports += 1
            logger.error("rooms could not be stored", metadata: ["error": "\(error)"])
        }
        // Devices that turn out to belong to another integration are left out, and the rest is arranged again.
        for _ in 0..<8 {
            let arranged = mirror.arrangedDevices(with: &deviceIDAllocator, rooms: &roomIDAllocator, owners: announcementTracker.owners)
            let changes = announcementTracker.changes(to: arranged, isComplete: mirror.isComplete)
            let ids = Set(arranged.map(\.id))
            rejectedDevices = rejectedDevices.filter { ids.contains($0.key) }
            for id in changes.withdrawn { await withdraw(id) }
            // An entity that moves to another device leaves its old one first, or it would seem to belong to that one.
            _ = await announce(changes.left)
            guard await !announce(changes.announced) else { return }
        }
    }

    /// Hands in devices side by side, so that they share their commits. False when some must be arranged otherwise.
    private func announce(_ devices: [Device]) async -> Bool {
        let sink = sink
        var isDone = true
        await withTaskGroup(of: (Device, (any Error)?).self) { group in
            for device in devices {
                group.addTask {
                    do {
                        try await sink.announce(device)
                        return (device, nil)
                    } catch {
                        return (device, error)
                    }
                }
            }
            for await (device, error) in group {
                switch error {
                case nil:
                    announcementTracker.recordAnnounced(device)
                    rejectedDevices[device.id] = nil
                case let error as EntityIDConflictError where mirror.foreignEntities.insert(error.entityID).inserted: isDone = false
                case let error as DeviceIDConflictError:
                    deviceIDAllocator.release(away: error.deviceID)
                    isDone = false
                case let error?:
                    rejectedDevices[device.id] = DeviceSinkErrorText.text(for: error)
                    // A device with a conflicting id would be refused again; one that the disk had no room for is retried.
                    if !(error is EntityIDConflictError) { lostReports += device.entities.count }
                    logger.error("device could not be stored", metadata: ["device": "\(device.id)", "error": "\(error)"])
                }
            }
        }
        return isDone
    }

    private func withdraw(_ deviceID: String) async {
        do {
            try await sink.withdraw(deviceID: deviceID, integration: Self.name)
            announcementTracker.recordWithdrawn(deviceID)
        } catch {
            lostReports += 1
            logger.error("device could not be removed", metadata: ["device": "\(deviceID)", "error": "\(error)"])
        }
    }

    private func report(in reports: [EntityReport]) async {
        let ours = reports.filter { announcementTracker.owners[$0.entityID] != nil && !mirror.foreignEntities.contains($0.entityID) }
        guard !ours.isEmpty else { return }
        do {
            try await sink.report(ours)
        } catch {
            lostReports += ours.count
            logger.error("device reports could not be stored", metadata: ["reports": "\(ours.count)", "error": "\(error)"])
        }
    }

    private func reportAvailability(isConnected: Bool = false) async {
        for (status, deviceIDs) in announcementTracker.changedStatuses(isConnected: isConnected, isAway: mirror.isAway) {
            do {
                try await sink.reportAvailability(status, deviceIDs: deviceIDs)
            } catch {
                lostReports += deviceIDs.count
                announcementTracker.resendStatuses(of: deviceIDs)
                logger.error("device list could not be stored", metadata: ["error": "\(error)"])
            }
        }
    }

    private func setHealth(_ status: IntegrationHealth.Status, reason: String?) {
        if currentHealth.status != status { currentHealth.since = now() }
        currentHealth.status = status
        currentHealth.reason = reason
        healthContinuation.yield(currentHealth)
    }
}
