import CardeaAPI
import CardeaAutomations
import CardeaBackup
import CardeaClient
import CardeaHTTP
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle

/// A complete house in memory: real store, real gate, real routes, obedient doors, and a clock moved by hand.
public struct TestHouse: Sendable {
    public let hub: Hub
    /// It polls on request.
    public let mind: CardeaMind.Mind
    public let automations: CardeaAutomations.Automations
    public let store: Store
    public let clock: ManualClock
    public let doorBackend: ScriptedDoorBackend
    public let cameras: ScriptedCameras
    public let application: HubApplication
    public let sealing: SealingKey
    /// The owner, once `claim` has been called.
    public static let password = Secret("correct horse battery")

    /// Runs `body` in a house with its services running like in the hub.
    public static func open<Result: Sendable>(
        store: Store? = nil, sealing: SealingKey = .random(), clock: ManualClock = ManualClock(), limits: CommandLimits = CommandLimits(),
        doorCount: Int = 2, events: EventSettings = EventSettings(), logger: Logger = .silent,
        _ body: @escaping @Sendable (TestHouse) async throws -> Result
    ) async throws -> Result {
        try await make(
            store: try store ?? .inMemory(), sealing: sealing, clock: clock, limits: limits, doorCount: doorCount, events: events,
            logger: logger
        ).withRunningServices(body)
    }

    /// The services of this house, to be run and stopped by the test.
    public var services: ServiceGroup {
        ServiceGroup(configuration: .init(services: hub.services, logger: .silent))
    }

