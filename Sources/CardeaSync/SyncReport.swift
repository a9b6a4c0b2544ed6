import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The result of one `sync`, and what is left to do.
public struct SyncReport: Sendable {
    /// The number of operations that the house has done.
    public private(set) var sent = 0
    /// The number of applied events.
    public private(set) var changes = 0
    /// True if everything was read anew.
    public private(set) var isFullSync = false
    /// The number of operations that keep waiting.
    public internal(set) var waiting = 0
    /// The number of operations that will never be done and need a person's attention.
    public internal(set) var ended = 0
    /// The number of queued questions that were answered; see `Replica.lateAnswers`.
    public internal(set) var answered = 0
    /// The number of conflicts.
    public internal(set) var conflicts = 0
    public internal(set) var levelAt: Date?
    /// The reason why it stopped early.
    public internal(set) var stopped: ClientError?
    /// The last check of the house's audit log, made at most once an hour. An alarm stays until `Replica.acceptAudit`. Nil if nothing was
    /// checked yet, or if the person has no access.
    public internal(set) var auditWatch: AuditWatchReport?
    /// The reason why that check failed. It stops nothing else.
    public internal(set) var auditWatchProblem: ClientError?

    /// True if something was deleted, so that cached answers may still contain it.
    private(set) var removesData = false

    /// True if the hub answers that this person has no access to the house any more.
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
