import CardeaModel
import Foundation
import GRDB
import Testing

@testable import CardeaStore

@Suite("Data inventory")
struct DataInventoryTests {
    /// Returns whether a table is internal to SQLite or GRDB, or belongs to a full-text index.
    private static func isSQLites(_ table: String, _ indexes: [String]) -> Bool {
        table.hasPrefix("sqlite_") || table == "grdb_migrations" || indexes.contains { table.hasPrefix("\($0)_") }
    }

    @Test("Each table and column has a purpose, owner and retention, and no absent one is listed")
    func whole() throws {
        let columns = SealingFunctions()
        let database = try DatabaseQueue(configuration: Store.configuration(columns))
        try Migrations.run(on: database)
        // An older hub's audit table, which is sealed and dropped before the house is served.
        try database.write { try $0.execute(sql: "DROP TABLE audit_plain") }
        try database.read { db in
            let indexes = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
                .filter { !Self.isSQLites($0, indexes) }
            #expect(DataInventory.policies.map(\.table).sorted() == tables)
            for holding in DataInventory.policies {
                let columns = try db.columns(in: holding.table).map(\.name)
                #expect((holding.readableColumns + holding.secretColumns).sorted() == columns.sorted(), "\(holding.table)")
            }
        }
    }

    @Test("The SQL of each table for ownership, expiry and blanking is valid")
    func sound() throws {
        let columns = SealingFunctions()
        let database = try DatabaseQueue(configuration: Store.configuration(columns))
        try Migrations.run(on: database)
        try database.write { db in
            for holding in DataInventory.policies {
                if case .days(_, let condition) = holding.retention {
                    try db.execute(
                        sql:
                            "DELETE FROM \(holding.table) WHERE \(holding.rowIDExpression) IN (SELECT \(holding.rowIDExpression) FROM \(holding.table) WHERE \(condition))",
                        arguments: ["border": 0])
                }
                if case .blanked(let columns) = holding.erasure { try db.execute(sql: "UPDATE \(holding.table) SET \(columns) WHERE 0") }
                if let condition = holding.condition {
                    _ = try Row.fetchAll(db, sql: "SELECT * FROM \(holding.table) WHERE \(condition)", arguments: ["id": "person_1"])
                }
                if let condition = holding.guestCondition {
                    _ = try Row.fetchAll(db, sql: "SELECT * FROM \(holding.table) WHERE \(condition)", arguments: ["id": "guest_1"])
                }
                switch holding.ownership {
                case .household, .sealed: break
                case .mentioned(let columns, _): #expect(Set(columns).isSubset(of: holding.readableColumns), "\(holding.table)")
                case .person(let column), .personKey(let column), .principal(let column), .guesser(let column):
                    #expect(holding.readableColumns.contains(column), "\(holding.table)")
                case .row(let other, let column):
                    #expect(DataInventory.policy(other)?.ownership.isPersonal == true, "\(holding.table)")
                    #expect(column == "rowid" || holding.readableColumns.contains(column), "\(holding.table)")
                }
            }
        }
    }

    @Test("No column with a key, a hash or a sealed value is exported")
    func secrets() throws {
        let telling = ["hash", "sealed", "secret", "wrapped", "password"]
        for holding in DataInventory.policies where holding.table != "audit" && !holding.table.hasPrefix("audit_") {
            #expect(!holding.readableColumns.contains { column in telling.contains { column.contains($0) } }, "\(holding.table)")
        }
    }

    /// Random numbers that are the same in every run (xorshift64); `CARDEA_SEED` overrides the seed.
    private struct SeededGenerator: RandomNumberGenerator {
        let seed: UInt64
        private var state: UInt64