    /// Runs the services of this house while `body` runs.
    public func withRunningServices<Result: Sendable>(_ body: @escaping @Sendable (TestHouse) async throws -> Result) async throws -> Result
    {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            let services = services
            group.addTask {
                try await services.run()
                return nil
            }
            group.addTask { try await body(self) }
            while let next = try await group.next() {
                if let result = next {
                    await services.triggerGracefulShutdown()
                    group.cancelAll()
                    return result
                }
            }
            throw CancellationError()
        }
    }

    /// A house without running services: commands are not carried out.
    ///
    /// - Parameter diskSpace: the room on its disk; nil for a house without one.
    public static func make(
        store: Store, sealing: SealingKey = .random(), clock: ManualClock = ManualClock(), limits: CommandLimits = CommandLimits(),
        doorCount: Int = 2, events: EventSettings = EventSettings(), exports: URL? = nil, logger: Logger = .silent,
        virtual: (any VirtualDeviceFaults)? = nil, passwordCost: PasswordHash.Cost = ManualClock.passwordCost,
        diskSpace: @escaping @Sendable () -> DiskSpace? = { nil }
    ) async throws -> TestHouse {
        var environment = clock.environment
        environment.passwordCost = passwordCost
        environment.diskSpace = { _ in diskSpace() }
        let hub = try await Hub(
            store: store, sealing: sealing, environment: environment, limits: limits, events: events,
            exports: ExportSettings(folder: exports, packer: exports == nil ? nil : ZipPacker()), logger: logger)
        let doors = ScriptedDoorBackend(sink: hub.devices)
        hub.integrations.add(doors)
        let cameras = ScriptedCameras(now: clock.environment.now)
        hub.cameras.setSource(with: cameras)
        for index in 0..<doorCount {
            let id = index == 0 ? "front-door" : index == 1 ? "back-door" : "door-\(index)"
            let entity = "lock." + id.replacingOccurrences(of: "-", with: "_")
            try await hub.devices.announce(
                Device(
                    id: id, name: id == "front-door" ? "Front door" : id == "back-door" ? "Back door" : "Door \(index)",
                    deviceClass: .security, integration: "scripted", status: .online, stateChangedAt: clock.now,
                    entities: [Entity(id: entity, kind: .lock, name: id, verbs: [.lock, .unlock], state: EntityState("locked"))]))
        }
        let light = Entity(
            id: "light.hall", kind: .light, name: "Hall light", verbs: [.on, .off, .setBrightness],
            state: EntityState("off", attributes: ["brightness": 10]))
        let climate = Entity(
            id: "sensor.hall", kind: .sensor, name: "Hall temperature", deviceClass: "temperature", unit: "°C", verbs: [],
            state: EntityState("21"))
        try await hub.devices.announce(
            Device(
                id: "hall-light", name: "Hall light", deviceClass: .light, integration: "scripted", status: .online,
                stateChangedAt: clock.now,
                entities: [light]))
        try await hub.devices.announce(
            Device(
                id: "hall-sensor", name: "Hall temperature", deviceClass: .sensor, integration: "scripted", status: .online,
                stateChangedAt: clock.now, entities: [climate]))
        let automations = try CardeaAutomations.Automations(of: hub, logger: logger)
        let mind = try CardeaMind.Mind(of: hub, automations: automations, logger: logger)
        let door = try HubApplication(
            hub: hub, mind: mind, automations: automations, settings: HTTPSettings(hosts: ["house.test"]),
            address: CurrentPublicURL("http://localhost"),
            virtual: virtual)
        return TestHouse(
            hub: hub, mind: mind, automations: automations, store: store, clock: clock, doorBackend: doors, cameras: cameras,
            application: door, sealing: sealing)
    }

    /// Makes the owner and returns their principal.
    @discardableResult
    public func claim(username: String = "owner") async throws -> (owner: Principal, tokens: SessionTokens) {
        guard let token = try await hub.house.newClaimToken() else { throw CardeaHub.People.PersonError.alreadyClaimed }
        let tokens = try await hub.people.claim(
            .init(
                token: token, username: username, password: Self.password, name: nil, houseName: "Lime House", timeZone: "Europe/Berlin"),
            origin: .house)
        return (try await hub.sessions.authenticate(tokens.access), tokens)
    }

    /// A signed-in resident.
    public func resident(_ name: String, role: String, by owner: Principal) async throws -> (who: Principal, tokens: SessionTokens) {
        let (invitation, _) = try await hub.people.invite(name: name, role: role, by: owner, call: nil, origin: .house)
        let tokens = try await hub.people.accept(invitation.secret, username: name, password: Self.password, origin: .house)
        return (try await hub.sessions.authenticate(tokens.access), tokens)
    }

    /// A pass on a phone, bound to the phone's key if it has one.
    public func guest(
        _ draft: CardeaHub.Guests.Draft, key: GuestKey? = nil, by owner: Principal
    ) async throws -> (who: Principal, id: String, token: Secret) {
        let (codes, _) = try await hub.guests.invite(draft, by: owner, call: nil, origin: .house)
        let (token, _) = try await hub.guestAccess.pair(codes.linkCode.reveal(), key: key?.publicKey, origin: .house)
        return (.guest(id: codes.guestID), codes.guestID, token)
    }

    /// A pass for the front door, valid for four hours.
    public func draft(
        uses: Int = 0, actions: [String] = ["door.open"], device: String = "front-door", startsIn: TimeInterval? = nil,
        lasts: TimeInterval = 4 * 3600, schedule: WeeklySchedule? = nil, requiresApproval: Bool = false, asksEachTime: Bool = false,
        localOnly: Bool = false
    ) -> CardeaHub.Guests.Draft {
        CardeaHub.Guests.Draft(
            name: "Plumber", items: [.init(deviceID: device, entityID: nil, actions: actions)],
            startsAt: startsIn.map { clock.now.addingTimeInterval($0) }, expiresAt: clock.now.addingTimeInterval(lasts), schedule: schedule,
            useLimit: uses, requiresApproval: requiresApproval, asksEachTime: asksEachTime, localOnly: localOnly)
    }

    /// The command request that the guest routes make for `door.open`.
    public func open(as guest: Principal, call: IdempotencyKey? = nil, remote: String? = nil) -> CommandRequest {
        guard let action = ActionName("door.open") else { preconditionFailure("door.open is a name the house speaks") }
        return CommandRequest(
            principal: guest, target: .pass(action, spoken: "door.open", entityID: nil), idempotencyKey: call,
            origin: RequestOrigin(remote: remote, isLocal: remote.map(LocalNetwork.contains) ?? true, requestID: nil))
    }

    public func unlock(_ device: String = "front-door", as principal: Principal, key: String? = nil) -> CommandRequest {
        CommandRequest(
            principal: principal, target: .device(id: device, entityID: nil, verb: .unlock),
            idempotencyKey: key.map {
                IdempotencyKey(key: $0, method: "PUT", path: "/api/v1/devices/\(device)/control", body: Data("unlock".utf8))
            },
            origin: .house)
    }

    /// Submits a request and returns its command.
    public func submit(_ ask: CommandRequest) async throws -> Command {
        guard case .command(let command, _) = try await hub.commands.submit(ask) else { throw CommandRefusal.readOnly }
        return command
    }

    /// Submits a request and waits for its outcome.
    public func run(_ ask: CommandRequest) async throws -> Command {
        try await hub.commands.outcome(of: try await submit(ask))
    }
}
