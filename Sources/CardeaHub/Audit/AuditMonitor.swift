import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Verifies soon after the start, and once a day, that every entry of the audit log is unchanged, as `cardea-hub check` does in a house
/// that no hub serves: a signed root does not detect later changes to the entries under it.
///
/// It reads a few entries at a time, and writes only if it finds a problem, so that no door command waits for it. The result is kept in
/// memory: after a restart it verifies again.
public final class AuditMonitor: Service, Sendable {
    private let store: Store
    private let keys: AuditKeys
    private let signer: Curve25519.Signing.PublicKey
    private let checkpointFile: AuditCheckpointFile?
    private let environment: HubEnvironment
    private let logger: Logger
    private let lastFinding = Mutex<Finding?>(nil)

    /// The result of verifying the whole audit log.
    public struct Finding: Hashable, Sendable {
        /// When it began. Later entries were not verified.
        public let at: Date
        /// The first damaged entry; nil if all are unchanged.
        public let problem: AuditChain.ChainError?
    }

    /// Seconds from the start to the first verification. People who use a house that has just started are served first.
    static let initialDelay: TimeInterval = 90
    /// Seconds from one verification to the next.
    static let interval: TimeInterval = 86_400
    /// Seconds until the next verification after one that failed to run.
    static let retryInterval: TimeInterval = 3600
    /// The number of entries read at once, which takes some milliseconds.
    private static let batchSize = 64
    /// The number of index rows compared at once. They need not be decrypted.
    private static let indexBatchSize: Int64 = 1024

    init(store: Store, keys: AuditKeys, signer: AuditSigner, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.keys = keys
        self.signer = signer.key.publicKey
        checkpointFile = AuditCheckpointFile(of: store)
        self.environment = environment
        self.logger = logger
    }

    /// The last result; nil until the first verification is complete.
    public var finding: Finding? { lastFinding.withLock { $0 } }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            var pause = Self.initialDelay
            while !Task.isCancelled {
                do { try await environment.sleep(environment.now().addingTimeInterval(pause)) } catch is CancellationError { return }
                do {
                    try await verify()
                    pause = Self.interval
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "audit log could not be checked",
                        metadata: ["error": "\(Store.databaseMessage(error) ?? "\(type(of: error))")"])
                    pause = Self.retryInterval
                }
            }
        }
    }

    /// Verifies all of it. `run` calls it; other callers need not.
    @discardableResult
    public func verify() async throws -> Finding {
        let now = environment.now()
        var problem: AuditChain.ChainError?
        do { try await verifyEntries() } catch let found as AuditChain.ChainError { problem = found }
        let finding = Finding(at: now, problem: problem)
        let before = lastFinding.withLock { seen in
            let before = seen?.problem
            seen = finding
            return before
        }
        guard let problem else { return finding }
        if problem != before {
            logger.error(
                "audit log was altered: run cardea-hub audit verify",
                metadata: ["entry": "\(problem.seq)", "fault": "\(problem.fault.rawValue)"])
        }
        try await notify(problem, at: now)
        return finding
    }

    // MARK: Verifying

    /// A verification in progress.
    struct VerificationPass: Sendable {
        fileprivate(set) var verifier: AuditVerifier
        /// The entry before the first one that is verified.
        let start: Int64
        /// The first stored entry when it began.
        let first: Int64?
        /// The last entry to verify. Later ones are left to the next verification.
        let last: Int64
        /// The note in the file beside the database.
        fileprivate let checkpointNotes: [String]

        var isAtEnd: Bool { verifier.chain.seq >= last }
    }

    /// - Throws: `AuditChain.ChainError` for the first damaged entry.
    private func verifyEntries() async throws {
        var course = try await begin()
        while !course.isAtEnd {
            try Task.checkCancellation()
            await Task.yield()
            course = try await advance(course)
        }
        try course.verifier.finish()
        try await compareIndex(after: course.start, through: course.last)
    }

    /// Reads the state to start a verification from.
    func begin() async throws -> VerificationPass {
        // The file is written first: the database may be ahead of it, and never behind.
        let kept = [checkpointFile?.read()].compactMap(\.self)
        return try await store.read { [self] in try begin(in: $0, against: kept) }
    }

    private func begin(in db: Database, against kept: [String]) throws -> VerificationPass {
        let last = try AuditLogWriter.chainHead(db).seq
        let walk: AuditVerifier
        do { walk = try AuditVerifier(db, with: keys, signer: signer, against: kept) } catch is ForeignCheckpointError {
            throw AuditChain.ChainError(seq: last, fault: .unsigned)
        }
        let course = VerificationPass(
            verifier: walk, start: walk.chain.seq, first: try Self.firstEntry(db), last: last, checkpointNotes: kept)
        // Dropped entries must not be there any more.
        if let first = course.first, first <= course.start { throw AuditChain.ChainError(seq: first, fault: .misplaced) }
        return course
    }

    /// - Returns: the verification some entries further on. If the first entries have been dropped, a new one, which checks that their
    ///   retention was over.
    func advance(_ course: VerificationPass) async throws -> VerificationPass {
        try await store.read { [self] db in
            guard try Self.firstEntry(db) == course.first else { return try begin(in: db, against: course.checkpointNotes) }
            var next = course
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT \(AuditVerifier.columns) FROM audit a WHERE a.seq > ? AND a.seq <= ? ORDER BY a.seq LIMIT \(Self.batchSize)
                        """), arguments: [course.verifier.chain.seq, course.last])
            while let row = try rows.next() { try next.verifier.verify(AuditVerifier.StoredEntry(row)) }
            // The segment was there when the verification began.
            guard next.verifier.chain.seq > course.verifier.chain.seq else {
                throw AuditChain.ChainError(seq: course.verifier.chain.seq + 1, fault: .missing)
            }
            return next
        }
    }

    private static func firstEntry(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(seq) FROM audit"))
    }

    /// Verifies that the index lists all of these entries, so that searches find them.
    private func compareIndex(after seq: Int64, through last: Int64) async throws {
        var place = seq
        while place < last {
            try Task.checkCancellation()
            await Task.yield()
            let end = min(place + Self.indexBatchSize, last)
            let misfiled = try await store.read { [place] db in try AuditIndex.misfiled(after: place, through: end, in: db) }
            if let misfiled { throw AuditChain.ChainError(seq: misfiled, fault: .misfiled) }
            place = end
        }
    }

    // MARK: Notifying

    /// Notifies the people who run the house, once for each problem.
    private func notify(_ problem: AuditChain.ChainError, at now: Date) async throws {
        let subject = "audit:\(problem.seq):\(problem.fault.rawValue)"
        let isTold = try await store.read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM journal WHERE subject = ?)", arguments: [subject])
        }
        guard isTold != true else { return }
        _ = try await store.write { db in
            try Journal.append(
                .mindChanged, subject: subject,
                data: [
                    "notice": .string(NoticeKind.unusual.rawValue),
                    "words": .string("\(problem) Ask who can write the house's files."),
                    "needs": .string(Right.managePeople.rawValue),
                ], at: now, in: db)
        }
    }
}