        init() {
            seed = ProcessInfo.processInfo.environment["CARDEA_SEED"].flatMap { UInt64($0) } ?? 0x9E37_79B9_7F4A_7C15
            state = max(seed, 1)
        }

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test("With similar person ids each person's data is complete and contains no other's")
    func disjoint() throws {
        // Only a row's owner counts here, not its references.
        let columns = SealingFunctions()
        var configuration = Store.configuration(columns)
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(configuration: configuration)
        try Migrations.run(on: database)
        var dice = SeededGenerator()
        let seed = dice.seed
        try database.write { db in
            for kept in ["last_owner_stays", "journal_keeps_its_last"] { try db.execute(sql: "DROP TRIGGER \(kept)") }
            for house in 0..<(ProcessInfo.processInfo.environment["CARDEA_FULL"] == "1" ? 1000 : 200) {
                // In a fixed order: a set's differs between runs.
                let people = Set(
                    (0..<4).map { _ in "person_" + ["a", "ab", "b", "b_a", "ab_", "a:b", "_"].randomElement(using: &dice).unwrapped }
                ).sorted()
                var planted: [String: [String: Int]] = [:]
                for number in 0..<12 {
                    let owner = people.randomElement(using: &dice).unwrapped
                    let key = ["person:\(owner)", "token:t\(number):\(owner)", "automation:x:\(owner)"].randomElement(using: &dice)
                        .unwrapped
                    let (table, sql): (String, String) = [
                        (
                            "sessions",
                            "INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at) VALUES (:n, :owner, 0, 0, 0)"
                        ),
                        (
                            "memories",
                            """
                            INSERT INTO memories (id, created_at, memory_type, category, importance, title, content, details, source, confidence,
                                access_count, tags, related_devices, person, is_pinned, version)
                            VALUES (:n, 0, 'semantic', '', 0, '', '', '', 'user_interaction', 0, 0, '', '', 'person:' || :owner, 0, 1)
                            """
                        ),
                        ("happenings", "INSERT INTO happenings (at, kind, actor, value, source) VALUES (0, 'standing', :key, '', :n)"),
                        (
                            "live_links",
                            "INSERT INTO live_links (digest, button_id, made_by, button_version, expires_at) VALUES (randomblob(32), 'b', :owner, 1, 0)"
                        ),
                        (
                            "kept_answers",
                            "INSERT INTO kept_answers (principal, key, fingerprint, sealed, at) VALUES (:key, :n, x'', x'', 0)"
                        ),
                        ("throttles", "INSERT INTO throttles (scope, subject, failures, last_at) VALUES ('tap ' || :n, :key, 1, 0)"),
                        ("throttles", "INSERT INTO throttles (scope, subject, failures, last_at) VALUES ('digits ' || :n, :owner, 1, 0)"),
                        (
                            "journal",
                            "INSERT INTO journal (at, kind, data) VALUES (0, 'house_asked', '{\"person_id\":\"' || :owner || '\"}')"
                        ),
                        ("journal", "INSERT INTO journal (at, kind, subject, data) VALUES (0, 'person_changed', :owner, '{}')"),
                    ].randomElement(using: &dice).unwrapped
                    let values: [String: (any DatabaseValueConvertible)?] = ["n": "\(house)-\(number)", "owner": owner, "key": key]
                    let wanted = values.filter { sql.contains(":\($0.key)") }
                    try db.execute(sql: sql, arguments: StatementArguments(wanted))
                    planted[table, default: [:]][owner, default: 0] += 1
                }
                for table in planted.keys {
                    let condition = try #require(DataInventory.policy(table)?.condition)
                    for person in people {
                        let found = try Int.fetchOne(
                            db, sql: "SELECT count(*) FROM \(table) WHERE \(condition)", arguments: ["id": person])
                        #expect(found == planted[table]?[person] ?? 0, "\(table) of \(person) in house \(house), seed \(seed)")
                    }
                    try db.execute(sql: "DELETE FROM \(table)")
                }
            }
        }
    }
}

extension Optional {
    /// The value of an optional that is never nil.
    fileprivate var unwrapped: Wrapped {
        guard let self else { preconditionFailure("nothing to choose from") }
        return self
    }
}
