import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The table row with the state of the watch.
struct AuditWatchTable: Sendable {
    let sealing: SealingKey

    struct Record: Codable, Sendable {
        var witness: AuditWitness
        /// When it was seen first.
        let since: Date
        var alarm: AuditWitness.Alarm?
        /// The checkpoint that the house showed when the alarm was raised. Together with the stored one, both signed, it is proof against
        /// the house.
        var evidence: String?
        var broken: BrokenEntry?
        /// The time since when the house no longer shows its audit log; nil if the last request was answered.
        var withheldSince: Date?

        /// The same, marked as withheld.
        func withheld(at now: Date) -> Record {
            var record = self
            record.withheldSince = withheldSince ?? now
            return record
        }
    }

    /// The first damaged entry that the house reported after verifying every entry.
    struct BrokenEntry: Codable, Sendable {
        /// The first damaged entry.
        let at: Int64
        let words: String

        init?(_ answer: AuditCheckpointAnswer) {
            guard let at = answer.brokenAt else { return nil }
            (self.at, words) = (at, answer.problem ?? "Entry \(at) of the audit log is not as it was written.")
        }

        /// The result of the house's last full verification. Until it has verified once since its start, the earlier result holds.
        static func found(_ answer: AuditCheckpointAnswer, after before: BrokenEntry?) -> BrokenEntry? {
            BrokenEntry(answer) ?? (answer.verifiedAt == nil ? before : nil)
        }
    }

    private static let sealingContext = "trail/1/sealed"

    func read(in db: Database) throws -> (record: Record?, askedAt: Date)? {
        guard let row = try Row.fetchOne(db, sql: "SELECT sealed, asked_at FROM trail") else { return nil }
        let record = try (row[0] as Data?).map { try unseal($0) }
        return (record, Date(milliseconds: row[1]))
    }

    private func unseal(_ sealed: Data) throws -> Record {
        do {
            return try JSONDecoder().decode(Record.self, from: sealing.open(sealed, for: Self.sealingContext))
        } catch {
            throw ClientError.storage(
                "The stored state of the audit log cannot be read by this version of the program; a newer version may have written it. "
                    + "Use that version, or accept the audit log in its present state.")
        }
    }

    func write(_ record: Record?, at now: Date, in db: Database) throws {
        let sealed = try record.map { try sealing.seal(JSONEncoder().encode($0), for: Self.sealingContext) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO trail (id, asked_at, sealed) VALUES (1, ?, ?)", arguments: [now.milliseconds, sealed])
    }

    func delete(in db: Database) throws { try db.execute(sql: "DELETE FROM trail") }
}
