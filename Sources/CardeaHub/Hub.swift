import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// The hub: one of each component, over one store. HTTP and the executables reach everything from here.
public struct Hub: Sendable {
    public let store: Store
    public let house: House
    public let people: People
    public let sessions: Sessions
    public let passkeys: Passkeys
    public let recoveryCodes: RecoveryCodes
    public let apiTokens: APITokens
    public let phonePairings: PhonePairings
    public let phones: Phones
    public let devices: Devices
    public let plannedDevices: PlannedDevices
    public let commands: Commands
    public let batches: CommandBatches
    public let scenes: Scenes
    public let buttons: Buttons
    public let publisher: ButtonPublisher
    public let tags: Tags
    public let tapHandler: TapHandler
    public let rooms: Rooms
    public let readings: Readings
    public let preferences: PeoplePreferences
    public let presenceSources: PresenceSources
    public let events: Events
    public let guests: Guests
    public let guestAccess: GuestAccess
    public let guestReadAuditor: GuestReadAuditor
    public let activity: ActivityLog
    public let readAuditor: ReadAuditor
    public let accessExplainer: AccessExplainer
    public let accessChanges: AccessChanges
    public let integrations: Integrations
    public let cameras: Cameras
    public let webhooks: IncomingWebhooks
    public let notices: Notices
    public let pushSubscriptions: PushSubscriptions
    public let notificationDispatcher: NotificationDispatcher
    public let sourceEventRecorder: IntegrationEventRecorder
    public let homeAssistantExport: HomeAssistantExport
    public let idempotentResponses: IdempotentResponseStore
    public let journal: JournalTail
    public let mindFeed: MindFeed
    public let automationGateway: AutomationGateway
    public let auditCheckpointer: AuditCheckpointer
    public let auditMonitor: AuditMonitor
    public let maintenance: MaintenanceTasks
    public let maintenanceReminder: MaintenanceTaskReminder
    public let batteryMonitor: BatteryMonitor
    public let doorAvailabilityMonitor: DoorAvailabilityMonitor
    let motionLights: MotionLights
    let vacationMonitor: VacationMonitor
    public let diskReserve: DiskReserve
    public let diskMonitor: DiskMonitor
    public let retention: Retention
    public let jobs: Jobs
    public let personalDataOverview: PersonalDataOverview
    public let replicas: Replicas
    let erasure: Erasure
    private let personalDataProviders = PersonalDataProviders()
    let retentionSweep: RetentionSweep
    public let backups: BackupRegistry
    public let auditProofs: AuditProofs
    public let visibilityFilter: VisibilityResolver
    public let realtimeTickets: RealtimeTickets
    public let rateLimitStatus: RateLimitStatus
    public let environment: HubEnvironment
    public let clock: ClockMonitor
    let housekeeping: RetentionService
    private let eventDescriber: EventDescriber?

