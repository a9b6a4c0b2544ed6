import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The keys of the audit log: one for events of the house and one for each person and each pass, all sealed by the house's key.
///
/// Destroying a person's key makes their identity unreadable in every entry, and changes no entry.
final class AuditKeys: Sendable {
    struct DataKey: Sendable {
        let id: Int64
        let key: SealingKey
    }

    /// The status of an old entry's key.
    enum Status: Sendable {
        case opens(SealingKey)
        case destroyed
        /// It does not open with the house's key.
        case lost
    }

    /// The key for events, and for unknown actors.
    let house: DataKey
    /// The house's own key, which seals them.
    let sealing: SealingKey
    private let index: SealingKey
    private let cache = Mutex(Cache())

    /// Keys and marks that the writer need not look up again. `uncommitted` holds the keys made in the current transaction.
    private struct Cache {
        var subjects: [String: DataKey] = [:]
        var uncommitted: [String: DataKey] = [:]
        var marks: [MarkName: Int64] = [:]
        /// The latest commands: each has a few entries in short succession, and then none.
        var commands: [String: Int64] = [:]
    }

    /// The properties by which an entry is found, besides its command.
    enum MarkKind {
        case device, result, action

        fileprivate var label: String {
            switch self {
            case .device: "device/"
            case .result: "result/"
            case .action: "action/"
            }
        }
    }

    /// The value behind a mark.
    private struct MarkName: Hashable {
        let kind: MarkKind
        let value: String
    }

    /// Reads the keys of the house, or makes them if there are none yet.
    init(sealing: SealingKey, at now: Date, in db: Database) throws {
        self.sealing = sealing
        house = try Self.currentKey("house", nil, sealing, db) ?? Self.make("house", nil, sealing, at: now, in: db)
        index = try (Self.currentKey("index", nil, sealing, db) ?? Self.make("index", nil, sealing, at: now, in: db)).key
    }

    // MARK: Writing

    /// Begins a transaction's entries: keys of an earlier transaction that was not committed are forgotten.
    func beginTransaction() {
        cache.withLock { $0.uncommitted = [:] }
    }

    /// The transaction was committed, and with it the keys that it made.
    func didCommit() {
        cache.withLock { known in
            for (subject, key) in known.uncommitted { known.subjects[subject] = key }
            known.uncommitted = [:]
        }
    }

    /// The key under which new entries about `subject` are sealed; made when first needed.
    func key(of subject: String, at now: Date, in db: Database) throws -> DataKey {
        if let key = cache.withLock({ $0.uncommitted[subject] ?? $0.subjects[subject] }) { return key }
        let name = index.mark(Data("subject/\(subject)".utf8))
        if let key = try Self.currentKey("subject", name, sealing, db) {
            cache.withLock { $0.subjects[subject] = key }
            return key
        }
        let key = try Self.make("subject", name, sealing, at: now, in: db)
        cache.withLock { $0.uncommitted[subject] = key }
        return key
    }

    /// The keyed hash by which entries are found: eight bytes, whose value cannot be guessed without the key.
    func mark(_ kind: MarkKind, _ value: String) -> Int64 {
        let name = MarkName(kind: kind, value: value)
        if let mark = cache.withLock({ $0.marks[name] }) { return mark }
        let mark = computeMark(kind.label + value)
        cache.withLock { known in
            if known.marks.count >= 1024 { known.marks = [:] }
            known.marks[name] = mark
        }
        return mark
    }

    private func computeMark(_ name: String) -> Int64 {
        index.mark(Data(name.utf8)).prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }

    /// The mark of a command. The bits above the lower 32 are the time in the command's name, in steps of about a minute, so that the index
    /// grows at its end; the entry itself contains that time anyway.
    func mark(command id: String) -> Int64 {
        if let mark = cache.withLock({ $0.commands[id] }) { return mark }
        let minute = (UInt64(id.dropFirst("cmd_".count).prefix(12), radix: 16) ?? 0) >> 16 & 0x7FFF_FFFF
        let mark = Int64(minute) << 32 | computeMark("command/" + id) & 0xFFFF_FFFF
        cache.withLock { known in
            if known.commands.count >= 256 { known.commands = [:] }
            known.commands[id] = mark
        }
        return mark
    }

