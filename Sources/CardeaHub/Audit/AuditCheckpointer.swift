import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Signs the state of the audit log regularly, lists its entries in their index, and drops whole segments that are past their retention.
///
/// A root is signed for every segment of 256 entries as soon as it is full, and once a minute for the entries since then. A signed root
/// that is kept elsewhere proves the log before it, and nothing about the entries after it.
public struct AuditCheckpointer: Service {
    let store: Store
    let signer: AuditSigner
    /// nil for a house in memory.
    let checkpointFile: AuditCheckpointFileWriter?
    let indexBacklog: AsyncStream<Void>
    let fullSegments: AsyncStream<Void>
    let environment: HubEnvironment
    let logger: Logger

    /// The number of entries in a segment.
    static let segmentSize: Int64 = 256
    /// The audit action for dropping a segment. Without such an entry, anyone who can write the database could shorten the log.
    static let dropAction = AuditBundle.droppedAction

    static func segmentName(of segment: Int64) -> String { AuditBundle.name(ofSegment: segment) }

    /// The binary logarithm of the segment size.
    static let segmentHeight = 8
    /// Seconds between two signatures, if there are new entries.
    static let interval: TimeInterval = 60
    /// Seconds for which roots other than those of whole segments are kept.
    private static let intermediateRetention: TimeInterval = 7 * 86_400
    /// The number of pauses of 25 ms that indexing leaves to other writers at most, and the batches it lists in an idle moment.
    private static let (courtesy, batches) = (20, 8)
    /// Entries signed at once, and entries read before the next commands of a burst have their turn.
    private static let (page, step): (Int64, Int64) = (16 * segmentSize, 32)

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                defer { group.cancelAll() }
                let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
                group.addTask { for await _ in indexBacklog { bell.yield() } }
                group.addTask {
                    // Entries from before this start may not be listed yet.
                    bell.yield()
                    for await _ in rings { await attempt("listed") { try await updateIndexWhenIdle() } }
                }
                group.addTask {
                    for await _ in fullSegments { await attempt("signed") { try await signSegments(at: environment.now()) } }
                }
                while !Task.isCancelled {
                    let now = environment.now()
                    do { try await environment.sleep(now.addingTimeInterval(Self.interval)) } catch { return }
                    bell.yield()
                    await attempt("signed") { try await sign(at: environment.now(), withTail: true) }
                }
            }
        }
    }

    /// Runs `body`. A failure is logged and the next round tries again.
    private func attempt(_ done: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            return
        } catch {
            logger.warning("audit log step failed", metadata: ["step": "\(done)", "error": "\(type(of: error))"])
        }
    }

    // MARK: Listing

    /// Lists all new entries in the index, yielding to other writers in between.
    func updateIndex() async throws {
        while try await store.write({ try AuditIndex.indexNext(in: $0) }) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// The same in moments without other writers; if they never stop, a batch each half second. Searches read through the entries that are
    /// not listed yet.
    private func updateIndexWhenIdle() async throws {
        var isMore = true
        while isMore {
            try await store.waitUntilIdle(for: .milliseconds(25), most: Self.courtesy)
            var (commits, batches) = (0, Self.batches)
            repeat {
                commits = store.commitCount + 1
                batches -= 1
                isMore = try await store.write { try AuditIndex.indexNext(in: $0) }
            } while isMore && batches > 0 && store.commitCount == commits
        }
    }

    // MARK: Signing

    /// Signs all entries since the last signature.
    ///
    /// - Returns: the last signed checkpoint; nil if the log has no entry.
    @discardableResult
    public func sign(at now: Date) async throws -> AuditCheckpoint? {
        try await updateIndex()
        return try await sign(at: now, withTail: true)
    }

    /// Signs the segments that are full. The entries after them wait for the next minute, and so does listing, which writes more often than
    /// a burst of entries has room for.
    func signSegments(at now: Date) async throws { try await sign(at: now, withTail: false) }

    @discardableResult
    private func sign(at now: Date, withTail: Bool) async throws -> AuditCheckpoint? {
        let last = try await signPages(at: now, withTail: withTail)
        // Once a minute is enough: a burst of entries does not wait for another file.
        if withTail, let last { await checkpointFile?.save(last) }
        return last
    }

    private func signPages(at now: Date, withTail: Bool) async throws -> AuditCheckpoint? {
        var page = try await nextBatch(withTail: withTail)
        while page.end > page.signed, withTail || !page.segments.isEmpty {
            var made: [(checkpoint: AuditCheckpoint, signature: Data)] = []
            for (size, root) in page.roots where size > page.signed {
                let checkpoint = AuditCheckpoint(origin: signer.origin, size: size, root: root, at: now.milliseconds)
                made.append((checkpoint, try checkpoint.signature(by: signer.key)))
            }
            try await store.write { [page, made] db in
                for segment in page.segments { try segment.insert(in: db) }
                for (checkpoint, signature) in made {
                    try db.cachedStatement(
                        sql: "INSERT OR IGNORE INTO audit_checkpoints (size, at, root, signature) VALUES (?, ?, ?, ?)"
                    ).execute(arguments: [checkpoint.size, checkpoint.at, checkpoint.root, signature])
                }
                // Among older entries, the roots of whole segments prove as much. A burst of entries need not look for them.
                guard withTail else { return }
                try db.cachedStatement(
                    sql: """
                        DELETE FROM audit_checkpoints WHERE size % \(Self.segmentSize) <> 0 AND at < ?
                            AND size < (SELECT max(size) FROM audit_checkpoints)
                        """
                ).execute(arguments: [now.addingTimeInterval(-Self.intermediateRetention).milliseconds])
            }
            if page.isLast { return made.last?.checkpoint }
            page = try await nextBatch(withTail: withTail)
        }
        return try await lastCheckpoint()
    }

    /// Reads the next batch to sign. In a burst it is read in small steps: a segment takes a millisecond of processor time, and door
    /// commands would have to wait for it.
    private func nextBatch(withTail: Bool) async throws -> SigningBatch {
        var page = try await store.read { try SigningBatch($0) }
        while !page.isFullyRead {
            page = try await store.read { [page] in try page.read(withTail ? Self.page + 1 : Self.step, of: $0) }
            if !withTail { try await Task.sleep(for: .milliseconds(2)) }
        }
        if withTail { page.includeTail() }
        return page
    }

    /// The last checkpoint that was signed; nil if there is none.
    public func lastCheckpoint() async throws -> AuditCheckpoint? {
        try await store.read { [signer] db in
            try Row.fetchOne(db, sql: "SELECT size, root, at FROM audit_checkpoints ORDER BY size DESC LIMIT 1").map {
                AuditCheckpoint(origin: signer.origin, size: $0[0], root: $0[1], at: $0[2])
            }
        }
    }

    /// A complete segment.
    private struct Segment {
        let number: Int64
        let root: Data
        let hash: Data
        let lastAt: Int64

        func insert(in db: Database) throws {
            // Two concurrent signings compute the same segment.
            try db.cachedStatement(
                sql: """
                    INSERT INTO audit_segments (number, root, hash, last_at) SELECT ?1, ?2, ?3, ?4
                    WHERE NOT EXISTS (SELECT 1 FROM audit_segments WHERE number = ?1)
                    """
            ).execute(arguments: [number, root, hash, lastAt])
        }
    }

    /// The next entries to sign, starting after the last whole segment.
    private struct SigningBatch {
        /// The size of the last signature.
        let signed: Int64
        /// The last entry that was read.
        private(set) var end: Int64
        /// True once reading is complete: at the end of the log, at a gap in it, or when the batch is full.
        private(set) var isFullyRead = false
        private(set) var isLast = true
        private(set) var segments: [Segment] = []
        /// The roots at the end of each segment, and at the end of the log if requested.
        private(set) var roots: [(size: Int64, root: Data)] = []
        private var tree = MerkleTree.Frontier()
        /// The entries after the last whole segment.
        private var tail = MerkleTree.Frontier()

        init(_ db: Database) throws {
            signed = try Int64.fetchOne(db, sql: "SELECT max(size) FROM audit_checkpoints") ?? 0
            for root in try Data.fetchAll(db, sql: "SELECT root FROM audit_segments ORDER BY number") {
                _ = tree.append(subtree: root, height: AuditCheckpointer.segmentHeight)
            }
            end = tree.size
        }

        /// This batch with up to so many more `entries`.
        func read(_ entries: Int64, of db: Database) throws -> SigningBatch {
            var page = self
            try page.readMore(entries, of: db)
            return page
        }

        private mutating func readMore(_ entries: Int64, of db: Database) throws {
            let rows = try Row.fetchCursor(
                db, sql: "SELECT \(AuditLogWriter.columns), a.hash FROM audit a WHERE a.seq > ? ORDER BY a.seq LIMIT ?",
                arguments: [end, entries])
            let last = end + entries
            isFullyRead = true
            while let row = try rows.next() {
                // In a log with a gap, only the entries before it can be signed.
                let record = AuditLogWriter.record(row)
                guard record.seq == end + 1 else { return }
                guard segments.count < Int(AuditCheckpointer.page / AuditCheckpointer.segmentSize) else {
                    isLast = false
                    return
                }
                tail.append(MerkleTree.leaf(Data(record.bytes)))
                end = record.seq
                guard tail.size == AuditCheckpointer.segmentSize else { continue }
                _ = tree.append(tail)
                segments.append(Segment(number: end / AuditCheckpointer.segmentSize - 1, root: tail.root, hash: row[9], lastAt: record.at))
                roots.append((end, tree.root))
                tail = MerkleTree.Frontier()
            }
            isFullyRead = end < last
        }

        /// Adds the end of the log to the roots, if this is the last batch.
        mutating func includeTail() {
            guard isLast, tail.size > 0 else { return }
            _ = tree.append(tail)
            roots.append((end, tree.root))
        }
    }

    // MARK: Dropping

    /// Drops the segments that lie wholly before the first entry to be kept. The proof of the remaining ones stays.
    ///
    /// An entry dated in the future goes with its neighbours, and one dated in the past takes none along. If no entry is dated within the
    /// retention, the clock is not to be trusted and nothing is dropped. So the newest entry, to which the next is chained, is always kept.
    ///
    /// - Returns: the number of dropped entries.
    @discardableResult
    public func drop(before moment: Date) async throws -> Int64 {
        let tomorrow = environment.now().addingTimeInterval(86_400)
        let young = try await store.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT seq FROM audit WHERE at BETWEEN ? AND ? ORDER BY seq LIMIT 1",
                arguments: [moment.milliseconds, tomorrow.milliseconds])
        }
        guard let young else { return 0 }
        var dropped: Int64 = 0
        do {
            // One at a time, so that door commands wait for one deletion at most.
            while try await store.write({ try dropOldest(before: young, in: $0) }) { dropped += Self.segmentSize }
        } catch let problem as RootMismatchError {
            logger.warning(
                "audit entries differ from the signed log and are not deleted: run cardea-hub audit verify",
                metadata: ["segment": "\(problem.segment)"])
        }
        if dropped > 0 {
            logger.info("expired audit entries deleted", metadata: ["entries": "\(dropped)"])
        }
        return dropped
    }

    /// A segment seems to be past its retention, but its entries do not match the signed root.
    private struct RootMismatchError: Error { let segment: Int64 }

    /// - Returns: whether a segment was dropped.
    private func dropOldest(before young: Int64, in db: Database) throws -> Bool {
        let oldest = try Row.fetchOne(
            db,
            sql: """
                SELECT number, root FROM audit_segments WHERE dropped_at IS NULL AND (number + 1) * \(Self.segmentSize) < ?
                    AND number = (SELECT min(number) FROM audit_segments WHERE dropped_at IS NULL)
                    AND EXISTS (SELECT 1 FROM audit_checkpoints WHERE size >= (number + 1) * \(Self.segmentSize))
                """, arguments: [young])
        guard let oldest else { return false }
        let (number, root): (Int64, Data) = (oldest[0], oldest[1])
        let (first, last) = (number * Self.segmentSize + 1, (number + 1) * Self.segmentSize)
        // A changed timestamp does not make an entry old. Dropping would destroy the evidence of tampering.
        guard try Self.root(of: first, through: last, in: db) == root else { throw RootMismatchError(segment: number) }
        let now = environment.now()
        try db.execute(sql: "UPDATE audit_segments SET dropped_at = ? WHERE number = ?", arguments: [now.milliseconds, number])
        try db.execute(sql: "DELETE FROM audit WHERE seq BETWEEN ? AND ?", arguments: [first, last])
        // This entry's own segment is dropped in a later round, and the next drop entry replaces it.
        try AuditLog.append(
            .init(who: .house, action: Self.dropAction, entityID: Self.segmentName(of: number), result: .done), in: .house(db, at: now))
        return true
    }

    /// The root of these entries as stored; if one is missing, a root that was never signed.
    private static func root(of first: Int64, through last: Int64, in db: Database) throws -> Data {
        var tree = MerkleTree.Frontier()
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a WHERE a.seq BETWEEN ? AND ? ORDER BY a.seq", arguments: [first, last])
        while let row = try rows.next() { tree.append(MerkleTree.leaf(Data(AuditLogWriter.record(row).bytes))) }
        return tree.root
    }
}
