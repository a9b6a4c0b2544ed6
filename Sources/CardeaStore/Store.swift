// This file, WriteQueue.swift and Privacy/AuditNote.swift are the whole public face of CardeaStore beside the journal; the rest is how.
import Foundation
import GRDB

/// The hub's one SQLite database. Every durable write passes `write`, so that group commit lives in one place.
public final class Store: Sendable {
    private let database: any DatabaseWriter
    private let writes: WriteQueue

    /// Opens or makes the database in `folder`, brings it up to date, and reads the pragmas back.
    public convenience init(folder: URL, batchLimit: Int = WriteQueue.batchLimit) throws {
        var configuration = Self.configuration
        configuration.maximumReaderCount = 4
        let pool = try DatabasePool(path: folder.appending(path: "house.sqlite").path, configuration: configuration)
        // GRDB sets NORMAL when it turns WAL on, after `prepareDatabase`; only here, outside any transaction, does FULL stay.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try self.init(database: pool, batchLimit: batchLimit)
        try pool.writeWithoutTransaction { try Pragmas.check($0, journalMode: "wal") }
    }

    /// A house in memory, for tests and for a demo: what is thrown away need not be durable.
    public static func inMemory() throws -> Store {
        try Store(database: DatabaseQueue(configuration: configuration), batchLimit: WriteQueue.batchLimit)
    }

    private init(database: any DatabaseWriter, batchLimit: Int) throws {
        self.database = database
        writes = WriteQueue(database: database, batchLimit: batchLimit)
        try Migrations.run(on: database)
    }

    /// Runs `body` with others' writes in one transaction, and answers when it is on the disk.
    ///
    /// An error undoes this body's changes alone. The body must not wait for anything.
    ///
    /// - Parameter committed: called with what the body returned the moment it is on the disk, before anybody else is told and before the
    ///   next transaction begins: for what is kept in memory of what stands here. It must return at once.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value, committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await writes.write(body, committed: committed)
    }

    /// Reads what is committed.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    /// Calls `told` after every commit with the rows that it added to the journal, for as long as the store is open. It must return at once.
    public func onCommit(_ told: @escaping @Sendable ([JournalRow]) -> Void) {
        writes.onCommit(told)
    }

    /// Has `ending` write at the end of every transaction what its writes left with `Database.leave`. An error undoes the whole
    /// transaction. There is one ending; a later one takes the earlier one's place.
    public func beforeCommit(_ ending: @escaping @Sendable (_ notes: [AuditNote], Database) throws -> Void) {
        writes.beforeCommit(TransactionNotes.Ending(write: ending))
    }

    /// Moves what is committed out of the write-ahead log into the database, and empties the log.
    public func checkpoint() async throws {
        _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Watches tables from now on, for as long as the store is open.
    public func watch(_ tables: Set<String>) -> TableWatch {
        let watch = TableWatch(tables)
        database.add(transactionObserver: watch, extent: .databaseLifetime)
        return watch
    }

    /// Throws when the database does not answer.
    public func ping() async throws {
        _ = try await database.read { try Int.fetchOne($0, sql: "SELECT 1") }
    }

    /// Problems that SQLite finds in its own file; empty when it is whole.
    public func integrityProblems() async throws -> [String] {
        try await database.read { db in
            let found =
                try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
                + String.fetchAll(db, sql: "SELECT 'foreign key: ' || \"table\" FROM pragma_foreign_key_check")
            return found.filter { $0 != "ok" }
        }
    }

    public func close() throws {
        try database.close()
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            // Pages that are written again and again are moved out of the log once for a few hundred commits, and not for each hundred:
            // whoever commits then waits for it.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            // Else the savepoints of a batch spill what they may have to undo into a file.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }
}

/// What the house relies on of SQLite, read back rather than believed.
enum Pragmas {
    struct Wrong: Error, CustomStringConvertible {
        let name: String
        let wanted: String
        let found: String

        var description: String { "SQLite runs with \(name) = \(found) where the house needs \(wanted); it will not start." }
    }

    static func check(_ db: Database, journalMode: String) throws {
        let wanted = [
            ("journal_mode", journalMode), ("synchronous", "2"), ("foreign_keys", "1"), ("secure_delete", "1"),
            ("trusted_schema", "0"), ("cell_size_check", "1"),
        ]
        for (name, wanted) in wanted {
            let found = try String.fetchOne(db, sql: "PRAGMA \(name)") ?? "nothing"
            guard found == wanted else { throw Wrong(name: name, wanted: wanted, found: found) }
        }
    }
}
