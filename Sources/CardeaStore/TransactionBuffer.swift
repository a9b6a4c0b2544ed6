import GRDB
import Synchronization

/// What the writes of one transaction leave in memory beside their rows: what is to go into the audit trail at its end, and what it
/// added to the journal, for whoever is told of the commit.
///
/// A note goes where its write's own rows go: it is undone with them, and stands with them.
final class TransactionBuffer: Sendable {
    /// What is done with a transaction's audit notes before its commit.
    ///
    /// A struct, and no bare function: one that is kept in a lock is wrapped once more by each look at it.
    struct CommitHook: Sendable {
        let write: @Sendable ([UnsealedAuditEntry], Database) throws -> Void
    }

    /// Those of the transaction that is under way. Whoever writes holds a `Database` and nothing else, so they are found by where they run.
    @TaskLocal static var current: TransactionBuffer?

    struct Contents {
        var audit: [UnsealedAuditEntry] = []
        var journal: [JournalRow] = []
    }

    /// How much there was at some moment.
    struct Savepoint {
        let audit: Int
        let journal: Int
    }

    /// Whether somebody writes the audit notes at the end.
    let acceptsAudit: Bool
    private let contents = Mutex(Contents())

    init(takesAudit: Bool) {
        self.acceptsAudit = takesAudit
    }

    var snapshot: Contents { contents.withLock { $0 } }

    var savepoint: Savepoint { contents.withLock { Savepoint(audit: $0.audit.count, journal: $0.journal.count) } }

    func add(_ note: UnsealedAuditEntry) {
        contents.withLock { $0.audit.append(note) }
    }

    func add(_ row: JournalRow) {
        contents.withLock { $0.journal.append(row) }
    }

    func rollBack(after mark: Savepoint) {
        contents.withLock { notes in
            notes.audit.removeSubrange(mark.audit...)
            notes.journal.removeSubrange(mark.journal...)
        }
    }
}
