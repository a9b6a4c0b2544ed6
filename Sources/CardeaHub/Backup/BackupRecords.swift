import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Backups as rows.
enum BackupRecords {
    static func read(_ db: Database) throws -> BackupRegistry.State {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT recovery_key, good_at, good_bytes, failed_at, failure, restored_at FROM backups"))
        guard let row else { return BackupRegistry.State() }
        var state = BackupRegistry.State(recoveryKey: row[0], restoredAt: (row[5] as Int64?).map(Date.init(milliseconds:)))
        if let at = row[1] as Int64?, let bytes = row[2] as Int64? { state.lastSuccess = .init(at: Date(milliseconds: at), bytes: bytes) }
        if let at = row[3] as Int64?, let words = row[4] as String? {
            state.lastFailure = .init(at: Date(milliseconds: at), message: words)
        }
        return state
    }

    // MARK: Authentication

    private static let setting = "backup.authentication"
    private static let sealingLabel = "sealed_settings/\(setting)/sealed"

    /// Stores the key that authenticates backups, bound to its recovery key.
    static func save(
        _ key: BackupAuthenticationKey?, for recoveryKey: Data, sealedBy sealing: SealingKey, at now: Date, in db: Database
    ) throws {
        try db.execute(sql: "DELETE FROM sealed_settings WHERE name = ?", arguments: [setting])
        guard let key else { return }
        let sealed = try sealing.seal(RecoveryKey.mark(of: recoveryKey) + key.reveal(), for: sealingLabel)
        try db.execute(
            sql: "INSERT INTO sealed_settings (name, sealed, changed_at) VALUES (?, ?, ?)", arguments: [setting, sealed, now.milliseconds])
    }

    /// - Returns: nil if there is none, if it belongs to another recovery key, or if it does not open: then a backup is made without it,
    ///   and says so.
    static func authentication(
        for recoveryKey: Data, openedBy sealing: SealingKey, in db: Database
    ) throws -> BackupAuthenticationKey? {
        let row = try Data.fetchOne(db, sql: "SELECT sealed FROM sealed_settings WHERE name = ?", arguments: [setting])
        guard let row, let plain = try? sealing.open(row, for: sealingLabel) else { return nil }
        let mark = RecoveryKey.mark(of: recoveryKey)
        guard plain.starts(with: mark) else { return nil }
        return BackupAuthenticationKey(bytes: Data(plain.dropFirst(mark.count)))
    }

    /// The name of a backup in the audit log and the journal.
    static func recordName(_ madeAt: Date) -> String { "backup:" + madeAt.formatted(.iso8601) }

    /// Notifies the people who look after the house of damage, once a day.
    static func notify(_ words: String, onceOn now: Date, in db: Database) throws {
        let subject = "damage:\(recordName(now).prefix { $0 != "T" })"
        let isNotified = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM journal WHERE subject = ?)", arguments: ["backup:\(subject)"])
        if isNotified != true { try notify(words, subject: subject, at: now, in: db) }
    }

    /// Notifies the people who look after the house.
    static func notify(_ words: String, subject: String, at now: Date, in db: Database) throws {
        try Journal.append(
            .mindChanged, subject: "backup:\(subject)",
            data: [
                "notice": .string(NoticeKind.unusual.rawValue), "words": .string(words), "needs": .string(Right.modifySettings.rawValue),
            ], at: now, in: db)
    }
}
