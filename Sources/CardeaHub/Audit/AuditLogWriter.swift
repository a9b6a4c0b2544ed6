import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Keeps the audit log: at the end of every transaction it seals the entries of that transaction, and appends them to the chain.
final class AuditLogWriter: Sendable {
    let keys: AuditKeys
    /// The number of refusals recorded since the hub started, including those of rolled back transactions.
    let refusalCount = Counter()
    /// Signals that so many entries are new that they are listed before the minute is over.
    let indexBacklog: AsyncStream<Void>
    /// Signals that a segment is full, which is signed before the minute is over.
    let fullSegments: AsyncStream<Void>

    final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }

        fileprivate func add(_ number: Int) { if number > 0 { count.withLock { $0 += number } } }
    }

    /// Writes the audit entries of `store` from now on.
    ///
    /// - Parameter reserve: once the disk is down to this reserve, entries of unknown callers are left out.
    init(store: Store, sealing: SealingKey, reserve: DiskReserve? = nil, at now: Date) async throws {
        let keys = try await store.write { try AuditKeys(sealing: sealing, at: now, in: $0) }
        self.keys = keys
        let (unlisted, many) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (unsigned, full) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.indexBacklog = unlisted
        self.fullSegments = unsigned
        let end = ChainHead()
        store.beforeCommit { [refusalCount] notes, db in
            let retained = reserve?.isLow == true ? notes.filter { $0.kind != AuditLog.AuditActor.stranger.kind } : notes
            try Self.write(retained, keys, end, in: db)
            refusalCount.add(retained.count { $0.result == "refused" })
        }
        store.onCommit { _ in
            keys.didCommit()
            let passed = end.didCommit()
            if passed.tail { many.yield() }
            if passed.segment { full.yield() }
        }
    }

    /// The end of the chain, kept so that the writer need not look it up. A transaction's additions take effect once it is committed.
    private final class ChainHead: Sendable {
        private struct Chains {
            var committed: AuditChain?
            var uncommitted: AuditChain?
        }

        private let chains = Mutex(Chains())

        /// The committed end of the chain, for the start of a transaction's entries. Entries of an earlier transaction that was not
        /// committed are forgotten.
        func beginTransaction(_ db: Database) throws -> AuditChain {
            try chains.withLock { chains in
                chains.uncommitted = nil
                let head = try chains.committed ?? AuditLogWriter.chainHead(db)
                chains.committed = head
                return head
            }
        }

        func write(_ chain: AuditChain) { chains.withLock { $0.uncommitted = chain } }

        /// - Returns: whether the number of unlisted entries has reached its limit, and whether a segment ended among these entries.
        func didCommit() -> (tail: Bool, segment: Bool) {
            chains.withLock { chains in
                guard let written = chains.uncommitted, let head = chains.committed else { return (false, false) }
                (chains.committed, chains.uncommitted) = (written, nil)
                return (
                    written.seq / AuditIndex.maxUnindexed > head.seq / AuditIndex.maxUnindexed,
                    written.seq / AuditCheckpointer.segmentSize > head.seq / AuditCheckpointer.segmentSize
                )
            }
        }
    }

    // MARK: Writing

    private static func write(_ notes: [UnsealedAuditEntry], _ keys: AuditKeys, _ end: ChainHead, in db: Database) throws {
        keys.beginTransaction()
        // There is one writer, and its transaction is open: no other entry can be added meanwhile.
        var chain = try end.beginTransaction(db)
        guard !notes.isEmpty else { return }
        for note in notes { try write(note, after: &chain, keys, in: db) }
        end.write(chain)
    }

    /// The current end of the chain.
    static func chainHead(_ db: Database) throws -> AuditChain {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1"))
            .map { AuditChain(seq: $0[0], hash: $0[1]) } ?? AuditChain()
    }

    private static func write(_ note: UnsealedAuditEntry, after chain: inout AuditChain, _ keys: AuditKeys, in db: Database) throws {
        let seq = chain.seq + 1
        func part(_ text: [UInt8], _ column: String, _ key: AuditKeys.DataKey) throws -> AuditRecord.SealedPart {
            AuditRecord.SealedPart(key: key.id, sealed: try key.key.seal(text, for: sealingLabel(seq, column)))
        }
        let actor = note.actor
        let subject = note.subject(besides: actor)
        let record = AuditRecord(
            seq: seq, at: note.at.milliseconds, event: try part(note.eventBytes, "event", keys.house),
            actor: try part(
                note.actorBytes(besides: subject), "actor", actor.map { try keys.key(of: $0, at: note.at, in: db) } ?? keys.house),
            subject: try subject.map { try part(note.subjectBytes, "subject", keys.key(of: $0, at: note.at, in: db)) })
        chain.append(record.bytes)
        try db.cachedStatement(
            sql: """
                INSERT INTO audit (seq, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash, device, result,
                    command, action) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            seq, record.version, record.at, record.event.key, record.event.sealed, record.actor.key, record.actor.sealed,
            record.subject?.key, record.subject?.sealed, chain.hash, note.deviceID.map { keys.mark(.device, $0) },
            keys.mark(.result, note.result), note.commandID.map { keys.mark(command: $0) }, keys.mark(.action, note.action),
        ])
    }

    /// The label that a part is sealed under: table, row, column and version.
    private static func sealingLabel(_ seq: Int64, _ column: String) -> String {
        "audit/\(seq)/\(column)/\(AuditRecord.version)"
    }

    // MARK: Reading

    /// In the order in which `record` reads them.
    static let columns = "a.seq, a.version, a.at, a.event_key, a.event, a.actor, a.actor_sealed, a.subject, a.subject_sealed"

    static func record(_ row: Row) -> AuditRecord {
        let subject = (row[7] as Int64?).flatMap { key in (row[8] as Data?).map { AuditRecord.SealedPart(key: key, sealed: $0) } }
        return AuditRecord(
            version: row[1], seq: row[0], at: row[2], event: .init(key: row[3], sealed: row[4]), actor: .init(key: row[5], sealed: row[6]),
            subject: subject)
    }

    /// Opens `records`, reading all their keys at once.
    ///
    /// - Throws: `AuditChain.ChainError` for an entry that does not open.
    func open(_ records: [AuditRecord], in db: Database) throws -> [(seq: Int64, note: UnsealedAuditEntry)] {
        let names = Set(records.flatMap { [$0.event.key, $0.actor.key, $0.subject?.key].compactMap(\.self) })
        let statuses = try keys.statuses(of: names, in: db)
        return try records.map { ($0.seq, try Self.open($0, by: statuses)) }
    }

    static func open(_ record: AuditRecord, by keys: [Int64: AuditKeys.Status]) throws(AuditChain.ChainError) -> UnsealedAuditEntry {
        func opened(_ part: AuditRecord.SealedPart, _ column: String) throws(AuditChain.ChainError) -> Data? {
            switch keys[part.key] {
            case nil, .lost: throw AuditChain.ChainError(seq: record.seq, fault: .keyless)
            case .destroyed: return nil
            case .opens(let key):
                do {
                    return try key.open(part.sealed, for: sealingLabel(record.seq, column))
                } catch {
                    throw AuditChain.ChainError(seq: record.seq, fault: .forged)
                }
            }
        }
        let (event, actor) = (try opened(record.event, "event"), try opened(record.actor, "actor"))
        var subject: Data?
        if let part = record.subject { subject = try opened(part, "subject") }
        do {
            return try UnsealedAuditEntry(event: event ?? Data(), actor: actor, subject: subject)
        } catch {
            throw AuditChain.ChainError(seq: record.seq, fault: .forged)
        }
    }
}
