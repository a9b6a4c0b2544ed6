import CardeaSecurity
import Foundation
import GRDB
import Synchronization

/// The one file a client keeps of a house: what it was told, what it still has to say, and what it cannot decide alone.
///
/// What is written is on the disk when the call returns. Everything that tells of the house is sealed under a key that is kept elsewhere;
/// in the clear stand numbers, times, and keyed marks by which rows are found.
final class ReplicaStore: Sendable {
    let sealing: SealingKey
    private let database: any DatabaseWriter
    private let isClosed = Mutex(false)

    /// - Parameter file: nil for one in memory.
    init(file: URL?, sealing: SealingKey) throws(ReplicaProblem) {
        self.sealing = sealing
        do {
            database = try Self.open(file)
            try Self.makeTables(in: database)
        } catch {
            throw .unreadable(path: file?.path ?? "memory", reason: "\(error)")
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

    /// What is asked afterwards is refused; SQLite itself would fall over it.
    func close() throws {
        guard
            !isClosed.withLock({ was in
                defer { was = true }; return was
            })
        else { return }
        try database.close()
    }

    private func checkOpen() throws(ReplicaProblem) {
        if isClosed.withLock(\.self) { throw .closed }
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
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Made here, so that it never stands there for others to read.
        let descriptor = Foundation.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        Foundation.close(descriptor)
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // GRDB sets NORMAL when it turns WAL on. What a person was told is queued must survive the power going.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }

    private static func makeTables(in database: any DatabaseWriter) throws {
        do {
            try migrator.migrate(database)
        } catch {
            // Another program that opened it at the same moment made them first; now that is seen.
            try migrator.migrate(database)
        }
    }

    /// A file that another key sealed is no use, and must not be filled with what nobody can read together.
    private func checkKey(path: String) throws(ReplicaProblem) {
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
            throw .unreadable(path: path, reason: "\(error)")
        }
        throw .sealedByAnotherKey(path: path)
    }

    private static let keyName = Data("replica".utf8)

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: ReplicaSchema.first) }
        return migrator
    }
}

/// Why what is kept of the house cannot be used, and what to do about it.
public enum ReplicaProblem: Error, Hashable, Sendable, LocalizedError {
    case unreadable(path: String, reason: String)
    case sealedByAnotherKey(path: String)
    /// It was closed before.
    case closed

    public var errorDescription: String? {
        switch self {
        case .unreadable(let path, let reason): "What is kept of the house in \(path) cannot be used: \(reason)."
        case .sealedByAnotherKey(let path):
            "\(path) was sealed by another key than the one kept here. Bring that key back, or take the file away: the house is then read anew."
        case .closed: "What is kept of the house was closed."
        }
    }
}

enum ReplicaSchema {
    static let first = """
        CREATE TABLE replica (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_mark BLOB NOT NULL CHECK (length(key_mark) = 32),
            -- The last event of the house's journal that stands here; nil before the first look.
            cursor INTEGER CHECK (cursor >= 0),
            -- When this was last level with the house, in milliseconds since 1970 by the clock here.
            level_at INTEGER,
            -- When everything was last read anew.
            whole_at INTEGER
        ) STRICT;

        -- Things of the house as it last told them.
        CREATE TABLE documents (
            -- A keyed hash of kind and id.
            mark BLOB PRIMARY KEY CHECK (length(mark) = 32),
            kind TEXT NOT NULL,
            position INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX documents_of_kind ON documents (kind, position);

        -- Kinds of which something changed that is still to be read.
        CREATE TABLE stale_kinds (kind TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

        -- What is to be asked of the house, in the order in which it was wished.
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Also the name under which the house hears of it: said twice, it is done once.
            id TEXT NOT NULL UNIQUE,
            -- A keyed hash of the device, room or scene it is about. What is about the same waits for what came before.
            lane BLOB NOT NULL CHECK (length(lane) = 32),
            sealed BLOB NOT NULL,
            made_at INTEGER NOT NULL,
            not_after INTEGER,
            tries INTEGER NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 3),
            -- waiting: certainly not heard of yet; sent: the house may have heard of it; ended: it never will be done.
            status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'ended')),
            ending_sealed BLOB,
            CHECK ((status = 'ended') = (ending_sealed IS NOT NULL))
        ) STRICT;
        CREATE INDEX outbox_open ON outbox (position) WHERE status <> 'ended';

        -- Changes that met another's. The thing stays frozen here until somebody decides.
        CREATE TABLE conflicts (
            id TEXT PRIMARY KEY,
            lane BLOB NOT NULL UNIQUE CHECK (length(lane) = 32),
            sealed BLOB NOT NULL,
            found_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
