import GRDB
import Synchronization

/// Group commit: a writer joins the batch that is gathering, and all of a batch are answered after its one sync.
///
/// There is no timer. While a batch is being synced the next one gathers by itself; a single writer does not wait.
public final class WriteQueue: Sendable {
    /// More writers than this in one commit bring nothing.
    public static let batchLimit = 64

    private struct Job: Sendable {
        /// Runs the work inside the open transaction, and returns the work for after the commit.
        let run: @Sendable (Database, _ isAlone: Bool) -> Completion
        /// Tells the caller that nothing was begun.
        let refuse: Completion
    }

    private struct Completion: Sendable {
        /// An action that the writer wants as soon as its work is committed, before the listeners hear of it.
        var committed: (@Sendable () -> Void)?
        let resume: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isRunning = false
    }

    private let database: any DatabaseWriter
    private let log: WriteAheadLog
    private let batchLimit: Int
    private let state = Mutex(State())
    private let listeners = Mutex<[Listener]>([])
    private let commitHook = Mutex<TransactionBuffer.CommitHook?>(nil)

    /// A struct, as `TransactionBuffer.CommitHook` is.
    private struct Listener: Sendable {
        let handler: @Sendable ([JournalRow]) -> Void
    }

    private let commits = Atomic(0)

    /// True if the running code has a thread of its own, on which it may wait for the disk.
    @TaskLocal static var mayBlockThread = false

    /// The number of commits.
    var commitCount: Int { commits.load(ordering: .relaxed) }

    init(database: any DatabaseWriter, log: WriteAheadLog, batchLimit: Int) {
        self.database = database
        self.log = log
        self.batchLimit = batchLimit
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value, committed: (@Sendable (Value) -> Void)?
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { db, isAlone in
                    let outcome = Result { try isAlone ? Self.runAlone(db, body) : Self.runInSavepoint(db, body) }
                    var answer = Completion { commit in continuation.resume(with: commit.flatMap { outcome }) }
                    if let committed, case .success(let value) = outcome { answer.committed = { committed(value) } }
                    return answer
                },
                refuse: Completion { commit in continuation.resume(with: commit.flatMap { .failure(SharedTransactionAbortedError()) }) })
            let mustStart = state.withLock { state in
                state.waiting.append(job)
                defer { state.isRunning = true }
                return !state.isRunning
            }
            if mustStart {
                if Self.mayBlockThread { startOnCurrentThread() } else { start() }
            }
        }
    }

    /// Calls `handler` after every commit with its journal rows, before its writers are answered. It must return at once.
    func onCommit(_ handler: @escaping @Sendable ([JournalRow]) -> Void) {
        listeners.withLock { $0.append(Listener(handler: handler)) }
    }

    /// Has `ending` write the transaction's notes before each commit. There is one; a later one takes the earlier one's place.
    func beforeCommit(_ ending: TransactionBuffer.CommitHook) {
        self.commitHook.withLock { $0 = ending }
    }

    private func start() {
        database.asyncWriteWithoutTransaction { db in
            repeat { self.log.checkpoint(from: WriteAheadLog.maxPages, db) } while self.commitNext(db)
        }
    }

    /// Commits on the writer's own thread, so that no other thread is woken. Writers that come meanwhile are served by another thread.
    private func startOnCurrentThread() {
        if database.writeWithoutTransaction({ commitNext($0) }) { start() }
    }

    /// Commits one batch; runs on GRDB's writer. Returns false once no writer waits.
    private func commitNext(_ db: Database) -> Bool {
        let batch = state.withLock { state in
            let batch = Array(state.waiting.prefix(batchLimit))
            state.waiting.removeFirst(batch.count)
            if batch.isEmpty { state.isRunning = false }
            return batch
        }
        if batch.isEmpty { return false }
        commit(batch, db)
        return true
    }

    /// One transaction for the whole batch. After any failure, every caller gets an error.
    private func commit(_ batch: [Job], _ db: Database) {
        var answers = batch.map(\.refuse)
        let ending = commitHook.withLock { $0 }
        let notes = TransactionBuffer(takesAudit: ending != nil)
        let committed = Result {
            try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
            answers = TransactionBuffer.$current.withValue(notes) { batch.map { $0.run(db, batch.count == 1) } }
            // SQLite itself may have ended the transaction, on a full disk: there is nothing to commit, and every caller gets the same
            // error.
            guard db.isInsideTransaction else { throw SharedTransactionAbortedError() }
            try ending?.write(notes.snapshot.audit, db)
            try db.cachedStatement(sql: "COMMIT").execute()
        }
        if case .failure(let error) = committed {
            log.checkForLoss(error)
            // The reported error is the one that broke the batch; a failed rollback changes nothing for the callers.
            if db.isInsideTransaction { try? db.rollback() }
        }
        if case .success = committed {
            commits.add(1, ordering: .relaxed)
            for answer in answers { answer.committed?() }
            let rows = notes.snapshot.journal
            for listener in listeners.withLock({ $0 }) { listener.handler(rows) }
        }
        for answer in answers { answer.resume(committed) }
    }

    /// The transaction is the body's own: if it fails, another one begins, with nothing in it.
    private static func runAlone<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        let mark = TransactionBuffer.current?.savepoint
        do {
            return try body(db)
        } catch {
            if let mark { TransactionBuffer.current?.rollBack(after: mark) }
            if db.isInsideTransaction {
                try db.rollback()
                try db.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
            }
            throw error
        }
    }

    /// The body's changes are committed or rolled back alone.
    private static func runInSavepoint<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        // When SQLite has ended the whole transaction, every job of the batch gets the same clean error.
        guard db.isInsideTransaction else { throw SharedTransactionAbortedError() }
        try db.cachedStatement(sql: "SAVEPOINT job").execute()
        let mark = TransactionBuffer.current?.savepoint
        do {
            let value = try body(db)
            try db.cachedStatement(sql: "RELEASE job").execute()
            return value
        } catch {
            if let mark { TransactionBuffer.current?.rollBack(after: mark) }
            if db.isInsideTransaction {
                try db.cachedStatement(sql: "ROLLBACK TO job").execute()
                try db.cachedStatement(sql: "RELEASE job").execute()
            }
            throw error
        }
    }
}
