import CardeaHub
import CardeaModel
import Foundation
import Logging
import NIOCore
import ServiceLifecycle

/// The household's Home Assistant: its devices are mirrored, and what they are asked goes through it.
///
/// It listens, translates and reports; it decides nothing. A command goes out once, at most, and only while the connection stands: what
/// cannot be said now is refused, and a connection that breaks is thrown away with everything that still lies in it.
public actor HomeAssistantIntegration: RunningIntegration {
    public static let name = "home-assistant"

    public nonisolated let integration = HomeAssistantIntegration.name

    let settings: HomeAssistantSettings
    private let desk: any DeviceDesk
    let events: (any EventDesk)?
    let presenceDesk: (any PresenceDesk)?
    let logger: Logger
    let now: @Sendable () -> Date
    let pace: Pace
    private let luck: @Sendable () -> Double

    private var backoff: Backoff
    var household: Household
    var presences = PresenceStates()
    var roster: Roster
    private var deviceNames: DeviceNames
    private var roomNames = DeviceNames()
    var conversation: Conversation?
    var standing: IntegrationHealth
    public nonisolated let standings: AsyncStream<IntegrationHealth>
    private let told: AsyncStream<IntegrationHealth>.Continuation
    /// Devices the house did not take, with its reason.
    var untaken: [String: String] = [:]
    /// What Home Assistant last said when it could not do something, by entity.
    var complaints: [String: String] = [:]
    /// Reports that the house could not keep since it was last read.
    var lostReports = 0
    var overflows = 0
    /// How many changes of the registries, and how many renamings, had been heard when they were read.
    private(set) var readChanges = Conversation.RegistryChanges()
    /// When the whole house was last read to its end.
    private var lastRead = ContinuousClock.now
    /// What happened and is to be told. It outlives the connection on which it was heard.
    let sightings = AsyncStream<SourceSighting>.makeStream(bufferingPolicy: .bufferingOldest(256))

    /// - Parameters:
    ///   - events: where it is told who rang and what moved.
    ///   - presence: receives who is home, of those who linked an entity; nil where nobody can.
    ///   - known: devices of an earlier run, so that a pass for a door stays a pass for that door.
    ///   - former: devices that were withdrawn or removed. They get their ids again, and nobody else does.
    ///   - reserved: ids of other integrations' devices, and of entities that these have no more.
    ///   - backoff: how long to wait before trying again.
    ///   - luck: a number between 0 and 1, for the jitter.
    public init(
        settings: HomeAssistantSettings, desk: any DeviceDesk, events: (any EventDesk)? = nil, presence: (any PresenceDesk)? = nil,
        logger: Logger, known: [Device] = [], former: [Device] = [], reserved: Set<String> = [],
        backoff: Backoff = Backoff(), pace: Pace = Pace(), luck: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.desk = desk
        self.events = events
        presenceDesk = presence
        self.logger = logger
        self.backoff = backoff
        self.pace = pace
        self.luck = luck
        self.now = now
        household = Household(known: known, former: former, reserved: reserved)
        deviceNames = DeviceNames(known: known, former: former, reserved: reserved)
        roster = Roster(known: known)
        standing = IntegrationHealth(status: .connecting, since: now())
        (standings, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        told.yield(standing)
    }

    // MARK: Service

    /// Stays with Home Assistant until the house shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.serve() }
                group.addTask { await self.tellSightings() }
            }
        }
        stand(.off, reason: nil)
    }

    private func serve() async {
        // What an earlier run knew is out of reach until it has been read.
        await tellStatuses()
        while !Task.isCancelled {
            let start = ContinuousClock.now
            let failure = await attend()
            // One that takes us and drops us at once is not well yet.
            if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
            await tellStatuses()
            if Task.isCancelled { return }
            stand(.failed, reason: failure.words)
            logger.warning("Home Assistant is away", metadata: ["reason": "\(failure.words)"])
            try? await Task.sleep(for: failure == .unauthorised ? pace.refusal : backoff.next(luck: luck()))
        }
    }

    /// Lives one connection, from dialling to its end.
    private func attend() async -> ConnectionFailure {
        let line: WebSocketLine
        do {
            line = try await WebSocketLine.open(settings.address, caPEM: settings.caPEM)
        } catch {
            return error
        }
        let conversation = Conversation(channel: line.channel)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await line.listen(for: conversation) }
            group.addTask { await self.converse(conversation) }
            group.addTask { await self.watch(conversation) }
            await group.next()
            conversation.end(.closed)
            group.cancelAll()
        }
        self.conversation = nil
        overflows += conversation.overflows
        return conversation.ending ?? .closed
    }

    private func converse(_ conversation: Conversation) async {
        do throws(ConnectionFailure) {
            let version = try await conversation.authenticate(settings.token, within: .init(pace.patience))
            _ = try await told(conversation, "supported_features", ["features": ["coalesce_messages": 1]])
            // Listened to before anything is read, so that nothing falls in between.
            for event in Happening.events { _ = try await told(conversation, "subscribe_events", ["event_type": .string(event)]) }
            try await readAll(conversation)
            self.conversation = conversation
            stand(.connected, reason: nil)
            logger.info("Connected to Home Assistant", metadata: ["version": "\(version)"])
            for await _ in conversation.rings { try await take(conversation.take(), from: conversation) }
        } catch {
            conversation.end(error)
        }
    }

    /// Sees to it that a connection which has gone dead is noticed, and that a Home Assistant which is still starting is read again.
    private func watch(_ conversation: Conversation) async {
        while conversation.ending == nil, !Task.isCancelled {
            do { try await Task.sleep(for: min(pace.starting, pace.ping)) } catch { return }
            guard self.conversation != nil else { continue }
            let age = ContinuousClock.now - lastRead
            if !household.isComplete, age >= pace.starting {
                conversation.post([.mustReadAgain])
            } else if lostReports > 0, age >= pace.ping {
                // Nobody may say the same again for hours.
                conversation.post([.mustReadAgain])
            } else if ContinuousClock.now - conversation.lastHeard >= pace.ping, await !conversation.answers(within: .init(pace.patience)) {
                conversation.end(.silent)
            }
        }
    }

    // MARK: Reading the house

    /// Asks for what cannot be done without.
    private func told(_ conversation: Conversation, _ type: String, _ fields: [String: JSONValue] = [:], isSnapshot: Bool = false)
        async throws(ConnectionFailure) -> JSONValue
    {
        switch await conversation.ask(type, fields, isSnapshot: isSnapshot) {
        case .done(let result): return result
        case .refused(_, let message): throw .refused(Name.cleaned(message, else: type))
        case .unanswered, .unsent: throw conversation.ending ?? .silent
        }
    }

    private func readAll(_ conversation: Conversation) async throws(ConnectionFailure) {
        lostReports = 0
        // What stood in the way once may be gone.
        household.taken = []
        let config = try await told(conversation, "get_config")
        household.isFahrenheit = config["unit_system"]?["temperature"]?.string == "°F"
        household.isComplete = config["state"]?.string == "RUNNING"
        try await readRegistries(conversation)
        let states = try await told(conversation, "get_states", isSnapshot: true)
        household.read(states: states)
        presences.read(states, at: now())
        // An entity may have come or changed its name meanwhile; its state alone does not say which one it is.
        for _ in 0..<3 where conversation.registryChanges != readChanges { try await readRegistries(conversation) }
        await arrange()
        // These were said before we listened: they tell how things stand, and answer no command.
        await hand(in: household.said.keys.compactMap { report($0, isFresh: false) })
        await tellStatuses(isConnected: true)
        // Otherwise an entity may have another entry by now; it is told when the registry has been read.
        if conversation.registryChanges == readChanges { await tellPresences() }
        lastRead = .now
    }

    private func readRegistries(_ conversation: Conversation) async throws(ConnectionFailure) {
        let changes = conversation.registryChanges
        let areas = try await told(conversation, "config/area_registry/list")
        let devices = try await told(conversation, "config/device_registry/list")
        let entities = try await told(conversation, "config/entity_registry/list")
        readChanges = changes
        household.isRegistryCurrent = changes == conversation.registryChanges
        household.read(areas: areas, devices: devices, entities: entities)
    }

    /// Takes in what has happened, all of it in one commit.
    private func take(_ happenings: [Happening], from conversation: Conversation) async throws(ConnectionFailure) {
        guard !happenings.contains(.renamed) else {
            // Two entities may have changed names, and what was said belongs to the one or the other: everything is asked anew.
            try await readAll(conversation)
            let later = happenings.compactMap(\.besideASnapshot).filter { ![.renamed, .registryChanged, .mustReadAgain].contains($0) }
            return try await take(later, from: conversation)
        }
        household.isRegistryCurrent = conversation.registryChanges == readChanges
        var reports: [EntityReport] = []
        var (isChanged, isPresenceChanged) = (false, false)
        for happening in happenings {
            switch happening {
            case .said(let said):
                if household.hear(said) { isChanged = true }
                if let report = report(said.entityID, isFresh: true) { reports.append(report) }
            case .gone(let entityID):
                household.forget(entityID)
                presences.forget(entityID)
                isChanged = true
            case .settled(let entityID):
                if let report = report(entityID, isFresh: true) { reports.append(report) }
            case .occurred(let occurrence):
                if let sighting = sighting(occurrence) { sightings.continuation.yield(sighting) }
            case .presence(let state):
                if presences.hear(state, at: now()) { isPresenceChanged = true }
            case .registryChanged, .renamed, .mustReadAgain: break
            }
        }
        let mustReadAgain = happenings.contains(.mustReadAgain)
        if happenings.contains(.registryChanged), !mustReadAgain {
            try await readRegistries(conversation)
            (isChanged, isPresenceChanged) = (true, true)
        }
        if isChanged { await arrange() }
        await hand(in: reports)
        await tellStatuses(isConnected: true)
        // After what was said, which may be the answer to a command.
        if mustReadAgain {
            try await readAll(conversation)
        } else if isPresenceChanged {
            // By the registry as it is now: whatever took the entity id of a person who was taken out is not that person.
            await tellPresences()
        }
    }

    private func report(_ entityID: String, isFresh: Bool) -> EntityReport? {
        guard let id = household.houseID(of: entityID) else { return nil }
        return household.state(of: entityID).map { EntityReport(entityID: id, state: $0, isFresh: isFresh) }
    }

    // MARK: Telling the hub

    /// Announces what is new or described anew, and withdraws what is gone.
    private func arrange() async {
        do {
            try await desk.announce(rooms: household.rooms(with: &roomNames))
        } catch {
            lostReports += 1
            logger.error("The house did not take the rooms", metadata: ["error": "\(error)"])
        }
        // Whatever turns out to belong to somebody else is left out, and the rest is arranged again.
        for _ in 0..<8 {
            let arranged = household.arranged(with: &deviceNames, rooms: &roomNames, owners: roster.owners)
            let changes = roster.changes(to: arranged, isComplete: household.isComplete)
            let ids = Set(arranged.map(\.id))
            untaken = untaken.filter { ids.contains($0.key) }
            for id in changes.withdrawn { await withdraw(id) }
            // What moves to another device leaves its old one first, or it would seem to be somebody else's.
            _ = await announce(changes.left)
            guard await !announce(changes.announced) else { return }
        }
    }

    /// Hands in devices side by side, so that they share their commits. False when some must be arranged otherwise.
    private func announce(_ devices: [Device]) async -> Bool {
        let desk = desk
        var isDone = true
        await withTaskGroup(of: (Device, (any Error)?).self) { group in
            for device in devices {
                group.addTask {
                    do {
                        try await desk.announce(device)
                        return (device, nil)
                    } catch {
                        return (device, error)
                    }
                }
            }
            for await (device, error) in group {
                switch error {
                case nil:
                    roster.took(device)
                    untaken[device.id] = nil
                case let error as EntityTaken where household.taken.insert(error.entityID).inserted: isDone = false
                case let error as DeviceTaken:
                    deviceNames.give(away: error.deviceID)
                    isDone = false
                case let error?:
                    untaken[device.id] = DeskFailure.words(for: error)
                    // What belongs to somebody else is not taken the next time either; what the disk had no room for is.
                    if !(error is EntityTaken) { lostReports += device.entities.count }
                    logger.error("The house did not take a device", metadata: ["device": "\(device.id)", "error": "\(error)"])
                }
            }
        }
        return isDone
    }

    private func withdraw(_ deviceID: String) async {
        do {
            try await desk.withdraw(deviceID: deviceID, integration: Self.name)
            roster.lost(deviceID)
        } catch {
            lostReports += 1
            logger.error("The house did not let a device go", metadata: ["device": "\(deviceID)", "error": "\(error)"])
        }
    }

    private func hand(in reports: [EntityReport]) async {
        let ours = reports.filter { roster.owners[$0.entityID] != nil && !household.taken.contains($0.entityID) }
        guard !ours.isEmpty else { return }
        do {
            try await desk.report(ours)
        } catch {
            lostReports += ours.count
            logger.error("The house did not take what devices said", metadata: ["reports": "\(ours.count)", "error": "\(error)"])
        }
    }

    private func tellStatuses(isConnected: Bool = false) async {
        for (status, deviceIDs) in roster.changedStatuses(isConnected: isConnected, isAway: household.isAway) {
            do {
                try await desk.availability(status, deviceIDs: deviceIDs)
            } catch {
                lostReports += deviceIDs.count
                roster.tellStatusesAgain(of: deviceIDs)
                logger.error("The house did not take which devices are there", metadata: ["error": "\(error)"])
            }
        }
    }

    private func stand(_ status: IntegrationHealth.Status, reason: String?) {
        if standing.status != status { standing.since = now() }
        standing.status = status
        standing.reason = reason
        told.yield(standing)
    }
}
