import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// How the house's audit trail stands beside what was seen of it from here before.
public struct AuditWatchReport: Codable, Hashable, Sendable {
    /// What is wrong, and stays so until somebody has looked into it and accepts the trail as it is now.
    public internal(set) var alarm: AuditWitness.Alarm?
    /// Entries that were signed, as they were seen last and found right.
    public let size: Int64
    /// When the house signed that, by its own clock.
    public let signedAt: Date
    /// When what is kept here was seen first.
    public let since: Date
    /// What is kept here, as a note that tools of transparency logs verify.
    public let note: String
    /// The house's key, as it was seen first: 32 bytes.
    public let key: Data
    /// The first entry that the house itself found not to be as it was written; nil where it found none.
    public let brokenAt: Int64?
    /// In the house's words what is wrong with it.
    public let problem: String?
    /// Since when, by the clock here, the house does not show its trail to this person, so that nothing was looked at and all of this is
    /// what was seen before; nil where it showed it when it was asked last.
    public let withheldSince: Date?

    enum CodingKeys: String, CodingKey {
        case alarm, size, since, note, key, problem
        case signedAt = "signed_at"
        case brokenAt = "broken_at"
        case withheldSince = "withheld_since"
    }

    init(_ kept: AuditWatchTable.Record) {
        alarm = kept.alarm
        size = kept.witness.newest.size
        signedAt = Date(milliseconds: kept.witness.newest.at)
        since = kept.since
        note = kept.witness.newest.note
        key = kept.witness.key
        brokenAt = kept.broken?.at
        problem = kept.broken?.words
        withheldSince = kept.withheldSince
    }
}
