// This file, WriteQueue.swift and Privacy/AuditNote.swift are the public interface of CardeaStore beside the journal.
import Foundation
import GRDB

/// The hub's one SQLite database. Every durable write passes `write`, so that group commit lives in one place.
public final class Store: Sendable {
    /// The folder of the database; nil for a house in memory.
    public let folder: URL?
    private let database: any DatabaseWriter
    private let writes: WriteQueue
    private let log = WriteAheadLog()
    private let columns: SealingFunctions

    /// Opens or makes the database in `folder`, brings it up to date, and reads the pragmas back.
    public convenience init(folder: URL, batchLimit: Int = WriteQueue.batchLimit) throws {
        let columns = SealingFunctions()
        var configuration = Self.configuration(columns)
        configuration.maximumReaderCount = 4
        let pool = try DatabasePool(path: folder.appending(path: "house.sqlite").path, configuration: configuration)
        // GRDB sets NORMAL when it turns WAL on, after `prepareDatabase`; FULL stays only if it is set here, outside any transaction.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try self.init(database: pool, folder: folder, columns: columns, batchLimit: batchLimit)
        try pool.writeWithoutTransaction { try Pragmas.check($0, journalMode: "wal") }
    }

    /// A house in memory, for tests and the demo: it need not be durable.
    public static func inMemory() throws -> Store { try emptyHouse.get().read(copy) }

    /// Returns a copy of the same house in memory, for tests that start from it repeatedly.
    public func copyInMemory() async throws -> Store { try await database.read(Self.copy) }

    /// An empty house with today's schema, before anyone moves in. Running all migrations takes longer than many a test.
    private static let emptyHouse = Result {
        let database = try DatabaseQueue(configuration: configuration(SealingFunctions()))
        try Migrations.run(on: database)
        return database
    }

    private static func copy(_ db: Database) throws -> Store {
        let columns = SealingFunctions()
        let copy = try DatabaseQueue(configuration: configuration(columns))
        try copy.writeWithoutTransaction { try db.backup(to: $0) }
        return try Store(database: copy, folder: nil, columns: columns, batchLimit: WriteQueue.batchLimit)
    }

    private init(database: any DatabaseWriter, folder: URL?, columns: SealingFunctions, batchLimit: Int) throws {
        self.database = database
        self.folder = folder
        self.columns = columns
        writes = WriteQueue(database: database, log: log, batchLimit: batchLimit)
        database.writeWithoutTransaction { log.observe($0) }
        try Migrations.run(on: database)
    }

    /// Seals and opens personal data with `seal` from now on. Before, only plaintext is readable.
    public func sealColumns(with seal: ColumnSeal) { columns.use(seal) }

    /// Calls `handler` when a value of a column cannot be decrypted, with the column's name, as `guests.name`: once for each column, and never
    /// with the value. It must return at once.
    public func onDamage(_ handler: @escaping @Sendable (_ column: String) -> Void) { columns.onDamage(handler) }

