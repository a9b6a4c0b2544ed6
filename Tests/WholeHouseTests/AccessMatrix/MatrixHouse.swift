import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle

@testable import CardeaHTTP

/// A house with all callers in it, set up again after every change.
struct MatrixHouse: Sendable {
    let visitors: MatrixCallers
    private let snapshot: Store
    private let sealing: SealingKey
    private let now: Date

    init() async throws {
        let foreign = try await TestHouse.open(doorCount: 3) { try await ForeignHouse($0) }
        let (sealing, clock) = (SealingKey.random(), ManualClock())
        (visitors, snapshot) = try await TestHouse.open(sealing: sealing, clock: clock) { house in
            Self.connect(house)
            let visitors = try await MatrixCallers.populate(house, from: foreign)
            // Every pending notification is sent before any request.
            try await house.hub.notificationDispatcher.planNotifications()
            try await waitUntil {
                try await house.store.read { db in
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM notice_deliveries WHERE state = 'waiting'") == 0
                }
            }
            return (visitors, try await house.store.copyInMemory())
        }
        (self.sealing, now) = (sealing, clock.now)
    }

    /// Runs `body` in the house in its initial state.
    func open<Result: Sendable>(
        _ body: @escaping @Sendable (TestHouse, any TestClientProtocol) async throws -> Result
    ) async throws -> Result {
        try await restore().withRunningServices { house in
            Self.connect(house)
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            return try await application.test(.router) { try await body(house, $0) }
        }
    }

    /// The same, over a port of this machine.
    func serve<Result: Sendable>(
        _ body: @escaping @Sendable (TestHouse, _ port: Int) async throws -> Result
    ) async throws -> Result {
        try await restore().withRunningServices { house in
            Self.connect(house)
            return try await house.withServer { port in try await body(house, port) }
        }
    }

    private func restore() async throws -> TestHouse {
        let house = try await TestHouse.make(
            store: snapshot.copyInMemory(), sealing: sealing, clock: ManualClock(now), virtual: StubVirtualDeviceFaults())
        // At its start no device state is known, which is a journal row: it is read before any request.
        try await house.hub.notificationDispatcher.planNotifications()
        return house
    }

    /// Every route, in a house with everything that can be set up.
    static func routes() async throws -> [String] {
        try await TestHouse.make(store: .inMemory(), virtual: StubVirtualDeviceFaults()).application.paths.flatMap { path, methods in
            methods.map { "\($0) \(path)" }
        }
    }

    private static func connect(_ house: TestHouse) {
        for name in ["mqtt", "endpoint", "home-assistant"] { house.hub.integrations.register(StubIntegrationFactory(integration: name)) }
    }

    private struct StubVirtualDeviceFaults: VirtualDeviceFaults {
        func set(fault: String, on deviceID: String) async throws -> Bool? { true }
    }

    /// An integration that can be set up, and has no devices.
    private struct StubIntegrationFactory: IntegrationFactory {
        let integration: String

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { IdleIntegration(integration: integration) }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    private struct IdleIntegration: RunningIntegration {
        let integration: String

        var healthUpdates: AsyncStream<IntegrationHealth> { AsyncStream { $0.finish() } }

        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "no devices") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: .distantPast) }
        func run() async throws { try await gracefulShutdown() }
    }
}

extension TestHouse {
    /// Resets the counts of wrong guesses.
    func resetThrottles() async throws { try await store.write { try $0.execute(sql: "DELETE FROM throttles") } }
}

/// Every row of every table.
struct DatabaseContents: Equatable, Sendable {
    struct Table: Equatable, Sendable {
        let columns: [String]
        let rows: [[DatabaseValue]]
    }

    /// Tables that a refusal may write to: the audit log, the counts of failed attempts, and the answers kept by idempotency key.
    static let bookkeepingTables: Set = [
        "audit", "audit_index", "audit_keys", "audit_checkpoints", "audit_segments", "throttles", "kept_answers", "guest_looks",
    ]

    private(set) var tables: [String: Table]

    init(_ store: Store, without left: Set<String> = []) async throws {
        tables = try await store.read { db in
            try Self.names(db).filter { !left.contains($0) }.reduce(into: [:]) { tables, name in
                let rows = try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\" ORDER BY 1, 2").map { Array($0.databaseValues) }
                tables[name] = Table(columns: try db.columns(in: name).map(\.name), rows: rows)
            }
        }
    }

    static func names(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'grdb_*'"
                // Maintained from the events, by triggers and by writers.
                + " AND name NOT GLOB 'event_days' AND name NOT GLOB 'event_words*' AND name NOT GLOB 'memory_words*'")
    }

    /// The tables in which the two differ.
    func changedTables(from other: DatabaseContents) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