    public init(
        store: Store, sealing: SealingKey, environment: HubEnvironment = .real, limits: CommandLimits = CommandLimits(),
        events settings: EventSettings = EventSettings(), exports: ExportSettings = ExportSettings(),
        pushServices: PushServicePolicy = PushServicePolicy(), logger: Logger
    ) async throws {
        self.store = store
        self.environment = environment
        store.sealColumns(with: PersonalKeys(sealing).seal)
        store.onDamage {
            logger.error("encrypted value could not be decrypted and reads as empty: run cardea-hub check", metadata: ["column": "\($0)"])
        }
        // First of all: from here on every change can be recorded.
        let reserve = DiskReserve(environment.diskSpace(store.folder))
        let auditLogWriter = try await AuditLogWriter(store: store, sealing: sealing, reserve: reserve, at: environment.now())
        try await AuditUpgrade.run(store, auditLogWriter.keys, at: environment.now(), logger: logger)
        let sealed = try await SealedColumns.sealAll(in: store, at: environment.now())
        if sealed > 0 { logger.notice("personal data encrypted", metadata: ["values": "\(sealed)"]) }
        do { try await PeopleRecords.normalizeUsernames(in: store) } catch let error as CancellationError {
            throw error
        } catch {
            // People sign in with exactly these names, as before.
            logger.warning("user names of an older version could not be updated", metadata: ["error": "\(type(of: error))"])
        }
        do { try await AutomationReferences.removeDepartedPeople(in: store, at: environment.now()) } catch let error as CancellationError {
            throw error
        } catch {
            // A disk error must not keep the hub from starting: an automation that waits for no one never fires.
            logger.warning("automations of removed people could not be updated", metadata: ["error": "\(type(of: error))"])
        }
        activity = ActivityLog(store: store, auditLogWriter: auditLogWriter, environment: environment, logger: logger)
        house = try await House(store: store, environment: environment)
        do { try await house.notifyOfUnknownTimeZone(at: environment.now()) } catch let error as CancellationError { throw error } catch {
            logger.warning("house time zone is not supported by browsers", metadata: ["zone": "\(house.current.timeZone.identifier)"])
        }
        clock = try await ClockMonitor(store: store, environment: environment, logger: logger)
        let passwords = try PasswordHasher(cost: environment.passwordCost)
        let idempotency = IdempotencyStore(sealing: sealing)
        idempotentResponses = IdempotentResponseStore(store: store, idempotency: idempotency, environment: environment)
        let accessTokens = try await AccessTokens(store: store, sealing: sealing, issuer: house.current.id, environment: environment)
        let live = SessionCache(store: store)
        sessions = Sessions(
            store: store, passwordHasher: passwords, accessTokens: accessTokens, sealing: sealing, live: live, environment: environment)
        let unbound = try await sessions.endSessionsWithoutKey(at: environment.now())
        if unbound > 0 {
            logger.notice("browser sessions ended: new sessions are bound to a key", metadata: ["sessions": "\(unbound)"])
        }
        passkeys = Passkeys(store: store, sessions: sessions, environment: environment)
        recoveryCodes = RecoveryCodes(store: store, sessions: sessions, environment: environment)
        apiTokens = APITokens(store: store, live: live, environment: environment)
        phonePairings = PhonePairings(store: store, sessions: sessions, sealing: sealing, clock: clock, environment: environment)
        phones = Phones(store: store, live: live, environment: environment)
        people = People(
            store: store, passwords: passwords, sessions: sessions, idempotency: idempotency, live: live, clock: clock,
            environment: environment,
            house: house)
        let nonces = ActionNonces()
        commands = Commands(
            store: store, house: house, clock: clock, environment: environment, limits: limits, nonces: nonces, logger: logger)
        batches = CommandBatches(commands: commands, idempotency: idempotency)
        scenes = Scenes(store: store, batches: batches, idempotency: idempotency, environment: environment)
        tags = Tags(store: store, sealing: sealing, idempotency: idempotency, environment: environment)
        tapHandler = TapHandler(
            store: store, sealing: sealing, commands: commands, idempotency: idempotency, environment: environment, logger: logger)
        devices = try await Devices(store: store, commands: commands, environment: environment, lastRun: clock.lastRun)
        plannedDevices = PlannedDevices(store: store, devices: devices, idempotency: idempotency, environment: environment)
        publisher = ButtonPublisher(
            store: store, sealing: sealing, devices: devices, commands: commands, environment: environment, logger: logger)
        commands.register(publisher)
        buttons = Buttons(
            store: store, sealing: sealing, commands: commands, devices: devices, publisher: publisher, idempotency: idempotency,
            environment: environment)
        journal = JournalTail(store: store, devices: devices, environment: environment, logger: logger)
        mindFeed = MindFeed(
            store: store, house: house, devices: devices, auditLogWriter: auditLogWriter, environment: environment, activity: activity)
        visibilityFilter = VisibilityResolver(store: store, live: live, house: house, environment: environment)
        realtimeTickets = RealtimeTickets(environment: environment)
        rateLimitStatus = RateLimitStatus(store: store, environment: environment)
        rooms = Rooms(store: store, house: house, devices: devices, idempotency: idempotency, environment: environment)
        readings = Readings(store: store, devices: devices, environment: environment)
        preferences = PeoplePreferences(store: store, environment: environment)
        presenceSources = PresenceSources(store: store, commands: commands, environment: environment)
        events = try Events(
            store: store, idempotency: idempotency, sealing: sealing, settings: settings, reserve: reserve, environment: environment,
            logger: logger)
        guests = Guests(
            store: store, sealing: sealing, idempotency: idempotency, activity: activity, environment: environment, house: house)
        guestReadAuditor = GuestReadAuditor(store: store, house: house, environment: environment)
        guestAccess = GuestAccess(
            store: store, environment: environment, house: house, clock: clock, nonces: nonces, readAuditor: guestReadAuditor)
        readAuditor = ReadAuditor(store: store, guestLooks: guestReadAuditor, environment: environment)
        accessExplainer = AccessExplainer(store: store, house: house, environment: environment)
        integrations = Integrations(
            store: store, sealing: sealing, devices: devices, commands: commands, environment: environment, logger: logger)
        cameras = Cameras(store: store, sealing: sealing, idempotency: idempotency, environment: environment, logger: logger)
        cameras.setEventSink(events)
        webhooks = IncomingWebhooks(store: store, events: events, environment: environment)
        accessChanges = AccessChanges(
            store: store, environment: environment, integrations: integrations, scenes: scenes, tokens: apiTokens, guests: guests,
            buttons: buttons, tags: tags, cameras: cameras, people: people)
        notices = Notices(store: store, environment: environment)
        pushSubscriptions = try await PushSubscriptions(
            store: store, sealing: sealing, environment: environment, services: pushServices)
        notificationDispatcher = NotificationDispatcher(
            store: store, sealing: sealing, subscriptions: pushSubscriptions, environment: environment, logger: logger)
        automationGateway = AutomationGateway(
            store: store, commands: commands, batches: batches, environment: environment)
        sourceEventRecorder = IntegrationEventRecorder(events: events, cameras: cameras, environment: environment)
        homeAssistantExport = HomeAssistantExport(store: store, house: house, commands: commands, environment: environment)
        eventDescriber = settings.describer.map { [store, events] in
            EventDescriber(store: store, events: events, describer: $0, environment: environment, logger: logger)
        }
        let signer = try await AuditSigner(store: store, sealing: sealing, houseID: house.current.id, at: environment.now())
        auditCheckpointer = AuditCheckpointer(
            store: store, signer: signer, checkpointFile: AuditCheckpointFileWriter(store: store, signer: signer, logger: logger),
            indexBacklog: auditLogWriter.indexBacklog,
            fullSegments: auditLogWriter.fullSegments, environment: environment, logger: logger)
        auditMonitor = AuditMonitor(store: store, keys: auditLogWriter.keys, signer: signer, environment: environment, logger: logger)
        retention = Retention(store: store, eventDays: settings.retentionDays, environment: environment)
        let packing = try PersonalDataExporter(
            store: store, sealing: sealing, settings: exports, activity: activity, devices: devices, events: events, signer: signer,
            memories: personalDataProviders, retention: retention, environment: environment)
        erasure = Erasure(
            store: store, keys: auditLogWriter.keys, exports: packing, events: events, memories: personalDataProviders,
            environment: environment)
        jobs = Jobs(store: store, exports: packing, erasing: erasure, environment: environment, logger: logger)
        maintenance = MaintenanceTasks(store: store, house: house, idempotency: idempotency, environment: environment)
        maintenanceReminder = MaintenanceTaskReminder(store: store, house: house, environment: environment, logger: logger)
        batteryMonitor = BatteryMonitor(store: store, house: house, devices: devices, environment: environment, logger: logger)
        doorAvailabilityMonitor = DoorAvailabilityMonitor(
            store: store, house: house, devices: devices, commands: commands, environment: environment, logger: logger)
        motionLights = MotionLights(
            store: store, house: house, devices: devices, batches: batches, environment: environment, logger: logger)
        vacationMonitor = VacationMonitor(store: store, house: house, devices: devices, environment: environment, logger: logger)
        personalDataOverview = PersonalDataOverview(
            store: store, retention: retention, keys: auditLogWriter.keys, personalDataProviders: personalDataProviders)
        replicas = Replicas(store: store, environment: environment)
        retentionSweep = RetentionSweep(store: store, events: events, checkpointer: auditCheckpointer)
        housekeeping = RetentionService(
            store: store, house: house, guestReadAuditor: guestReadAuditor, retentionSweep: retentionSweep, jobs: jobs,
            environment: environment,
            logger: logger)
        backups = BackupRegistry(store: store, sealing: sealing, reserve: reserve, environment: environment)
        diskReserve = reserve
        diskMonitor = DiskMonitor(store: store, reserve: reserve, environment: environment, logger: logger)
        auditProofs = AuditProofs(
            store: store, activity: activity, checkpointer: auditCheckpointer, monitor: auditMonitor, environment: environment)
        // Settles what a crash left open, before any request is served.
        try await commands.recover()
        await publisher.start()
        try await events.removeOrphanedPictures()
        try await jobs.beginErasures()
        await integrations.moveHistory()
    }

