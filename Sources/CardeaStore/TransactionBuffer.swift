import GRDB
import Synchronization

/// Data that the writes of one transaction leave in memory beside their rows: audit entries to write at its end, and journal rows for the
/// listeners of the commit.
///
/// Like the rows of the write, they are removed by a rollback and kept by a commit.
final class TransactionBuffer: Sendable {
    /// Writes a transaction's audit entries before its commit.
    ///
    /// A struct rather than a bare function: a function that is kept in a lock is wrapped once more on each access.
    struct CommitHook: Sendable {
        let write: @Sendable ([UnsealedAuditEntry], Database) throws -> Void
    }

    /// The buffer of the running transaction. A write has only a `Database` in hand, so it finds the buffer through the task.
    @TaskLocal static var current: TransactionBuffer?

    struct Contents {
        var audit: [UnsealedAuditEntry] = []
        var journal: [JournalRow] = []
    }

    /// The size of the buffer at one moment.
    struct Savepoint {
        let audit: Int
        let journal: Int
    }

    /// True if audit entries are written at the end of the transaction.
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
