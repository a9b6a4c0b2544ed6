import GRDB
import Synchronization

/// What the writes of one transaction leave in memory beside their rows: what is to go into the audit trail at its end, and what it
/// added to the journal, for whoever is told of the commit.
///
/// A note goes where its write's own rows go: it is undone with them, and stands with them.
final class TransactionNotes: Sendable {
    /// What is done with a transaction's audit notes before its commit.
    ///
    /// A struct, and no bare function: one that is kept in a lock is wrapped once more by each look at it.
    struct Ending: Sendable {
        let write: @Sendable ([AuditNote], Database) throws -> Void
    }

    /// Those of the transaction that is under way. Whoever writes holds a `Database` and nothing else, so they are found by where they run.
    @TaskLocal static var current: TransactionNotes?

    struct Notes {
        var audit: [AuditNote] = []
        var journal: [JournalRow] = []
    }

    /// How much there was at some moment.
    struct Mark {
        let audit: Int
        let journal: Int
    }

    /// Whether somebody writes the audit notes at the end.
    let takesAudit: Bool
    private let notes = Mutex(Notes())

    init(takesAudit: Bool) {
        self.takesAudit = takesAudit
    }

    var all: Notes { notes.withLock { $0 } }

    var mark: Mark { notes.withLock { Mark(audit: $0.audit.count, journal: $0.journal.count) } }

    func add(_ note: AuditNote) {
        notes.withLock { $0.audit.append(note) }
    }

    func add(_ row: JournalRow) {
        notes.withLock { $0.journal.append(row) }
    }

    func forget(after mark: Mark) {
        notes.withLock { notes in
            notes.audit.removeSubrange(mark.audit...)
            notes.journal.removeSubrange(mark.journal...)
        }
    }
}
