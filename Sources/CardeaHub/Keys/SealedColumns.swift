import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The columns that are sealed by the house's own key. Data sealed by a key that is itself sealed here is not listed.
enum SealedColumns {
    struct Column: Hashable {
        let table: String
        let column: String
        /// The columns that identify a row. They are part of the sealing label.
        let keyColumns: [String]
        /// The value's name in its sealing label; empty if table and key columns are enough.
        let label: String
        /// True if it is a text about people, which SQL functions also seal and open.
        let isText: Bool
        /// Another place that the value may be sealed for. By which one it is, it says something, so that it stays sealed for that one.
        let alternativeLabel: String?

        init(
            _ table: String, _ column: String, of names: String..., called: String? = nil, isText: Bool = false,
            or otherPlace: String? = nil
        ) {
            (self.table, self.column, self.keyColumns, self.label, self.isText) = (table, column, names, called ?? column, isText)
            self.alternativeLabel = otherPlace
        }

        /// The condition for rows whose column holds a sealed value.
        var isSealed: String { isText ? "substr(\(column), 1, 1) = char(1)" : "\(column) IS NOT NULL" }

        func sealingLabel(of values: [String]) -> String { ([table] + values + (label.isEmpty ? [] : [label])).joined(separator: "/") }
    }

    static let all = secrets + personal

    /// The columns with text about people.
    static let personal = DataInventory.policies.flatMap { holding in
        holding.sealedColumns.map { Column(holding.table, $0, of: holding.sealingIDColumn, isText: true) }
    }

    private static let secrets = [
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
        Column("tags", "next_keys", of: "id"),
        Column("tag_settings", "master", of: "only"),
        Column("cameras", "sealed", of: "id"),
        Column("events", "picture_key", of: "id"),
        Column("jobs", "file_key", of: "id"),
        Column("audit_keys", "wrapped", of: "id"),
        Column("audit_signer", "key", of: "only", or: AuditSigner.sealingLabel),
    ]

    /// Without what these hold no hub starts.
    static let requiredToStart = secrets.filter { ["signing_keys", "push_identity"].contains($0.table) }

    /// Opens everything with one key and seals it with the other. One value that does not open, and nothing is changed.
    static func reseal(from old: SealingKey, to new: SealingKey, in db: Database) throws {
        let (before, after) = (PersonalKeys(old), PersonalKeys(new))
        for column in all {
            let keys = column.isText ? (try before.of(column.table), try after.of(column.table)) : (old, new)
            try withoutTriggers(of: column.table, in: db) { try reseal(column, from: keys.0, to: keys.1, in: db) }
        }
    }

    /// Verifies that every sealed value in these columns opens with the key.
    ///
    /// - Throws: `HouseKeyError.doesNotOpen`
    static func verify(_ columns: [Column] = all, with key: SealingKey, in db: Database) throws {
        let keys = PersonalKeys(key)
        for column in columns {
            let key = column.isText ? try keys.of(column.table) : key
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT \(column.keyColumns.joined(separator: ", ")), \(column.column) FROM \(column.table) WHERE \(column.isSealed)")
            while let row = try rows.next() { _ = try open(row, of: column, with: key) }
        }
    }

    private static func reseal(_ column: Column, from old: SealingKey, to new: SealingKey, in db: Database) throws {
        let names = column.keyColumns.joined(separator: ", ")
        let isIt = column.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
        let select = try db.makeStatement(sql: "SELECT \(names), \(column.column) FROM \(column.table) WHERE \(isIt)")
        let update = try db.makeStatement(sql: "UPDATE \(column.table) SET \(column.column) = ? WHERE \(isIt)")
        for name in try Row.fetchAll(db, sql: "SELECT \(names) FROM \(column.table) WHERE \(column.isSealed)") {
            let values: [DatabaseValue] = column.keyColumns.indices.map { name[$0] }
            for row in try Row.fetchAll(select, arguments: StatementArguments(values)) {
                let (plain, place) = try open(row, of: column, with: old)
                let sealed = try new.seal(plain, for: place)
                let value = column.isText ? SealedText.encode(sealed).databaseValue : sealed.databaseValue
                try update.execute(arguments: StatementArguments([value] + values))
            }
        }
    }

    private static func open(_ row: Row, of column: Column, with key: SealingKey) throws -> (plain: Data, place: String) {
        let place = column.sealingLabel(of: column.keyColumns.indices.map { text(row[$0]) })
        let value: DatabaseValue = row[column.keyColumns.count]
        let sealed = column.isText ? String.fromDatabaseValue(value).flatMap(SealedText.decode) : Data.fromDatabaseValue(value)
        if let other = column.alternativeLabel, let plain = opened(sealed, for: other, with: key) { return (plain, other) }
        guard let plain = opened(sealed, for: place, with: key) else { throw HouseKeyError.doesNotOpen(table: column.table) }
        return (plain, place)
    }