    /// Runs `body` in one transaction with other writes, and returns when it is on the disk.
    ///
    /// An error undoes this body's changes alone. The body must not wait for anything.
    ///
    /// - Parameter committed: called with the body's result as soon as it is on the disk, before the listeners and before the next
    ///   transaction: for memory that mirrors the rows. It must return at once.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value, committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await writes.write(body, committed: committed)
    }

    /// The number of commits since opening. Low-priority work reads it to wait until no other code writes.
    public var commitCount: Int { writes.commitCount }

    /// Waits until there was no write for a `pause`, and for at most so many pauses.
    public func waitUntilIdle(for pause: Duration, most pauses: Int = .max) async throws {
        var (before, left) = (commitCount, pauses)
        repeat {
            before = commitCount
            left -= 1
            try await Task.sleep(for: pause)
        } while left > 0 && commitCount != before
    }

    /// Makes the writes of `body` run on its own thread where no other write runs: for code with a thread of its own, which may wait for
    /// the disk, and never for one of the shared ones.
    public static func writingOnCurrentThread<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await WriteQueue.$mayBlockThread.withValue(true, operation: body, isolation: isolation)
    }

    /// Calls `handler` when the disk reports that it lost written data, before any writer is answered. Data read afterwards may be wrong, so
    /// the program must end: after a restart it reads what is there.
    public func onDurabilityLoss(_ handler: @escaping @Sendable () -> Void) { log.onDurabilityLoss(handler) }

    /// Reads what is committed.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    /// Calls `handler` after every commit with the rows that it added to the journal, for as long as the store is open. It must return at
    /// once.
    public func onCommit(_ handler: @escaping @Sendable ([JournalRow]) -> Void) {
        writes.onCommit(handler)
    }

    /// Has `ending` write at the end of every transaction what its writes left with `Database.leave`. An error undoes the whole
    /// transaction. There is one ending; a later one takes the earlier one's place.
    public func beforeCommit(_ ending: @escaping @Sendable (_ notes: [UnsealedAuditEntry], Database) throws -> Void) {
        writes.beforeCommit(TransactionBuffer.CommitHook(write: ending))
    }

    /// Moves the write-ahead log into the database whenever it is long and there was no write for a moment, until it is cancelled. Without
    /// it the log is moved between two writers once it is very long.
    public func checkpointWhenIdle() async {
        for await _ in log.growth() {
            do { try await waitUntilIdle(for: .milliseconds(50)) } catch { return }
            database.asyncWriteWithoutTransaction { [log] in log.checkpoint(from: WriteAheadLog.checkpointThreshold, $0) }
        }
    }

    /// Moves what is committed out of the write-ahead log into the database, and empties the log.
    public func checkpoint() async throws {
        do { _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) } } catch {
            log.checkForLoss(error)
            throw error
        }
    }

    /// The same as soon as no reader uses old pages. A long reader, such as a backup, is waited for beside the writer, so that no door
    /// command waits.
    private func checkpointAfterReaders() async throws {
        var pause = Duration.milliseconds(100)
        while true {
            do {
                _ = try await database.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA busy_timeout = 0")
                    defer { try? db.execute(sql: "PRAGMA busy_timeout = 5000") }
                    try db.checkpoint(.truncate)
                }
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED {
                try await Task.sleep(for: pause)
                pause = min(pause * 2, .seconds(10))
            } catch {
                log.checkForLoss(error)
                throw error
            }
        }
    }

    /// Removes deleted data from the file: the remains in full-text indexes, and the write-ahead log. In small commits, until there is no
    /// more to do.
    ///
    /// - Parameter words: full-text indexes, by name.
    public func compact(words: [String]) async throws {
        for index in words {
            var pages = -64
            while try await write({ [pages] db in
                let before = db.totalChangesCount
                try db.execute(sql: "INSERT INTO \(index) (\(index), rank) VALUES ('merge', \(pages))")
                return db.totalChangesCount - before
            }) >= 2 {
                try Task.checkCancellation()
                // The first call marks everything to be merged; the next ones continue.
                pages = 64
            }
        }
        try await checkpointAfterReaders()
    }

    /// Copies the whole database in its present state into a new file, by SQLite's own backup, while others read and write.
    ///
    /// - Parameter progress: called with the part that is done, 0 to 1.
    public func copy(to url: URL, progress: @escaping @Sendable (Double) -> Void = { _ in }) async throws {
        try await database.read { db in
            let copy = try DatabaseQueue(path: url.path)
            try copy.writeWithoutTransaction { copy in
                // After a power cut the copy is made again.
                try copy.execute(sql: "PRAGMA synchronous = OFF")
                try db.backup(to: copy, pagesPerStep: 1024) { step in
                    let total = max(step.totalPageCount, 1)
                    progress(Double(total - step.remainingPageCount) / Double(total))
                }
            }
            try copy.close()
        }
        // One file contains everything.
        let copy = try DatabaseQueue(path: url.path)
        try await copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try copy.close()
    }

    /// Returns the house's id in a file that no hub serves, and the people who were erased there, by id, with the time in milliseconds. Its
    /// files are left as they are: SQLite would write beside them even to read, so it gets them under another name.
    ///
    /// - Parameter scratch: a folder on the same file system, for that name. It is deleted afterwards.
    public static func erasures(inFile url: URL, scratch: URL) throws -> (house: String?, people: [String: Int64]) {
        let files = FileManager.default
        try files.createDirectory(at: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? files.removeItem(at: scratch) }
        let shown = scratch.appending(path: url.lastPathComponent)
        try files.linkItem(at: url, to: shown)
        if files.fileExists(atPath: url.path + "-wal") { try files.copyItem(atPath: url.path + "-wal", toPath: shown.path + "-wal") }
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: shown.path, configuration: configuration)
        let found = try file.read { db in
            let house = try String.fetchOne(db, sql: "SELECT house_id FROM house")
            guard try db.tableExists("erasures") else { return (house: house, people: [String: Int64]()) }
            let rows = try Row.fetchAll(db, sql: "SELECT person_id, at FROM erasures")
            return (house: house, people: Dictionary(rows.map { ($0[0] as String, $0[1] as Int64) }) { $1 })
        }
        try file.close()
        return found
    }

    /// Problems that SQLite finds in a file that no program has open; empty when it is whole. The file is not changed.
    public static func integrityProblems(ofFile url: URL) async throws -> [String] { try await inspect(atFile: url, problems) }

    /// Reads a file that no program has open, and changes nothing in it.
    public static func inspect<Value: Sendable>(
        atFile url: URL, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: url.path, configuration: configuration)
        let found = try await file.read(body)
        try file.close()
        return found
    }

    /// Watches tables from now on, for as long as the store is open.
    public func observe(_ tables: Set<String>) -> TableChangeCounter {
        let watch = TableChangeCounter(tables)
        database.add(transactionObserver: watch, extent: .databaseLifetime)
        return watch
    }

    /// Throws when the database does not answer.
    public func ping() async throws {
        _ = try await database.read { try Int.fetchOne($0, sql: "SELECT 1") }
    }

    /// Problems that SQLite finds in its own file; empty when it is whole.
    public func integrityProblems() async throws -> [String] {
        try await database.read(Self.problems)
    }

    private static func problems(_ db: Database) throws -> [String] {
        let found =
            try String.fetchAll(db, sql: "PRAGMA integrity_check(20)")
            + String.fetchAll(db, sql: "SELECT 'foreign key: ' || \"table\" FROM pragma_foreign_key_check")
        return found.filter { $0 != "ok" }
    }

    /// Returns whether opening failed because a newer hub has written the database.
    public static func isSchemaTooNew(_ error: any Error) -> Bool { error is SchemaTooNewError }

    public func close() throws {
        try database.close()
    }

    static func configuration(_ columns: SealingFunctions) -> Configuration {
        var configuration = Configuration()
        configuration.label = columns.label
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            // Otherwise the savepoints of a batch write their undo data to a file.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            columns.add(to: db)
        }
        return configuration
    }
}

/// The settings that the hub needs of SQLite, read back to check them.
enum Pragmas {
    struct PragmaError: Error, CustomStringConvertible {
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
            guard found == wanted else { throw PragmaError(name: name, wanted: wanted, found: found) }
        }
    }
}
