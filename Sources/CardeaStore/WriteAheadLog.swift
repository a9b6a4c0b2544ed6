import GRDB
import GRDBSQLite
import Synchronization

/// Measures the write-ahead log, and moves it into the database once it is long: while there are no writes, as long as that can wait.
///
/// SQLite would do so by itself, but within a commit whose writers wait, and without reporting a disk that lost written data.
final class WriteAheadLog: Sendable {
    /// Pages from which it is moved in a quiet moment. What is written again and again is moved once for a few hundred commits, and not for
    /// each hundred.
    static let checkpointThreshold = 4000
    /// Pages from which no quiet moment is waited for: 64 MiB.
    static let maxPages = 16_000

    private let pages = Atomic(0)
    /// The listener that waits for the log to be long.
    private let growthListener = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let lossHandler = Mutex<LossHandler?>(nil)

    /// A struct, as `TransactionBuffer.CommitHook` is.
    private struct LossHandler: Sendable {
        let handler: @Sendable () -> Void
    }

    /// Has SQLite tell how long the log is after each commit of `db`, which keeps SQLite from moving it. It is to outlive `db`'s last
    /// commit.
    func observe(_ db: Database) {
        sqlite3_wal_hook(
            db.sqliteConnection,
            { log, _, _, pages in
                if let log { Unmanaged<WriteAheadLog>.fromOpaque(log).takeUnretainedValue().recordLength(to: Int(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func recordLength(to count: Int) {
        pages.store(count, ordering: .relaxed)
        if count >= Self.checkpointThreshold { growthListener.withLock { _ = $0?.yield() } }
    }

    /// Returns a stream that reports from now on when the log is long; it replaces the stream before it.
    func growth() -> AsyncStream<Void> {
        let (growths, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.growthListener.withLock { $0 = bell }
        return growths
    }

    /// Moves the log into the database if it has so many `pages`. Pages that a reader still uses stay until the next time.
    ///
    /// It takes some milliseconds, so it is done after all writers were answered. An error loses no committed data: it is tried again after
    /// a later commit.
    func checkpoint(from pages: Int, _ db: Database) {
        guard self.pages.load(ordering: .relaxed) >= pages else { return }
        do {
            _ = try db.checkpoint(.passive)
            self.pages.store(0, ordering: .relaxed)
        } catch { checkForLoss(error) }
    }

    // MARK: Failed flush

    /// Calls `handler` when the disk reports that it lost written data. The kernel then keeps pages as written that are not on the disk, and a
    /// second try succeeds wrongly: only a restarted program reads the real data.
    func onDurabilityLoss(_ handler: @escaping @Sendable () -> Void) {
        lossHandler.withLock { $0 = LossHandler(handler: handler) }
    }

    /// Checks whether `error` reports such a loss.
    func checkForLoss(_ error: any Error) {
        guard let error = error as? DatabaseError, Self.lossCodes.contains(error.extendedResultCode) else { return }
        lossHandler.withLock { $0 }?.handler()
    }

    private static let lossCodes: [ResultCode] = [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC]
}
