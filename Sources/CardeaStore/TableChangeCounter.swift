import GRDB
import Synchronization

/// Counts the commits that changed some tables, so that data read from them can be cached until the next one. It counts before the writer
/// is answered: a client that gets the answer that a session has ended finds it ended.
public final class TableChangeCounter: TransactionObserver, Sendable {
    private let tables: Set<String>
    private let count = Atomic(0)
    /// True if the transaction under way has changed the tables; used by the writer's thread alone.
    private let isTouched = Atomic(false)

    init(_ tables: Set<String>) {
        self.tables = tables
    }

    /// Rises with every commit that touched a watched table.
    public var changeCount: Int { count.load(ordering: .acquiring) }

    public func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        tables.contains(eventKind.tableName)
    }

    public func databaseDidChange(with event: DatabaseEvent) {
        isTouched.store(true, ordering: .relaxed)
    }

    public func databaseDidCommit(_ db: Database) {
        if isTouched.exchange(false, ordering: .relaxed) { count.add(1, ordering: .releasing) }
    }

    public func databaseDidRollback(_ db: Database) {
        isTouched.store(false, ordering: .relaxed)
    }
}
