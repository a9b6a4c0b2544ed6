import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// The house's connections to other systems: their health, and setting them up while the hub runs.
public final class Integrations: Service, Sendable {
    let store: Store
    let sealing: SealingKey
    let devices: Devices
    let commands: Commands
    let environment: HubEnvironment
    let logger: Logger

    private let factories = Mutex<[String: any IntegrationFactory]>([:])
    let networkBrowser = Mutex<(any NetworkBrowser)?>(nil)
    private let builtIn = Mutex<[any DeviceBackend]>([])
    private let changes = AsyncStream<String>.makeStream()
    /// The number of changes that wait or are being made, by integration. Until then its previous settings apply.
    private let pendingChanges = Mutex<[String: Int]>([:])
    /// The last journaled status of each integration.
    private let lastJournaled = Mutex<[String: [String: JSONValue]]>([:])

    /// A running connection: it can be stopped, and signals its end.
    private struct RunningConnection {
        let stop: AsyncStream<Never>.Continuation
        let ended: AsyncStream<Never>
    }

    public struct Status: Sendable {
        public let integration: String
        public let health: IntegrationHealth
        public let devices: Int
        public let settings: [String: JSONValue]?
    }

    public enum IntegrationError: Error {
        case unknown
        case forbidden(Refusal)
    }

    init(store: Store, sealing: SealingKey, devices: Devices, commands: Commands, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.sealing = sealing
        self.devices = devices
        self.commands = commands
        self.environment = environment
        self.logger = logger
    }

    public func register(_ maker: any IntegrationFactory) {
        factories.withLock { $0[maker.integration] = maker }
    }

    /// Adds a permanent backend, such as the virtual house.
    public func add(_ backend: any DeviceBackend) {
        builtIn.withLock { $0.append(backend) }
        commands.register(backend)
    }

    /// The names of the integrations that have a running backend.
    public var running: Set<String> { commands.readyIntegrations }

    public func all(seenBy principal: Principal) async throws -> [Status] {
        _ = try await store.read { try People.require(.modifySettings, of: principal, in: $0) }
        var statuses: [Status] = []
        for backend in builtIn.withLock({ $0 }) { statuses.append(await status(backend.integration, backend, settings: nil)) }
        for maker in factories.withLock({ $0.values.sorted { $0.integration < $1.integration } }) {
            let settings = try await storedSettings(maker.integration).map(maker.redacted)
            statuses.append(await status(maker.integration, commands.backend(maker.integration), settings: settings))
        }
        return statuses
    }

    func factory(_ integration: String) -> (any IntegrationFactory)? { factories.withLock { $0[integration] } }

    /// The status of one integration, with its settings but not their secrets.
    func status(of integration: String) async throws -> Status {
        await status(integration, commands.backend(integration), settings: try await settings(visibleOf: integration))
    }

    /// The settings of an integration without their secrets; nil if it is not set up, or unknown.
    func settings(visibleOf integration: String) async throws -> [String: JSONValue]? {
        guard let maker = factories.withLock({ $0[integration] }) else { return nil }
        return try await storedSettings(integration).map(maker.redacted)
    }

    /// Stores the settings, sealed, and reconnects. A change of server requires a step-up.
    public func connect(_ integration: String, settings: Data, by principal: Principal, origin: RequestOrigin) async throws -> Status {
        guard let maker = factories.withLock({ $0[integration] }) else { throw IntegrationError.unknown }
        let before = try await storedSettings(integration)
        let settings = before.map { maker.restoreRedacted(settings, from: $0) } ?? settings
        let server = maker.server(settings)
        let isNewServer = server != nil && server != before.flatMap(maker.server)
        // Made once before the settings are stored, so that settings that cannot work are refused at once.
        _ = try maker.make(settings: settings, sink: devices)
        let grant = maker.grant(settings)
        let sealed = try sealing.seal(settings, for: "sealed_settings/\(integration)/sealed")
        try await change(integration, by: principal, origin: origin) { context in
            if isNewServer { try Sessions.requireStepUp(principal, at: context.now, in: context.db) }
            try context.db.execute(
                sql: "INSERT OR REPLACE INTO sealed_settings (name, sealed, changed_at) VALUES (?, ?, ?)",
                arguments: [integration, sealed, context.now.milliseconds])
            try IntegrationGrants.set(grant, of: integration, in: context.db)
            try AccessChanges.record(.integration, integration, in: context)
        }
        enqueue(integration)
        let health = IntegrationHealth(status: .connecting, since: environment.now())
        return Status(integration: integration, health: health, devices: deviceCount(integration), settings: maker.redacted(settings))
    }

