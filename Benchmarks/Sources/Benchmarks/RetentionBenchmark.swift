import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Measures a door's waiting time while the house deletes a year of expired rows, compared with its waiting time otherwise.
///
/// A few hundred rows are deleted per commit. A command is two commits, so it waits for two of these at worst; with one commit for all
/// rows, it would wait for all.
enum RetentionBenchmark {
    /// Expired rows of each kind.
    private static let outdated = (commands: 60_000, notices: 20_000, hours: 60_000)
    /// Commands of yesterday, which are kept.
    private static let young = 20_000
    /// Commands measured before the sweep, and as many after it.
    private static let calm = 2000

    static func run(_ report: inout Report) async throws {
        let rows = outdated.commands + outdated.notices + outdated.hours
        print("Door commands while \(rows) rows are forgotten, and while none are")
        let measured = try await DoorCommandBenchmark.inHouse(doors: 1, isKept: false) { try await measure($0, $1) }
        report.figure("rows forgotten", rate(of: rows, in: measured.took), "/s")
        report.figure("commands meanwhile", Double(measured.busy.count), "in all")
        report.figure("half of the commands within, while nothing is forgotten", middle(measured.calm), "us")
        report.figure("99 of 100 within", most(measured.calm), "us")
        report.figure("half of the commands within, while it is forgotten", middle(measured.busy), "us")
        report.figure("99 of 100 within", most(measured.busy), "us")
        report.ratio("door_commands_p99_to_p99_while_forgetting", most(measured.calm) / most(measured.busy))
    }

    private struct Measured: Sendable {
        /// Microseconds of each command.
        var calm: [Double] = []
        var busy: [Double] = []
        var took = Duration.zero
    }

    private static func measure(_ hub: Hub, _ owner: Principal) async throws -> Measured {
        guard let keeper = hub.services.first(where: { $0 is RetentionService }) else { preconditionFailure("a house keeps itself") }
        try await fill(hub)
        try await DoorCommandBenchmark.press(hub, "door-0", owner, times: 500)
        var measured = Measured()
        for turn in 0..<calm { measured.calm.append(try await timed(hub, owner, turn)) }

        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let group = ServiceGroup(configuration: .init(services: [keeper], logger: logger))
        let start = ContinuousClock.now
        measured.busy = try await withThrowingTaskGroup(of: Void.self) { tasks in
            // No sweep has run here before, so one runs at once.
            tasks.addTask { try await group.run() }
            var times: [Double] = []
            while try await !hasForgotten(hub) { times.append(try await timed(hub, owner, times.count)) }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return times
        }
        measured.took = ContinuousClock.now - start
        let left = try await hub.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM commands WHERE integration = 'gone'") }
        precondition(left == young, "not everything was forgotten that should be, or more")

        for turn in 0..<calm { measured.calm.append(try await timed(hub, owner, measured.busy.count + turn)) }
        return measured
    }

    /// The microseconds of one command, to its outcome.
    private static func timed(_ hub: Hub, _ owner: Principal, _ turn: Int) async throws -> Double {
        let took = try await ContinuousClock().measure { try await DoorCommandBenchmark.press(hub, "door-0", owner, turn: turn) }
        return took / Duration.microseconds(1)
    }

    /// The sweep's last step is to record that it is done.
    private static func hasForgotten(_ hub: Hub) async throws -> Bool {
        try await hub.store.read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM retention WHERE swept_at IS NOT NULL)") ?? false
        }
    }

    private static func fill(_ hub: Hub) async throws {
        let now = Date().timeIntervalSince1970 * 1000
        let (long, yesterday) = (Int64(now - 400 * 86_400_000), Int64(now - 86_400_000))
        try await commands(outdated.commands, at: long, in: hub)
        try await commands(young, at: yesterday, in: hub)
        try await hub.store.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
                    INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet)
                    SELECT lower(hex(randomblob(16))), people.id, 'ring', 'x' || n, 'x' || n, 'porch', 'Porch', :at, :at, 0
                    FROM numbers, people
                    """, arguments: ["count": outdated.notices, "at": long])
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
                    INSERT INTO hourly_readings (entity_id, hour, low, high, mean, first, last, used, count, is_energy)
                    SELECT 'sensor-' || (n % 20), :at - n / 20 * 3600000, 20, 22, 21, 20, 22, 0, 60, 0 FROM numbers
                    """, arguments: ["count": outdated.hours, "at": long])
        }
    }

    /// Finished commands of a device that no longer exists.
    private static func commands(_ count: Int, at moment: Int64, in hub: Hub) async throws {
        try await hub.store.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)
                    INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks,
                        accepted_at, not_after, finished_at)
                    SELECT lower(hex(randomblob(16))), 'person:' || people.id, 'gone', 'old-door', 'old-door', 'lock', 'role:' || people.id, 1,
                        'control', 'confirmed', 0, :at, :at, :at
                    FROM numbers, people
                    """, arguments: ["count": count, "at": moment])
        }
    }

    private static func middle(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
    private static func most(_ times: [Double]) -> Double { times.sorted()[times.count * 99 / 100] }
}
