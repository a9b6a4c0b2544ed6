import GRDB
import GRDBSQLite
import Synchronization

/// How long the write-ahead log is, and moving it into the database once it is long: when nobody writes just then, as long as that can wait.
///
/// SQLite would do so by itself, within a commit whose writers wait, and would say nothing of a disk that did not keep what it was given.
final class WriteAheadLog: Sendable {
    /// Pages from which it is moved in a quiet moment. What is written again and again is moved once for a few hundred commits, and not for
    /// each hundred.
    static let checkpointThreshold = 4000
    /// Pages from which no quiet moment is waited for: 64 MiB.
    static let maxPages = 16_000

    private let pages = Atomic(0)
    /// Of whoever waits for it to be long.
    private let growthListener = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let lossHandler = Mutex<LossHandler?>(nil)

    /// A struct, as `TransactionBuffer.Ending` is.
    private struct LossHandler: Sendable {
        let told: @Sendable () -> Void
    }

    /// Has SQLite tell how long the log is after each commit of `db`, which keeps SQLite from moving it. It is to outlive `db`'s last commit.
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

    /// Tells from now on that it is long; whoever listened before hears no more of it.
    func growth() -> AsyncStream<Void> {
        let (growths, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.growthListener.withLock { $0 = bell }
        return growths
    }

    /// Moves the log into the database where it has so many `pages`. What somebody still reads of it stays until the next time.
    ///
    /// It takes some milliseconds, so it is done when everybody has been answered. An error keeps nothing that was committed from being
    /// there: it is tried again after a later commit.
    func checkpoint(from pages: Int, _ db: Database) {
        guard self.pages.load(ordering: .relaxed) >= pages else { return }
        do {
            _ = try db.checkpoint(.passive)
            self.pages.store(0, ordering: .relaxed)
        } catch { checkForLoss(error) }
    }

    // MARK: A disk that does not keep what it was given

    /// Calls `told` where the disk says that it did not keep what it was to. What the kernel then holds for written is nowhere, and is believed
    /// by whoever asks a second time: only who begins anew reads what is really there.
    func onDurabilityLoss(_ told: @escaping @Sendable () -> Void) {
        lossHandler.withLock { $0 = LossHandler(told: told) }
    }

    /// Looks whether `error` says so.
    func checkForLoss(_ error: any Error) {
        guard let error = error as? DatabaseError, Self.lossCodes.contains(error.extendedResultCode) else { return }
        lossHandler.withLock { $0 }?.told()
    }

    private static let lossCodes: [ResultCode] = [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC]
}