    private static func opened(_ sealed: Data?, for place: String, with key: SealingKey) -> Data? {
        do { return try key.open(sealed ?? Data(), for: place) } catch { return nil }
    }

    // MARK: Plaintext values

    /// The number of rows in one commit: no door waits for more.
    private static let batchSize = 500

    /// Seals what an older hub wrote in the clear. Where it is broken off, it is gone on with at the next start.
    static func sealAll(in store: Store, at now: Date) async throws -> Int {
        guard try await store.read({ try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM column_seal)") }) == true else {
            return 0
        }
        var count = 0
        for column in personal {
            var last = DatabaseValue.null
            while let (through, sealed) = try await store.write({ [last] in try seal(column, after: last, in: $0) }) {
                (last, count) = (through, count + sealed)
            }
        }
        try await indexEvents(in: store)
        try await store.write { db in
            try db.execute(
                sql: """
                    UPDATE people SET username_mark = marked(opened(username, 'people.username', id), 'people.username')
                    WHERE opened(username, 'people.username', id) <> '' AND username_mark IS NULL;
                    UPDATE sessions SET remote_mark = marked(opened(remote, 'sessions.remote', id), 'sessions.remote')
                    WHERE opened(remote, 'sessions.remote', id) <> '' AND remote_mark IS NULL
                    """)
        }
        // The log holds the sealed values and the database file the earlier ones until a checkpoint. The step is marked as done only after
        // it, so that an interruption repeats it even if nothing is left to seal.
        try await store.checkpoint()
        try await store.write { try $0.execute(sql: "INSERT INTO column_seal (only, at) VALUES (1, ?)", arguments: [now.milliseconds]) }
        return count
    }

    /// - Returns: the last row that was read, and the number of rows; nil if there are no more.
    private static func seal(_ column: Column, after last: DatabaseValue, in db: Database) throws -> (DatabaseValue, Int)? {
        let (table, name, text) = (column.table, column.keyColumns[0], column.column)
        let only = table == "journal" ? sealedJournalRows : "1"
        let names = try DatabaseValue.fetchAll(
            db,
            sql: """
                SELECT \(name) FROM \(table) WHERE (:last IS NULL OR \(name) > :last) AND \(text) <> '' AND NOT (\(column.isSealed)) AND \(only)
                ORDER BY \(name) LIMIT \(batchSize)
                """, arguments: ["last": last])
        guard let through = names.last else { return nil }
        try withoutTriggers(of: table, in: db) {
            let update = try db.makeStatement(
                sql: "UPDATE \(table) SET \(text) = sealed(\(text), '\(table).\(text)', \(name)) WHERE \(name) = ?")
            for name in names { try update.execute(arguments: [name]) }
        }
        return (through, names.count)
    }

    /// The rows of the journal with personal text. Rows about devices contain none, except the reason why something was not done.
    private static let sealedJournalRows = """
        (kind IN ('\(Journal.Kind.sealedKinds.map(\.rawValue).joined(separator: "', '"))')
            OR iif(kind = '\(Journal.Kind.commandChanged.rawValue)' AND json_valid(data), json_extract(data, '$.reason') IS NOT NULL, 0))
        """

    /// Rebuilds the full-text index of events from the keyed hashes of their words.
    private static func indexEvents(in store: Store) async throws {
        try await store.write { try $0.execute(sql: "INSERT INTO event_words (event_words) VALUES ('delete-all')") }
        var last = Int64.min
        while let through = try await store.write({ [last] db -> Int64? in
            let keys = try Int64.fetchAll(
                db, sql: "SELECT key FROM events WHERE key > ? ORDER BY key LIMIT \(batchSize)", arguments: [last])
            guard let through = keys.last else { return nil }
            try db.execute(
                sql: """
                    INSERT INTO event_words (rowid, description, type, camera_name, place)
                    SELECT key, opened(description, 'events.description', id), type, camera_name, place FROM events
                    WHERE key > ? AND key <= ?
                    """, arguments: [last, through])
            return through
        }) { last = through }
    }

    /// Some triggers forbid changes to a value. They are dropped while its meaning stays the same, or while the person it is about is
    /// erased, and are restored in the same commit.
    static func withoutTriggers(of table: String, in db: Database, _ body: () throws -> Void) throws {
        let triggers = try Row.fetchAll(
            db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", arguments: [table])
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER \(trigger[0] as String)") }
        try body()
        for trigger in triggers { try db.execute(sql: trigger[1]) }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes): bytes.base64EncodedString()
        // Other rows have numbers as their ids, which are not encrypted.
        case .int64, .double, .null: value.description
        }
    }
}