    /// Returns whether `sealing` is the key of the house in `store`.
    public static func opens(_ store: Store, with sealing: SealingKey) async throws -> Bool {
        try await AccessTokens.canOpen(store, with: sealing)
    }

    /// Registers a store of personal data. It deletes the data of people erased from now on, and shows people what it has learned about
    /// them.
    public func attach(_ memory: any PersonalDataProvider) { personalDataProviders.add(memory) }

    /// The backups of a house that no hub serves just now. Operations on them are recorded in the audit log.
    public static func backups(of store: Store, sealing: SealingKey, environment: HubEnvironment = .real) async throws -> BackupRegistry {
        store.sealColumns(with: PersonalKeys(sealing).seal)
        // The writer stays with the store, which uses it from now on.
        _ = try await AuditLogWriter(store: store, sealing: sealing, at: environment.now())
        return BackupRegistry(store: store, sealing: sealing, environment: environment)
    }

    /// The principal of a bearer token of any kind.
    ///
    /// - Parameter isLook: true for a read, which is not counted as an attempt.
    public func principal(of token: Secret, isLook: Bool = false, origin: RequestOrigin) async throws -> Principal {
        token.hasPrefix(.guestPass)
            ? try await guestAccess.authenticate(token, isLook: isLook, origin: origin)
            : try await sessions.authenticate(token, origin: origin)
    }

    /// The services that run as long as the hub. The last one stops first.
    public var services: [any Service] {
        let describing: [any Service] = eventDescriber.map { [$0] } ?? []
        return [
            clock, WALCheckpointService(store: store), diskMonitor, housekeeping, auditCheckpointer, auditMonitor, jobs,
            maintenanceReminder, batteryMonitor, doorAvailabilityMonitor,
            motionLights, vacationMonitor, journal, notificationDispatcher, commands, integrations,
        ] + describing
    }
}
