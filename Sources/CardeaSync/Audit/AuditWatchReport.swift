import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The state of the house's audit log compared with what was stored here before.
public struct AuditWatchReport: Codable, Hashable, Sendable {
    /// The detected tampering. It stays until a person has checked it and accepts the audit log in its present state.
    public internal(set) var alarm: AuditWitness.Alarm?
    /// The number of signed entries in the last verified checkpoint.
    public let size: Int64
    /// The time when the house signed it, by its own clock.
    public let signedAt: Date
    /// The time when the stored checkpoint was first seen.
    public let since: Date
    /// The stored checkpoint, as a note that transparency-log tools can verify.
    public let note: String
    /// The house's key as first seen: 32 bytes.
    public let key: Data
    /// The first altered entry that the house itself found; nil if it found none.
    public let brokenAt: Int64?
    /// The description of the damage, in the house's words.
    public let problem: String?
    /// The time, by the clock here, since when the house no longer shows its audit log to this person. Nothing was checked since, and the
    /// other fields are the last stored ones. Nil if the last request was answered.
    public let withheldSince: Date?

    enum CodingKeys: String, CodingKey {
        case alarm, size, since, note, key, problem
        case signedAt = "signed_at"
        case brokenAt = "broken_at"
        case withheldSince = "withheld_since"
    }

    init(_ record: AuditWatchTable.Record) {
        alarm = record.alarm
        size = record.witness.newest.size
        signedAt = Date(milliseconds: record.witness.newest.at)
        since = record.since
        note = record.witness.newest.note
        key = record.witness.key
        brokenAt = record.broken?.at
        problem = record.broken?.words
        withheldSince = record.withheldSince
    }
}