    // MARK: Reading

    /// The IDs of the keys that entries about `subject` are sealed with.
    func ids(of subject: String, in db: Database) throws -> [Int64] {
        try Int64.fetchAll(
            db, sql: "SELECT id FROM audit_keys WHERE subject = ?", arguments: [index.mark(Data("subject/\(subject)".utf8))])
    }

    /// The status of the keys with these IDs; of all keys if `names` is nil. Unknown keys are left out.
    ///
    /// They are read each time, so that a copy of a destroyed key stays in memory no longer than the read it was needed for.
    func statuses(of names: Set<Int64>? = nil, in db: Database) throws -> [Int64: Status] {
        let query: SQL =
            if let names { "SELECT id, wrapped FROM audit_keys WHERE id IN \(names)" } else { "SELECT id, wrapped FROM audit_keys" }
        let rows = try SQLRequest<Row>(literal: query).fetchAll(db)
        return Dictionary(uniqueKeysWithValues: rows.map { row in (row[0] as Int64, status(of: row[0], row[1])) })
    }

    private func status(of id: Int64, _ wrapped: Data?) -> Status {
        guard let wrapped else { return .destroyed }
        do { return .opens(try sealing.unwrap(wrapped, from: Self.sealingLabel(id))) } catch { return .lost }
    }

    // MARK: Retiring

    /// Retires all keys but the index key, which entries and keys' owners are found by. New entries get new keys. The old keys open old
    /// entries, and are destroyed together with the new ones.
    ///
    /// The house's next key is made at once, so that readers find one; the others when they are first needed.
    static func rotateAll(sealing: SealingKey, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE audit_keys SET retired_at = ? WHERE purpose <> 'index' AND retired_at IS NULL AND destroyed_at IS NULL",
            arguments: [now.milliseconds])
        _ = try AuditKeys(sealing: sealing, at: now, in: db)
    }

    // MARK: Destroying

    /// The audit action for destroying a key. Without such an entry, anyone who can write the database could take a key away.
    static let destroyAction = "audit_key.destroy"

    static func entryName(of id: Int64) -> String { "audit_key:\(id)" }

    /// Destroys every key of `subject`, and records it in the audit log. The entries and the chain stay, but the subject's identity in them
    /// cannot be read again.
    func destroy(of subject: String, at now: Date, in db: Database) throws {
        cache.withLock { known in
            known.subjects[subject] = nil
            known.uncommitted[subject] = nil
        }
        let gone = try ids(of: subject, in: db)
        try db.execute(
            sql: "UPDATE audit_keys SET wrapped = NULL, subject = NULL, destroyed_at = ? WHERE subject = ?",
            arguments: [now.milliseconds, index.mark(Data("subject/\(subject)".utf8))])
        for id in gone {
            try AuditLog.append(
                .init(who: .house, action: Self.destroyAction, entityID: Self.entryName(of: id), result: .done), in: .house(db, at: now))
        }
    }

    // MARK: Rows

    private static func currentKey(_ purpose: String, _ subject: Data?, _ sealing: SealingKey, _ db: Database) throws -> DataKey? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT id, wrapped FROM audit_keys
                    WHERE purpose = ? AND subject IS ? AND retired_at IS NULL AND destroyed_at IS NULL
                    """), arguments: [purpose, subject])
        guard let row else { return nil }
        let (id, wrapped): (Int64, Data) = (row[0], row[1])
        do {
            return DataKey(id: id, key: try sealing.unwrap(wrapped, from: sealingLabel(id)))
        } catch {
            throw AuditKeyError()
        }
    }

    private static func make(
        _ purpose: String, _ subject: Data?, _ sealing: SealingKey, at now: Date, in db: Database
    ) throws -> DataKey {
        let id = Int64.random(in: 1...Int64.max)
        let (key, wrapped) = try sealing.newKey(storedAt: sealingLabel(id))
        try db.execute(
            sql: "INSERT INTO audit_keys (id, purpose, subject, wrapped, created_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, purpose, subject, wrapped, now.milliseconds])
        return DataKey(id: id, key: key)
    }

    private static func sealingLabel(_ id: Int64) -> String { "audit_keys/\(id)/wrapped" }
}
