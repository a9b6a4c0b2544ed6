import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// What one `sync` did, and what is left.
public struct SyncReport: Sendable {
    /// Operations that the house has done.
    public private(set) var sent = 0
    /// Events that were taken in.
    public private(set) var changes = 0
    /// Whether everything was read anew.
    public private(set) var isFullSync = false
    /// Operations that wait for another time.
    public internal(set) var waiting = 0
    /// Operations that never will be done and that somebody should look at.
    public internal(set) var ended = 0
    /// Questions that waited here and were answered, as `Replica.lateAnswers` has them.
    public internal(set) var answered = 0
    /// Changes that met another's.
    public internal(set) var conflicts = 0
    public internal(set) var levelAt: Date?
    /// Why it came to no end.
    public internal(set) var stopped: ClientError?
    /// How the house's audit trail stood beside what was seen of it here before, when it was looked at last, which is once an hour. An
    /// alarm stays until `Replica.acceptAudit`. Nil where nothing of it was seen yet, or it is not for this person.
    public internal(set) var trail: AuditWatchReport?
    /// Why that could not be looked at, which stops nothing else.
    public internal(set) var trailProblem: ClientError?

    /// Whether something was deleted that may stand in answers that are kept.
    private(set) var removesData = false

    /// Whether the house says that nothing of it is for this person any more.
    var isAccessRevoked: Bool { if case .api(let error)? = stopped { error.status == 403 } else { false } }

    mutating func add(_ report: OutboxFlush.Report) {
        sent += report.done
        stopped = report.stopped
    }

    mutating func add(_ report: PullSync.Report) {
        changes += report.changes
        isFullSync = report.isFullSync
        removesData = report.removesData
    }
}
