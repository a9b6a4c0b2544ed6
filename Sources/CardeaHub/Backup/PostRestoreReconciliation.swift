import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Revokes access in a house restored from a backup. Access that was revoked after the backup was made must not return, and the backup does
/// not say which that was. So everything that lets a person in ends, except for one owner's password.
public enum PostRestoreReconciliation {
    public enum ReconciliationError: Error, Hashable, CustomStringConvertible {
        /// The backup contains several owners, and one may have left since.
        case severalOwners([String])
        case noSuchOwner(String, [String])
        /// Every owner in the backup has been erased since.
        case ownersErased

        public var description: String {
            switch self {
            case .severalOwners(let names):
                "The backup knows several owners: \(names.joined(separator: ", ")). Name the one who is to come in first with --owner; that one lets the others in again."
            case .ownersErased:
                "Every owner whom the backup knows has been erased since. Restore a later one, made when today's owner was there."
            case .noSuchOwner(let name, let names):
                "The backup knows no owner \u{201C}\(name)\u{201D}. It knows: \(names.joined(separator: ", "))."
            }
        }
    }

    /// The numbers of sessions, devices and rights that were ended.
    public struct Report: Codable, Hashable, Sendable {
        public var sessions = 0
        public var phones = 0
        public var programs = 0
        public var passes = 0
        public var people = 0
        public var passkeys = 0
        public var recoveryCodes = 0
        public var tags = 0
        public var automations = 0
        /// The people in the backup who are erased again when the house starts.
        public var erased = 0
        /// The owner who signs in first, with the password from the backup; nil in a house that had no owner.
        public var owner: String?
    }

    /// The number of journal rows that are skipped: many times what a client may lag behind, and more than a house writes in years.
    static let journalGap: Int64 = 1_000_000_000

    /// Does it all in one transaction, on a copy that no hub serves, and records it in the audit log.
    ///
    /// - Parameters:
    ///   - madeAt: when the backup was made.
    ///   - erased: people erased since, by ID, with the time: the house erases them again before it serves any of their data.
    ///   - damage: the damage to the house's audit log, which is restored all the same.
    ///   - owner: the user name of the owner who may sign in; may be nil if there is only one.
    public static func apply(
        to store: Store, sealing: SealingKey, madeAt: Date, owner: String?, erased: [String: Int64] = [:],
        despite damage: String? = nil, at now: Date
    ) async throws -> Report {
        store.sealColumns(with: PersonalKeys(sealing).seal)
        let auditLogWriter = try await AuditLogWriter(store: store, sealing: sealing, at: now)
        defer { withExtendedLifetime(auditLogWriter) {} }
        return try await store.write { db in
            var report = Report()
            let kept = try self.owner(named: owner, erased: erased, db)
            report.owner = kept?.username
            // While their sessions still exist: their phones learn of the erasure by their tokens and delete their copies.
            let own = try Dictionary(
                uniqueKeysWithValues: erased.keys.map { ($0, try ReplicaRecords.recordOwnReplicas(of: $0, at: now, in: db)) })
            try disablePeople(but: kept?.id, &report, in: db)
            try revokeCredentials(&report, at: now, in: db)
            try suspendPasses(&report, at: now, in: db)
            try resetTags(&report, at: now, in: db)
            try disableAutomations(&report, in: db)
            report.erased = try scheduleErasures(erased, own: own, at: now, in: db)
            // Replicas have followed rows that no longer exist. Row numbers far ahead make them start again from the beginning.
            try Journal.skip(by: journalGap, at: now, in: db)
            try db.execute(
                sql: """
                    UPDATE backups SET restored_at = ?, restored_from = ?, good_at = ?, good_bytes = coalesce(good_bytes, 1),
                        failed_at = NULL, failure = NULL
                    """, arguments: [now.milliseconds, madeAt.milliseconds, madeAt.milliseconds])
            try AuditLog.append(
                .init(
                    who: .house, action: "house.restore", grantID: BackupRecords.recordName(madeAt), result: .done,
                    reason: damage == nil ? nil : .failed), in: .house(db, at: now))
            if let damage { try BackupRecords.notify("The house was restored despite a damaged audit log: \(damage)", onceOn: now, in: db) }
            let when = madeAt.formatted(.iso8601)
            try BackupRecords.notify(
                "The house was restored from a backup of \(when). Check people, passes, tags and automations.",
                subject: "restore:\(now.milliseconds)", at: now, in: db)
            return report
        }
    }

    private static func owner(named name: String?, erased: [String: Int64], _ db: Database) throws -> (id: String, username: String)? {
        let owners = try Row.fetchAll(
            db,
            sql: """
                SELECT id, opened(username, 'people.username', id) FROM people
                WHERE role = 'owner' AND disabled = 0 AND removed_at IS NULL AND username IS NOT NULL ORDER BY 2
                """
        ).map { (id: $0[0] as String, username: $0[1] as String) }.filter { erased[$0.id] == nil }
        let isOwned = try Bool.fetchOne(db, sql: "SELECT 1 FROM people WHERE role = 'owner' AND removed_at IS NULL") == true
        if owners.isEmpty, isOwned { throw ReconciliationError.ownersErased }
        let names = owners.map(\.username)
        guard let name else {
            guard owners.count <= 1 else { throw ReconciliationError.severalOwners(names) }
            return owners.first
        }
        let found = UserName.candidates(name).compactMap { form in owners.first { $0.username == form } }
        return try found.first.orThrow(ReconciliationError.noSuchOwner(name, names))
    }