    public func disconnect(_ integration: String, by principal: Principal, origin: RequestOrigin) async throws {
        guard factories.withLock({ $0[integration] }) != nil else { throw IntegrationError.unknown }
        try await change(integration, by: principal, origin: origin) { context in
            try context.db.execute(sql: "DELETE FROM sealed_settings WHERE name = ?", arguments: [integration])
            try IntegrationGrants.set(nil, of: integration, in: context.db)
            try PresenceSources.delete(integration: integration, in: context.db)
        }
        enqueue(integration)
    }

    /// Tries the connection at once with the stored settings, unless it is up. One that is up is checked all the time, and one that is
    /// connecting is being tried already: for these, and for an integration that is not set up, the current status is returned.
    public func test(_ integration: String, by principal: Principal, origin: RequestOrigin) async throws -> Status {
        guard let maker = factories.withLock({ $0[integration] }) else { throw IntegrationError.unknown }
        try await store.audited("integration.\(integration)", by: principal, origin: origin, at: environment.now()) {
            try await store.read { _ = try People.require(.modifySettings, of: principal, in: $0) }
        }
        let settings = try await storedSettings(integration).map(maker.redacted)
        // Before the status is read: a second caller would cut the connection that the first has just made.
        let isFirst = pendingChanges.withLock { pending in
            guard pending[integration, default: 0] == 0 else { return false }
            pending[integration] = 1
            return true
        }
        let status = await status(integration, commands.backend(integration), settings: settings)
        guard settings != nil, status.health.status == .failed || status.health.status == .off else {
            if isFirst { finishChange(integration) }
            return status
        }
        if isFirst { changes.continuation.yield(integration) }
        let health = IntegrationHealth(status: .connecting, since: environment.now())
        return Status(integration: integration, health: health, devices: status.devices, settings: settings)
    }

    // MARK: Running

    /// Has a running integration read its devices' identifiers again.
    func reload(_ integration: String) {
        if commands.backend(integration) is any RunningIntegration { enqueue(integration) }
    }

    /// Queues a reconnect or a removal, by the settings stored when its turn comes.
    private func enqueue(_ integration: String) {
        pendingChanges.withLock { $0[integration, default: 0] += 1 }
        changes.continuation.yield(integration)
    }

    /// Ends a change that has been made, or was not needed.
    private func finishChange(_ integration: String) {
        pendingChanges.withLock { $0[integration] = max(0, $0[integration, default: 0] - 1) }
    }

    public func run() async throws {
        do { try await processChanges() } catch is CancellationError {
            // The hub stops while the disk cannot be read.
        }
    }

    private func processChanges() async throws {
        for integration in factories.withLock({ Array($0.keys) }) where try await currentSettings(of: integration) != nil {
            enqueue(integration)
        }
        try await withThrowingDiscardingTaskGroup { group in
            var running: [String: RunningConnection] = [:]
            for await integration in changes.stream.cancelOnGracefulShutdown() {
                defer { finishChange(integration) }
                let settings = try await currentSettings(of: integration)
                let backend = settings.flatMap { makeConnection(integration, $0) }
                if let before = commands.backend(integration) as? any RunningIntegration { await before.cleanUp(for: backend) }
                // The earlier connection reports for the last time before the next one reports for the first time.
                if let before = running.removeValue(forKey: integration) {
                    before.stop.finish()
                    for await _ in before.ended {}
                }
                commands.unregister(integration)
                guard let backend else {
                    if settings == nil { await markRemoved(integration) }
                    continue
                }
                commands.register(backend)
                let (stopped, stop) = AsyncStream<Never>.makeStream()
                let (ended, end) = AsyncStream<Never>.makeStream()
                running[integration] = RunningConnection(stop: stop, ended: ended)
                group.addTask {
                    await self.keepRunning(backend, until: stopped)
                    end.finish()
                }
            }
            group.cancelAll()
        }
    }

    /// The stored settings of an integration as they are now, whatever they were when the change was requested; nil if it is to be removed,
    /// or its settings cannot be opened. While the disk cannot be read, nothing changes.
    private func currentSettings(of integration: String) async throws -> Data? {
        let sealed: Data? = try await cancelWhenGracefulShutdown { [self] in
            try await environment.retryUntilSuccess("integration settings could not be read", logger) {
                // New announcements must not get the ID of a removed device.
                try await self.devices.reloadFormer()
                return try await self.sealedSettings(integration)
            }
        }
        do { return try sealed.map { try openSettings($0, integration) } } catch {
            logger.error(
                "integration settings could not be decrypted", metadata: ["integration": "\(integration)", "error": "\(type(of: error))"])
            return nil
        }
    }

