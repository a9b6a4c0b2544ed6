import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Durable door commands per second, each to its outcome, compared with bare commits of one row with the same settings.
enum DoorCommandBenchmark {
    static func run(_ report: inout Report) async throws {
        print("Door commands, durable, each to its outcome")
        let bare = try await bareCommits()
        report.figure("bare SQLite commits, one caller", bare, "/s")
        let alone = try await commands(callers: 1, each: 2000, batchLimit: WriteQueue.batchLimit)
        report.figure("one caller", alone, "/s")
        let many = try await commands(callers: 64, each: 400, batchLimit: WriteQueue.batchLimit)
        report.figure("64 callers, each at a door of its own", many, "/s")
        let single = try await commands(callers: 64, each: 60, batchLimit: 1)
        report.figure("64 callers, a transaction each", single, "/s")
        report.ratio("door_commands_alone_to_bare_commits", alone / bare)
        report.ratio("door_commands_64_to_bare_commits", many / bare)
        report.ratio("door_commands_64_to_one_transaction_each", many / single)
    }

    private static func bareCommits() async throws -> Double {
        try await inFolder { folder in
            let pool = try DatabasePool(path: folder.appending(path: "bare.sqlite").path)
            try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try await pool.write { try $0.execute(sql: "CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT") }
            let count = 3000
            let took = try await ContinuousClock().measure {
                for _ in 0..<count { try await pool.write { try $0.execute(sql: "INSERT INTO rows (text) VALUES ('a row')") } }
            }
            try pool.close()
            return rate(of: count, in: took)
        }
    }

    private static func commands(callers: Int, each: Int, batchLimit: Int) async throws -> Double {
        try await inHouse(doors: callers, batchLimit: batchLimit) { hub, owner in
            let took = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<callers { group.addTask { try await press(hub, "door-\(index)", owner, times: each) } }
                    try await group.waitForAll()
                }
            }
            return rate(of: callers * each, in: took)
        }
    }

    /// A house with instant doors, while `body` runs.
    ///
    /// - Parameter isKept: true if the retention sweep runs meanwhile.
    static func inHouse<Result: Sendable>(
        doors: Int, batchLimit: Int = WriteQueue.batchLimit, isKept: Bool = true, _ body: (Hub, Principal) async throws -> Result
    ) async throws -> Result {
        try await inFolder { folder in
            let store = try Store(folder: folder, batchLimit: batchLimit)
            var logger = Logger(label: "benchmark")
            logger.logLevel = .critical
            let hub = try await Hub(store: store, sealing: .random(), logger: logger)
            hub.integrations.add(InstantDoors(sink: hub.devices))
            for index in 0..<doors { try await hub.devices.announce(door(index)) }
            let owner = try await claim(hub)
            let running = hub.services.filter { isKept || !($0 is RetentionService) }
            let services = ServiceGroup(configuration: .init(services: running, logger: logger))
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await services.run() }
                let result = try await body(hub, owner)
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
                return result
            }
        }
    }

    static func press(_ hub: Hub, _ door: String, _ owner: Principal, times: Int) async throws {
        for turn in 0..<times { try await press(hub, door, owner, turn: turn) }
    }

    /// One command to its outcome: every other one locks.
    static func press(_ hub: Hub, _ door: String, _ owner: Principal, turn: Int) async throws {
        let ask = CommandRequest(
            principal: owner, target: .device(id: door, entityID: nil, verb: turn.isMultiple(of: 2) ? .unlock : .lock), origin: .house)
        guard case .command(let command, _) = try await hub.commands.submit(ask),
            try await hub.commands.outcome(of: command).status == .confirmed
        else { preconditionFailure("a door that moves at once did not confirm") }
    }

    private static func claim(_ hub: Hub) async throws -> Principal {
        guard let token = try await hub.house.newClaimToken() else { preconditionFailure("a new house has no owner") }
        let tokens = try await hub.people.claim(
            .init(
                token: token, username: "owner", password: Secret("correct horse battery"), name: nil, houseName: "House", timeZone: "UTC"),
            origin: .house)
        return try await hub.sessions.authenticate(tokens.access, origin: .house)
    }

    private static func door(_ index: Int) -> Device {
        Device(
            id: "door-\(index)", name: "Door \(index)", deviceClass: .security, integration: "instant", status: .online,
            stateChangedAt: Date(),
            entities: [Entity(id: "lock.door_\(index)", kind: .lock, name: "Door", verbs: [.lock, .unlock], state: EntityState("locked"))])
    }

    static func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

/// Doors that move at once and report it.
struct InstantDoors: DeviceBackend {
    let integration = "instant"
    let sink: any DeviceSink

    func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        do {
            try await sink.report([
                EntityReport(entityID: backendCommand.entityID, state: EntityState(backendCommand.verb == .lock ? "locked" : "unlocked"))
            ])
        } catch {
            return .refused(reason: "the store does not take the report")
        }
        return .dispatched
    }

    func refresh(entityID: String) async {}
    func health() async -> IntegrationHealth { IntegrationHealth(status: .connected, since: Date()) }
}
