import CardeaSecurity
import Foundation
import GRDB

/// All that is sealed by the house's own key, column by column. What is sealed by a key that is itself sealed here need not be.
enum SealedColumns {
    struct Column: Hashable {
        let table: String
        let column: String
        /// The columns by which a row is known. They are part of what its value is sealed for.
        let names: [String]
        /// What the value is called there; empty where the names say enough.
        let called: String

        init(_ table: String, _ column: String, of names: String..., called: String? = nil) {
            (self.table, self.column, self.names, self.called) = (table, column, names, called ?? column)
        }

        func place(of values: [String]) -> String { ([table] + values + (called.isEmpty ? [] : [called])).joined(separator: "/") }
    }

    static let all = [
        Column("signing_keys", "sealed", of: "kid"),
        Column("sealed_settings", "sealed", of: "name"),
        Column("kept_answers", "sealed", of: "principal", "key", called: ""),
        Column("guest_codes", "sealed", of: "hash"),
        Column("refresh_tokens", "successor_sealed", of: "hash", called: "successor"),
        Column("push_identity", "key", of: "only"),
        Column("push_subscriptions", "sealed", of: "id"),
        Column("buttons", "secret", of: "id"),
        Column("buttons", "publication_keys", of: "id"),
        Column("tags", "keys", of: "id"),
        Column("tag_settings", "master", of: "only"),
        Column("cameras", "sealed", of: "id"),
        Column("events", "picture_key", of: "id"),
        Column("jobs", "file_key", of: "id"),
        Column("audit_keys", "wrapped", of: "id"),
        Column("audit_signer", "key", of: "only"),
    ]

    /// Opens everything with one key and seals it with the other. One value that does not open, and nothing is changed.
    static func reseal(from old: SealingKey, to new: SealingKey, in db: Database) throws {
        for column in all {
            try withoutTriggers(of: column.table, in: db) { try reseal(column, from: old, to: new, in: db) }
        }
    }

    /// Whether everything opens.
    ///
    /// - Throws: `HouseKeyProblem.doesNotOpen`
    static func verify(with key: SealingKey, in db: Database) throws {
        for column in all {
            for row in try rows(of: column, in: db) { _ = try open(row, of: column, with: key) }
        }
    }

    private static func reseal(_ column: Column, from old: SealingKey, to new: SealingKey, in db: Database) throws {
        let update = try db.makeStatement(
            sql: """
                UPDATE \(column.table) SET \(column.column) = ? WHERE \(column.names.map { "\($0) = ?" }.joined(separator: " AND "))
                """)
        for row in try rows(of: column, in: db) {
            let (plain, place) = try open(row, of: column, with: old)
            let values: [DatabaseValue] = column.names.indices.map { row[$0] }
            try update.execute(arguments: StatementArguments([try new.seal(plain, for: place).databaseValue] + values))
        }
    }

    private static func rows(of column: Column, in db: Database) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT \(column.names.joined(separator: ", ")), \(column.column) FROM \(column.table) WHERE \(column.column) IS NOT NULL
                """)
    }

    private static func open(_ row: Row, of column: Column, with key: SealingKey) throws -> (plain: Data, place: String) {
        let place = column.place(of: column.names.indices.map { text(row[$0]) })
        do { return (try key.open(row[column.names.count], for: place), place) } catch {
            throw HouseKeyProblem.doesNotOpen(table: column.table)
        }
    }

    /// Some rules let a value never change. What it says does not change here, so they step aside, and stand again in the same commit.
    private static func withoutTriggers(of table: String, in db: Database, _ body: () throws -> Void) throws {
        let triggers = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", arguments: [table])
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
        try body()
        for trigger in triggers { try db.execute(sql: trigger[1]) }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .int64(let number): "\(number)"
        case .string(let text): text
        case .blob(let bytes): bytes.base64EncodedString()
        case .double(let number): "\(number)"
        case .null: ""
        }
    }
}