    /// A person may have been removed since, may have lost a role, or may have unlinked a presence source.
    private static func disablePeople(but owner: String?, _ report: inout Report, in db: Database) throws {
        try db.execute(
            sql: "UPDATE people SET disabled = 1 WHERE disabled = 0 AND removed_at IS NULL AND id IS NOT ?", arguments: [owner])
        report.people = db.changesCount
        try db.execute(sql: "DELETE FROM person_invitations; DELETE FROM presence_sources")
    }

    private static func revokeCredentials(_ report: inout Report, at now: Date, in db: Database) throws {
        let moment = now.milliseconds
        report.phones = try Int.fetchOne(db, sql: "SELECT count(*) FROM phones") ?? 0
        try db.execute(sql: "DELETE FROM phone_pairings; DELETE FROM phones")
        try db.execute(sql: "UPDATE sessions SET ended_at = ?, end_reason = 'restored' WHERE ended_at IS NULL", arguments: [moment])
        report.sessions = db.changesCount
        // A token signed before the restore belongs to no one: the next start makes another key.
        try db.execute(
            sql: "DELETE FROM refresh_tokens; DELETE FROM signing_keys; DELETE FROM passkey_challenges; DELETE FROM kept_answers")
        try db.execute(
            sql: "UPDATE passkeys SET ended_at = ?, end_reason = 'restored' WHERE ended_at IS NULL", arguments: [moment])
        report.passkeys = db.changesCount
        try db.execute(sql: "DELETE FROM recovery_codes")
        report.recoveryCodes = db.changesCount
        try db.execute(sql: "UPDATE api_tokens SET revoked_at = ? WHERE revoked_at IS NULL", arguments: [moment])
        report.programs = db.changesCount
        try db.execute(sql: "UPDATE webhooks SET revoked_at = ? WHERE revoked_at IS NULL", arguments: [moment])
        report.programs += db.changesCount
        try db.execute(sql: "UPDATE house SET claim_hash = NULL")
    }

    /// Suspends every pass. Resuming one gives out a new link, since the phone that held it may have been lost.
    private static func suspendPasses(_ report: inout Report, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE guests SET suspended_at = coalesce(suspended_at, :now), version = version + 1
                WHERE revoked_at IS NULL AND rejected_at IS NULL AND expires_at > :now
                """, arguments: ["now": now.milliseconds])
        report.passes = db.changesCount
        try db.execute(sql: "UPDATE guest_tokens SET replaced_at = ? WHERE replaced_at IS NULL", arguments: [now.milliseconds])
        try db.execute(sql: "DELETE FROM guest_codes WHERE redeemed_at IS NULL")
        try db.execute(sql: "DELETE FROM phone_asks")
    }

    /// Only the tag knows how often it was tapped since. A tag that can be copied may have been removed since: it asks first.
    private static func resetTags(_ report: inout Report, at now: Date, in db: Database) throws {
        try db.execute(sql: "UPDATE tags SET unsynced_at = ? WHERE kind = 'sun'", arguments: [now.milliseconds])
        report.tags = db.changesCount
        try db.execute(
            sql: "UPDATE tag_settings SET control = ?, version = version + 1 WHERE control = ?",
            arguments: [TagPolicy.Permission.confirmed.rawValue, TagPolicy.Permission.atOnce.rawValue])
        try db.execute(sql: "DELETE FROM live_links")
    }

    /// Erases people from the house before it serves any request again; the rest is done after that start.
    ///
    /// - Parameters:
    ///   - gone: people and guests.
    ///   - own: the number of a person's own devices that hold a copy.
    private static func scheduleErasures(_ gone: [String: Int64], own: [String: Int], at now: Date, in db: Database) throws -> Int {
        var count = 0
        for (id, moment) in gone.sorted(by: { $0.key < $1.key }) {
            try db.execute(
                sql: "INSERT OR IGNORE INTO erasures (person_id, at, own) VALUES (?, ?, ?)", arguments: [id, moment, own[id] ?? 0])
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM people WHERE id = ?1 UNION ALL SELECT 1 FROM guests WHERE id = ?1", arguments: [id])
            guard isThere == true,
                try JobRecords.open(.erasure, of: id, db) == nil
            else { continue }
            try JobRecords.insert("job_restore_\(now.milliseconds)_\(id)", .erasure, of: id, askedBy: nil, at: now, in: db)
            count += 1
        }
        return count
    }

    /// Disables automations and the opening rights of integrations, whose grants may have been revoked since.
    private static func disableAutomations(_ report: inout Report, in db: Database) throws {
        try db.execute(sql: "UPDATE automations SET is_on = 0, version = version + 1 WHERE is_on = 1")
        report.automations = db.changesCount
        try db.execute(sql: "UPDATE integration_grants SET allows_open = 0")
    }
}
