import CardeaModel
import CardeaSecurity
import Foundation
import GRDB
import Synchronization

/// The one file that a client keeps of a house: its last known state, pending operations, and conflicts.
///
/// A write is on the disk when the call returns. Data of the house is encrypted with a key that is stored elsewhere; only numbers, times
/// and keyed hashes, by which rows are found, are not encrypted.
final class ReplicaStore: Sendable {
    let sealing: SealingKey
    private let database: any DatabaseWriter
    private let isClosed = Mutex(false)

    /// - Parameter file: nil for one in memory.
    init(file: URL?, sealing: SealingKey) throws(ReplicaError) {
        self.sealing = sealing
        do {
            let opening = try file.map(Self.lockForOpening)
            defer { opening?.release() }
            database = try Self.open(file)
            try Self.migrator.migrate(database)
        } catch {
            throw .unreadable(path: file?.path ?? "memory", reason: Self.message(for: error))
        }
        try checkKey(path: file?.path ?? "memory")
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try checkOpen()
        return try await database.read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try checkOpen()
        return try await database.write(body)
    }

    /// Empties the write-ahead log, so that deleted data is in none of the files.
    ///
    /// - Returns: false if another program kept reading an older state for longer than this waits.
    func truncateWriteAheadLog() async throws -> Bool {
        try checkOpen()
        return try await database.writeWithoutTransaction { db in
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return true }
            do {
                try db.checkpoint(.truncate)
                return true
            } catch DatabaseError.SQLITE_BUSY {
                return false
            }
        }
    }

    /// Frees caches that only speed up reading.
    func releaseMemory() async throws {
        try checkOpen()
        try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA shrink_memory") }
    }

    /// Closes the store. Later calls are refused, because SQLite would crash on them.
    func close() throws {
        guard
            !isClosed.withLock({ was in
                defer { was = true }; return was
            })
        else { return }
        try database.close()
    }

    private func checkOpen() throws(ReplicaError) {
        if isClosed.withLock(\.self) { throw .closed }
    }

    /// Serialises opening among programs: neither the switch to WAL nor the creation of tables waits for another program by itself.
    private static func lockForOpening(_ file: URL) throws -> FileLock {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try FileLock.LockFile(folder.appendingPathComponent("opening.lock")).acquireBlocking()
    }

    private static func open(_ file: URL?) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        // Two programs of one person may hold the same file.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        guard let file else { return try DatabaseQueue(configuration: configuration) }
        // Created here, so that it is never readable for others. An existing file is left alone: closing a file releases all locks that
        // SQLite holds on it in the same program.
        let descriptor = Foundation.open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw CocoaError(.fileWriteNoPermission) }
        if descriptor >= 0 { Foundation.close(descriptor) }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // GRDB sets NORMAL when it turns WAL on. An operation that was reported as queued must survive a power failure.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }

    /// Refuses a file that was encrypted with another key, so that no file mixes data of two keys.
    private func checkKey(path: String) throws(ReplicaError) {
        do {
            let known = try database.write { [sealing] db -> Bool in
                guard let mark = try Data.fetchOne(db, sql: "SELECT key_mark FROM replica") else {
                    try db.execute(sql: "INSERT INTO replica (id, key_mark) VALUES (1, ?)", arguments: [sealing.mark(Self.keyName)])
                    return true
                }
                return mark == sealing.mark(Self.keyName)
            }
            guard !known else { return }
        } catch {
            throw .unreadable(path: path, reason: Self.message(for: error))
        }
        throw .sealedByAnotherKey(path: path)
    }

    /// Without a full stop.
    private static func message(for error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return switch DatabaseErrorKind(code: error.extendedResultCode.rawValue) {
        case .full: "its disk is full; free some space"
        case .readOnly, .cannotOpen: "it cannot be opened or written to; check the owner of the file and its folder"
        case .damaged: "it is damaged; delete it to sync again"
        case .ioError: "its disk does not read or write; check the system log"
        case .busy: "another program uses it; try again"
        case .misuse, .other: "database error \(error.extendedResultCode.rawValue); delete it to sync again"
        }
    }

    private static let keyName = Data("replica".utf8)

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: ReplicaSchema.first) }
        migrator.registerMigration("2") { try $0.execute(sql: ReplicaSchema.answers) }
        migrator.registerMigration("3") { try $0.execute(sql: ReplicaSchema.pictures) }
        migrator.registerMigration("4") { try $0.execute(sql: ReplicaSchema.trail) }
        migrator.registerMigration("5") { try $0.execute(sql: ReplicaSchema.erased) }
        return migrator
    }
}
