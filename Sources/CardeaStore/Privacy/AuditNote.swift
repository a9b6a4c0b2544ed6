import Foundation
import GRDB
import Synchronization

/// What is to go into the audit trail, as it is left by the write that it tells of: not sealed yet, not chained, and in memory only.
public struct AuditNote: Hashable, Sendable {
    public var at: Date
    /// Who did it: `person`, `guest`, `system`, `stranger`; `erased` where nobody can say any more.
    public var kind: String
    public var id: String?
    public var action: String
    public var deviceID: String?
    public var entityID: String?
    public var grantID: String?
    public var result: String
    public var reason: String?
    public var commandID: String?
    public var journalSeq: Int64?
    public var remote: String?
    public var requestID: String?

    public init(at: Date, kind: String, id: String?, action: String, result: String) {
        self.at = at
        self.kind = kind
        self.id = id
        self.action = action
        self.result = result
    }
}

/// The notes of one transaction. They are sealed and chained at its end, all at once and in the order in which they came.
///
/// A note goes where its write's own rows go: it is undone with them, and stands with them.
final class AuditNotes: Sendable {
    /// What is done with a transaction's notes before its commit.
    ///
    /// A struct, and no bare function: one that is kept in a lock is wrapped once more by each look at it.
    struct Ending: Sendable {
        let write: @Sendable ([AuditNote], Database) throws -> Void
    }

    /// Those of the transaction that is under way. Whoever writes holds a `Database` and nothing else, so they are found by where they run.
    @TaskLocal static var current: AuditNotes?

    private let notes = Mutex<[AuditNote]>([])

    var all: [AuditNote] { notes.withLock { $0 } }

    func add(_ note: AuditNote) {
        notes.withLock { $0.append(note) }
    }

    func forget(after count: Int) {
        notes.withLock { $0.removeSubrange(count...) }
    }
}

extension Database {
    /// Leaves a note for the audit trail at the end of the transaction that is under way.
    ///
    /// - Throws: `NobodyTakesNotes` outside `Store.write`, or where nobody is set to write them: what is not written must not count as if it were.
    public func leave(_ note: AuditNote) throws {
        guard let notes = AuditNotes.current else { throw NobodyTakesNotes() }
        notes.add(note)
    }
}

/// A note was left where nobody would have written it.
public struct NobodyTakesNotes: Error {}