    /// Makes the integration from its settings; nil if that fails, which must not end the hub.
    private func makeConnection(_ integration: String, _ settings: Data) -> (any RunningIntegration)? {
        do {
            return try factories.withLock({ $0[integration] })?.make(settings: settings, sink: devices)
        } catch {
            logger.error(
                "integration not changed", metadata: ["integration": "\(integration)", "error": "\(type(of: error))"])
            return nil
        }
    }

    /// Runs the backend until it is replaced. If it ends by itself, that is a bug, which the log and its health report.
    private func keepRunning(_ backend: any RunningIntegration, until stopped: AsyncStream<Never>) async {
        await withTaskGroup { group in
            group.addTask {
                do {
                    try await backend.run()
                } catch is CancellationError {
                    return
                } catch {
                    self.logger.error(
                        "integration ended", metadata: ["integration": "\(backend.integration)", "error": "\(type(of: error))"])
                    await self.markUnreachable(backend.integration, .unknown)
                }
            }
            group.addTask { for await _ in stopped {} }
            // Reported from here, so that a replaced connection no longer reports for the integration.
            group.addTask {
                for await health in backend.healthUpdates { await self.journalHealth(health, of: backend.integration) }
                // The health stream has ended, and the backend runs on.
                for await _ in stopped {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Writes a change of a connection's health to the journal. A repeated status is not written.
    private func journalHealth(_ health: IntegrationHealth, of integration: String) async {
        let data: [String: JSONValue] = [
            "status": .string(health.status.rawValue), "reason": health.reason.map(JSONValue.string) ?? .null,
        ]
        guard lastJournaled.withLock({ $0.updateValue(data, forKey: integration) }) != data else { return }
        do {
            _ = try await store.write { db in
                try Journal.append(.integrationChanged, subject: integration, data: data, at: health.since, in: db)
            }
        } catch {
            logger.error("integration status could not be stored", metadata: ["integration": "\(integration)"])
        }
    }

    /// Marks the devices of an integration as unreachable: no backend serves them any more.
    private func markUnreachable(_ integration: String, _ status: DeviceStatus) async {
        do {
            try await devices.reportAvailability(status, deviceIDs: devices.all.devices.filter { $0.integration == integration }.map(\.id))
        } catch {
            logger.error("integration not changed", metadata: ["integration": "\(integration)", "error": "\(type(of: error))"])
        }
    }

    /// Marks the devices of a removed integration as unreachable.
    private func markRemoved(_ integration: String) async {
        await markUnreachable(integration, .offline)
        await journalHealth(IntegrationHealth(status: .off, since: environment.now()), of: integration)
    }

    private func storedSettings(_ integration: String) async throws -> Data? {
        try await sealedSettings(integration).map { try openSettings($0, integration) }
    }

    private func sealedSettings(_ integration: String) async throws -> Data? {
        try await store.read { db in
            try Data.fetchOne(db, sql: "SELECT sealed FROM sealed_settings WHERE name = ?", arguments: [integration])
        }
    }

    private func openSettings(_ sealed: Data, _ integration: String) throws -> Data {
        try sealing.open(sealed, for: "sealed_settings/\(integration)/sealed")
    }

    private func status(_ integration: String, _ backend: (any DeviceBackend)?, settings: [String: JSONValue]?) async -> Status {
        let off = IntegrationHealth(status: .off, since: environment.now())
        return Status(
            integration: integration, health: await backend?.health() ?? off, devices: deviceCount(integration), settings: settings)
    }

    private func deviceCount(_ integration: String) -> Int {
        devices.all.devices.count { $0.integration == integration }
    }

    private func change(
        _ integration: String, by principal: Principal, origin: RequestOrigin,
        _ body: @escaping @Sendable (TransactionContext) throws -> Void
    ) async throws {
        let now = environment.now()
        try await store.auditedWrite("integration.\(integration)", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            try body(context)
            let seq = try Journal.append(.houseChanged, subject: integration, at: now, in: context.db)
            try AuditLog.append(
                .init(who: .init(principal), action: "integration.\(integration)", result: .done, journalSeq: seq), in: context)
        }
    }
}
