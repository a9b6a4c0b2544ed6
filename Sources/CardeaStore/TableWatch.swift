import GRDB
import Synchronization

/// Counts the commits that touched some tables, so that what was read from them can be kept until one does.
/// It counts before the writer is answered: whoever is told that a session has ended finds it ended.
public final class TableWatch: TransactionObserver, Sendable {
    private let tables: Set<String>
    private let state = Mutex((commits: 0, isTouched: false))

    init(_ tables: Set<String>) {
        self.tables = tables
    }

    /// Rises with every commit that touched a watched table.
    public var commits: Int { state.withLock { $0.commits } }

    public func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        tables.contains(eventKind.tableName)
    }

    public func databaseDidChange(with event: DatabaseEvent) {
        state.withLock { $0.isTouched = true }
    }

    public func databaseDidCommit(_ db: Database) {
        state.withLock { state in
            if state.isTouched { state.commits += 1 }
            state.isTouched = false
        }
    }

    public func databaseDidRollback(_ db: Database) {
        state.withLock { $0.isTouched = false }
    }
}
