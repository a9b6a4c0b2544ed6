import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// The house, put together: one of each capability, over one store. HTTP and the executables reach everything from here.
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
    public let batches: Batches
    public let scenes: Scenes
    public let buttons: Buttons
    public let publisher: ButtonPublisher
    public let tags: Tags
    public let taps: Taps
    public let rooms: Rooms
    public let readings: Readings
    public let preferences: PeoplePreferences
    public let presenceSources: PresenceSources
    public let events: Events
    public let guests: Guests
    public let guestAccess: GuestAccess
    public let guestLooks: GuestLooks
    public let activity: Activity
    public let looks: Looks
    public let explaining: Explaining
    public let accessChanges: AccessChanges
    public let integrations: Integrations
    public let cameras: Cameras
    public let webhooks: Webhooks
    public let notices: Notices
    public let pushSubscriptions: PushSubscriptions
    public let courier: NoticeCourier
    public let eventSources: EventSources
    public let ownHouse: OwnHouse
    public let keptAnswers: KeptAnswers
    public let journal: JournalTail
    public let insight: Insight
    public let automationDesk: AutomationDesk
    public let notary: AuditNotary
    public let auditWatch: AuditWatch
    public let maintenance: Maintenance
    public let maintenanceClock: MaintenanceClock
    public let batteryWatch: BatteryWatch
    public let doorWatch: DoorWatch
    let motionLights: MotionLights
    let vacationWatch: VacationWatch
    public let diskReserve: DiskReserve
    public let diskWatch: DiskWatch
    public let retention: Retention
    public let jobs: Jobs
    public let personalView: PersonalView
    public let replicas: Replicas
    let erasing: Erasing
    private let memories = PersonalMemories()
    let forgetting: Forgetting
    public let backups: Backups
    public let auditProofs: AuditProofs
    public let viewing: Viewing
    public let tickets: Tickets
    public let tries: Tries
    public let surroundings: Surroundings
    public let clock: ClockWatch
    let housekeeping: Housekeeping
    private let descriptions: Descriptions?

    public init(
        store: Store, sealing: SealingKey, surroundings: Surroundings = .real, limits: CommandLimits = CommandLimits(),
        events settings: EventSettings = EventSettings(), exports: ExportSettings = ExportSettings(),
        pushServices: PushServices = PushServices(), logger: Logger
    ) async throws {
        self.store = store
        self.surroundings = surroundings
        store.sealColumns(with: PersonalKeys(sealing).seal)
        store.onDamage {
            logger.error("a sealed value does not open, and reads as empty: see cardea-hub check", metadata: ["column": "\($0)"])
        }
        // First of all: from here on whatever is changed can be put on record.
        let reserve = DiskReserve(surroundings.diskSpace(store.folder))
        let ledger = try await AuditLedger(store: store, sealing: sealing, reserve: reserve, at: surroundings.now())
        try await AuditUpgrade.run(store, ledger.keys, at: surroundings.now(), logger: logger)
        let sealed = try await SealedColumns.sealAll(in: store, at: surroundings.now())
        if sealed > 0 { logger.notice("what tells of people is sealed", metadata: ["values": "\(sealed)"]) }
        do { try await PeopleRecords.prepareUsernames(in: store) } catch let error as CancellationError {
            throw error
        } catch {
            // Their people sign in by exactly these, as before.
            logger.warning("user names of an older version stay as they are", metadata: ["error": "\(type(of: error))"])
        }
        do { try await AutomationMentions.leaveOut(in: store, at: surroundings.now()) } catch let error as CancellationError {
            throw error
        } catch {
            // A disk that takes nothing keeps nobody out of their house: what waits for nobody never fires.
            logger.warning("automations still wait for people who left", metadata: ["error": "\(type(of: error))"])
        }
        activity = Activity(store: store, ledger: ledger, surroundings: surroundings, logger: logger)
        house = try await House(store: store, surroundings: surroundings)
        do { try await house.tellOfZone(at: surroundings.now()) } catch let error as CancellationError { throw error } catch {
            logger.warning("the house's time zone is none that browsers know", metadata: ["zone": "\(house.now.timeZone.identifier)"])
        }
        clock = try await ClockWatch(store: store, surroundings: surroundings, logger: logger)
        let passwords = try PasswordDesk(cost: surroundings.passwordCost)
        let once = OnceOnly(sealing: sealing)
        keptAnswers = KeptAnswers(store: store, once: once, surroundings: surroundings)
        let accessTokens = try await AccessTokens(store: store, sealing: sealing, issuer: house.now.id, surroundings: surroundings)
        let live = LiveSessions(store: store)
        sessions = Sessions(
            store: store, passwords: passwords, accessTokens: accessTokens, sealing: sealing, live: live, surroundings: surroundings)
        let unbound = try await sessions.endUnbound(at: surroundings.now())
        if unbound > 0 {
            logger.notice("browsers sign in once more: from now on their sessions are bound to a key", metadata: ["sessions": "\(unbound)"])
        }
        passkeys = Passkeys(store: store, sessions: sessions, surroundings: surroundings)
        recoveryCodes = RecoveryCodes(store: store, sessions: sessions, surroundings: surroundings)
        apiTokens = APITokens(store: store, live: live, surroundings: surroundings)
        phonePairings = PhonePairings(store: store, sessions: sessions, sealing: sealing, clock: clock, surroundings: surroundings)
        phones = Phones(store: store, live: live, surroundings: surroundings)
        people = People(
            store: store, passwords: passwords, sessions: sessions, once: once, live: live, clock: clock, surroundings: surroundings,
            house: house)
        let nonces = ActionNonces()
        commands = Commands(
            store: store, house: house, clock: clock, surroundings: surroundings, limits: limits, nonces: nonces, logger: logger)
        batches = Batches(commands: commands, once: once)
        scenes = Scenes(store: store, batches: batches, once: once, surroundings: surroundings)
        tags = Tags(store: store, sealing: sealing, once: once, surroundings: surroundings)
        taps = Taps(store: store, sealing: sealing, commands: commands, once: once, surroundings: surroundings, logger: logger)
        devices = try await Devices(store: store, commands: commands, surroundings: surroundings, lastRun: clock.lastRun)
        plannedDevices = PlannedDevices(store: store, devices: devices, once: once, surroundings: surroundings)
        publisher = ButtonPublisher(
            store: store, sealing: sealing, devices: devices, commands: commands, surroundings: surroundings, logger: logger)
        commands.register(publisher)
        buttons = Buttons(
            store: store, sealing: sealing, commands: commands, devices: devices, publisher: publisher, once: once,
            surroundings: surroundings)
        journal = JournalTail(store: store, devices: devices, surroundings: surroundings, logger: logger)
        insight = Insight(store: store, house: house, devices: devices, ledger: ledger, surroundings: surroundings, activity: activity)
        viewing = Viewing(store: store, live: live, house: house, surroundings: surroundings)
        tickets = Tickets(surroundings: surroundings)
        tries = Tries(store: store, surroundings: surroundings)
        rooms = Rooms(store: store, house: house, devices: devices, once: once, surroundings: surroundings)
        readings = Readings(store: store, devices: devices, surroundings: surroundings)
        preferences = PeoplePreferences(store: store, surroundings: surroundings)
        presenceSources = PresenceSources(store: store, commands: commands, surroundings: surroundings)
        events = try Events(
            store: store, once: once, sealing: sealing, settings: settings, reserve: reserve, surroundings: surroundings, logger: logger)
        guests = Guests(store: store, sealing: sealing, once: once, activity: activity, surroundings: surroundings, house: house)
        guestLooks = GuestLooks(store: store, house: house, surroundings: surroundings)
        guestAccess = GuestAccess(
            store: store, surroundings: surroundings, house: house, clock: clock, nonces: nonces, looks: guestLooks)
        looks = Looks(store: store, guestLooks: guestLooks, surroundings: surroundings)
        explaining = Explaining(store: store, house: house, surroundings: surroundings)
        integrations = Integrations(
            store: store, sealing: sealing, devices: devices, commands: commands, surroundings: surroundings, logger: logger)
        cameras = Cameras(store: store, sealing: sealing, once: once, surroundings: surroundings, logger: logger)
        cameras.tell(events)
        webhooks = Webhooks(store: store, events: events, surroundings: surroundings)
        accessChanges = AccessChanges(
            store: store, surroundings: surroundings, integrations: integrations, scenes: scenes, tokens: apiTokens, guests: guests,
            buttons: buttons, tags: tags, cameras: cameras, people: people)
        notices = Notices(store: store, surroundings: surroundings)
        pushSubscriptions = try await PushSubscriptions(
            store: store, sealing: sealing, surroundings: surroundings, services: pushServices)
        courier = NoticeCourier(
            store: store, sealing: sealing, subscriptions: pushSubscriptions, surroundings: surroundings, logger: logger)
        automationDesk = AutomationDesk(
            store: store, commands: commands, batches: batches, surroundings: surroundings)
        eventSources = EventSources(events: events, cameras: cameras, surroundings: surroundings)
        ownHouse = OwnHouse(store: store, house: house, commands: commands, surroundings: surroundings)
        descriptions = settings.describer.map { [store, events] in
            Descriptions(store: store, events: events, describer: $0, surroundings: surroundings, logger: logger)
        }
        let signer = try await AuditSigner(store: store, sealing: sealing, houseID: house.now.id, at: surroundings.now())
        notary = AuditNotary(
            store: store, signer: signer, size: AuditSizeKeeper(store: store, signer: signer, logger: logger), unlisted: ledger.unlisted,
            unsigned: ledger.unsigned, surroundings: surroundings, logger: logger)
        auditWatch = AuditWatch(store: store, keys: ledger.keys, signer: signer, surroundings: surroundings, logger: logger)
        retention = Retention(store: store, eventDays: settings.days, surroundings: surroundings)
        let packing = try Exports(
            store: store, sealing: sealing, settings: exports, activity: activity, devices: devices, events: events, signer: signer,
            memories: memories, retention: retention, surroundings: surroundings)
        erasing = Erasing(
            store: store, keys: ledger.keys, exports: packing, events: events, memories: memories, surroundings: surroundings)
        jobs = Jobs(store: store, exports: packing, erasing: erasing, surroundings: surroundings, logger: logger)
        maintenance = Maintenance(store: store, house: house, once: once, surroundings: surroundings)
        maintenanceClock = MaintenanceClock(store: store, house: house, surroundings: surroundings, logger: logger)
        batteryWatch = BatteryWatch(store: store, house: house, devices: devices, surroundings: surroundings, logger: logger)
        doorWatch = DoorWatch(
            store: store, house: house, devices: devices, commands: commands, surroundings: surroundings, logger: logger)
        motionLights = MotionLights(
            store: store, house: house, devices: devices, batches: batches, surroundings: surroundings, logger: logger)
        vacationWatch = VacationWatch(store: store, house: house, devices: devices, surroundings: surroundings, logger: logger)
        personalView = PersonalView(store: store, retention: retention, keys: ledger.keys, memories: memories)
        replicas = Replicas(store: store, surroundings: surroundings)
        forgetting = Forgetting(store: store, events: events, notary: notary)
        housekeeping = Housekeeping(
            store: store, house: house, guestLooks: guestLooks, forgetting: forgetting, jobs: jobs, surroundings: surroundings,
            logger: logger)
        backups = Backups(store: store, sealing: sealing, reserve: reserve, surroundings: surroundings)
        diskReserve = reserve
        diskWatch = DiskWatch(store: store, reserve: reserve, surroundings: surroundings, logger: logger)
        auditProofs = AuditProofs(store: store, activity: activity, notary: notary, watch: auditWatch, surroundings: surroundings)
        // What a crash left open is settled before anybody is served.
        try await commands.recover()
        await publisher.begin()
        try await events.tidy()
        try await jobs.begin()
        await integrations.moveHistory()
    }

    /// Whether `sealing` is the key of the house in `store`.
    public static func opens(_ store: Store, with sealing: SealingKey) async throws -> Bool {
        try await AccessTokens.opens(store, with: sealing)
    }

    /// Has `memory` let go of whoever is erased from now on, and tell people what it has learned of them.
    public func tell(_ memory: any PersonalMemory) { memories.add(memory) }

    /// The backups of a house that nobody serves just now; what is done with them is put on record.
    public static func backups(of store: Store, sealing: SealingKey, surroundings: Surroundings = .real) async throws -> Backups {
        store.sealColumns(with: PersonalKeys(sealing).seal)
        // It stays with the store, which takes its notes to it from now on.
        _ = try await AuditLedger(store: store, sealing: sealing, at: surroundings.now())
        return Backups(store: store, sealing: sealing, surroundings: surroundings)
    }

    /// Who a bearer token speaks for, whichever kind it is.
    ///
    /// - Parameter isLook: whether nothing is tried by it.
    public func principal(of token: Secret, isLook: Bool = false, origin: Origin) async throws -> Principal {
        token.isOf(.guestPass)
            ? try await guestAccess.authenticate(token, isLook: isLook, origin: origin)
            : try await sessions.authenticate(token, origin: origin)
    }

    /// What lives as long as the hub. The last one stops first.
    public var services: [any Service] {
        let describing: [any Service] = descriptions.map { [$0] } ?? []
        return [
            clock, LogKeeping(store: store), diskWatch, housekeeping, notary, auditWatch, jobs, maintenanceClock, batteryWatch, doorWatch,
            motionLights, vacationWatch, journal, courier, commands, integrations,
        ] + describing
    }
}
