import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The house's key as rows: one for each key that opens it, and one for the paper.
enum HouseKeyRecords {
    struct StoredKey: Sendable {
        let number: Int64
        let location: KeyLocation
        let sealedBy: SystemdCredentialSeal?
        let mark: Data
        let wrapped: Data

        /// - Parameter key: the one identified by `mark`.
        /// - Throws: `HouseKeyError.doesNotOpen`
        func opened(by key: KeyEncryptionKey) throws -> SealingKey {
            do { return try key.unwrap(wrapped) } catch { throw HouseKeyError.doesNotOpen(table: "house_keys") }
        }
    }

    /// Without the paper's, the newest last.
    static func read(_ db: Database) throws -> [StoredKey] {
        try Row.fetchAll(
            db, sql: "SELECT number, place, guarded_by, mark, wrapped FROM house_keys WHERE place <> 'recovery' ORDER BY number"
        ).compactMap { row in
            KeyLocation(rawValue: row[1]).map {
                StoredKey(
                    number: row[0], location: $0, sealedBy: (row[2] as String?).flatMap(SystemdCredentialSeal.init), mark: row[3],
                    wrapped: row[4])
            }
        }
    }

    /// Returns whether the database contains no sealed value yet.
    static func hasNothingSealed(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM audit_keys) AND NOT EXISTS (SELECT 1 FROM signing_keys)") == true
    }

    static func insert(
        _ number: Int64, _ protection: KeyProtection, _ mark: Data, _ wrapped: Data, at now: Date, in db: Database
    ) throws {
        try db.execute(
            sql: "INSERT INTO house_keys (number, place, guarded_by, mark, wrapped, made_at) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [number, protection.location.rawValue, protection.sealedBy?.rawValue, mark, wrapped, now.milliseconds])
    }

    /// The same key opens another one from now on, and no other key does.
    static func rewrap(_ number: Int64, _ wrapped: Data, in db: Database) throws {
        try db.execute(sql: "UPDATE house_keys SET wrapped = ? WHERE number = ?", arguments: [wrapped, number])
        try db.execute(sql: "DELETE FROM house_keys WHERE place <> 'recovery' AND number <> ?", arguments: [number])
    }

    /// Records that no older key opens the house any more, and where this one is.
    static func keepOnly(_ number: Int64, _ protection: KeyProtection, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM house_keys WHERE place <> 'recovery' AND number < ?", arguments: [number])
        try db.execute(
            sql: "UPDATE house_keys SET place = ?1, guarded_by = ?2 WHERE number = ?3 AND (place, guarded_by) IS NOT (?1, ?2)",
            arguments: [protection.location.rawValue, protection.sealedBy?.rawValue, number])
    }

    // MARK: Recovery key

    static func recoveryWrapping(_ db: Database) throws -> (mark: Data, wrapped: Data)? {
        // A house that is not migrated yet may be older than this table.
        guard try db.tableExists("house_keys") else { return nil }
        return try Row.fetchOne(db, sql: "SELECT mark, wrapped FROM house_keys WHERE place = 'recovery'").map { ($0[0], $0[1]) }
    }

    /// Returns whether there is a recovery key to which the house's key is not sealed yet.
    static func needsRecoveryWrapping(_ db: Database) throws -> Bool {
        guard let key = try BackupRecords.read(db).recoveryKey else { return false }
        return try recoveryWrapping(db)?.mark != RecoveryKey.mark(of: key)
    }

    /// Seals the house's key to the recovery key, if there is one.
    static func wrapForRecovery(_ sealing: SealingKey, at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM house_keys WHERE place = 'recovery'")
        guard let key = try BackupRecords.read(db).recoveryKey else { return }
        // Negative numbers never belong to a stored key.
        try db.execute(
            sql: "INSERT INTO house_keys (number, place, mark, wrapped, made_at) VALUES (-1, 'recovery', ?, ?, ?)",
            arguments: [RecoveryKey.mark(of: key), try RecoveryKey.seal(sealing, to: key), now.milliseconds])
    }
}
