import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The row in which it is kept.
struct AuditWatchTable: Sendable {
    let sealing: SealingKey

    struct Record: Codable, Sendable {
        var witness: AuditWitness
        /// When it was seen first.
        let since: Date
        var alarm: AuditWitness.Alarm?
        /// What the house showed when it came to the alarm: signed by it, both are proof against it.
        var evidence: String?
        var broken: BrokenEntry?
        /// Since when the house does not show its trail; nil where it showed it when it was asked last.
        var withheldSince: Date?

        /// The same where the house does not show it.
        func withheld(at now: Date) -> Record {
            var kept = self
            kept.withheldSince = withheldSince ?? now
            return kept
        }
    }

    /// What the house itself found wrong when it looked at every entry.
    struct BrokenEntry: Codable, Sendable {
        /// The first entry that is.
        let at: Int64
        let words: String

        init?(_ answer: AuditCheckpointAnswer) {
            guard let at = answer.brokenAt else { return nil }
            (self.at, words) = (at, answer.problem ?? "Entry \(at) of the audit trail is not as it was written.")
        }

        /// What the house found when it looked last. While it has not looked since it started, that is what it found before.
        static func found(_ answer: AuditCheckpointAnswer, after before: BrokenEntry?) -> BrokenEntry? {
            BrokenEntry(answer) ?? (answer.verifiedAt == nil ? before : nil)
        }
    }

    private static let sealingContext = "trail/1/sealed"

    func read(in db: Database) throws -> (kept: Record?, askedAt: Date)? {
        guard let row = try Row.fetchOne(db, sql: "SELECT sealed, asked_at FROM trail") else { return nil }
        let kept = try (row[0] as Data?).map { try unseal($0) }
        return (kept, Date(milliseconds: row[1]))
    }

    private func unseal(_ sealed: Data) throws -> Record {
        do {
            return try JSONDecoder().decode(Record.self, from: sealing.open(sealed, for: Self.sealingContext))
        } catch {
            throw ClientError.storage(
                "What was seen of the house's record cannot be read by this version of the program; a newer one may have written it. "
                    + "Use that one, or take the record as it is now: it is watched from there.")
        }
    }

    func write(_ kept: Record?, at now: Date, in db: Database) throws {
        let sealed = try kept.map { try sealing.seal(JSONEncoder().encode($0), for: Self.sealingContext) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO trail (id, asked_at, sealed) VALUES (1, ?, ?)", arguments: [now.milliseconds, sealed])
    }

    func delete(in db: Database) throws { try db.execute(sql: "DELETE FROM trail") }
}
