import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// A walk along the audit log: the verified state up to the last entry that was read.
struct AuditVerifier: Sendable {
    private let keys: AuditKeys
    private let keyStatuses: [Int64: AuditKeys.Status]
    private var signedRoots: SignedRoots
    /// The first entry under each missing key, until an entry records that the key was destroyed.
    private var unaccounted: [Int64: Int64] = [:]
    /// Keys that the log records as destroyed.
    private var destroyed: Set<String> = []
    /// Deletions made before the audit log recorded them, in a house that no newer hub has served since.
    private var legacyMarks: LegacyAuditMarks
    /// The segment before the first entry, until an entry records that it was dropped.
    private var undroppedSegment: String?
    /// The chain up to the last entry.
    private(set) var chain: AuditChain

    static let columns = AuditLogWriter.columns + ", a.hash, a.device, a.result, a.command, a.action"

    /// An entry as stored, and the marks that it is filed under.
    struct StoredEntry: Sendable {
        var record: AuditRecord
        var hash: Data
        var device: Int64?
        var result: Int64
        var command: Int64?
        /// nil if an older hub has written it, and no newer one has run since.
        var action: Int64?

        init(_ row: Row) {
            record = AuditLogWriter.record(row)
            (hash, device, result, command, action) = (row[9], row[10], row[11], row[12], row[13])
        }
    }

    /// - Parameter notes: signed notes that were kept elsewhere. The log must match them.
    init(_ db: Database, with keys: AuditKeys, signer: Curve25519.Signing.PublicKey?, against notes: [String] = []) throws {
        self.keys = keys
        keyStatuses = try keys.statuses(in: db)
        signedRoots = try SignedRoots(db, signer: signer, against: notes)
        chain = try signedRoots.chainAfterDropped()
        if chain.seq > 0 { undroppedSegment = AuditCheckpointer.segmentName(of: chain.seq / AuditCheckpointer.segmentSize - 1) }
        legacyMarks = try LegacyAuditMarks(db, sealing: keys.sealing)
    }

    /// The sizes of notes that could not be compared so far.
    var uncomparedSizes: [Int64] { signedRoots.uncomparedSizes }

    mutating func verify(_ line: StoredEntry) throws(AuditChain.ChainError) {
        let record = line.record
        // In this order: a missing entry is reported before the next one, which itself may be intact.
        try chain.expect(record.seq)
        let note = try AuditLogWriter.open(record, by: keyStatuses)
        guard note.at.milliseconds == record.at else { throw AuditChain.ChainError(seq: record.seq, fault: .forged) }
        try chain.verify(AuditChain.Link(seq: record.seq, entry: record.canonical, hash: line.hash))
        guard line.device == note.deviceID.map({ keys.mark(.device, $0) }), line.result == keys.mark(.result, note.result),
            line.command == note.commandID.map({ keys.mark(command: $0) }),
            line.action == nil || line.action == keys.mark(.action, note.action)
        else { throw AuditChain.ChainError(seq: record.seq, fault: .misfiled) }
        try signedRoots.verify(record, chain)
        account(for: note, of: record)
    }

    private mutating func account(for note: UnsealedAuditEntry, of record: AuditRecord) {
        for part in [record.event, record.actor] + (record.subject.map { [$0] } ?? []) {
            if case .destroyed = keyStatuses[part.key], unaccounted[part.key] == nil { unaccounted[part.key] = record.seq }
        }
        legacyMarks.observe(note)
        guard let name = note.entityID else { return }
        if note.action == AuditKeys.destroyAction { destroyed.insert(name) }
        if note.action == AuditCheckpointer.dropAction, name == undroppedSegment { undroppedSegment = nil }
    }

    /// Verifies that no signature reaches beyond the end of the log, and that every deletion is recorded in it.
    func finish() throws(AuditChain.ChainError) {
        try signedRoots.finish(at: chain)
        let known = destroyed.union(legacyMarks.trustedNames)
        let lost = unaccounted.filter { !known.contains(AuditKeys.entryName(of: $0.key)) }.values.min()
        if let lost { throw AuditChain.ChainError(seq: lost, fault: .keyless) }
        if let undroppedSegment, !legacyMarks.trustedNames.contains(undroppedSegment) {
            throw AuditChain.ChainError(seq: signedRoots.firstRetained - 1, fault: .missing)
        }
    }
}

/// The signed roots of the log, compared with the entries as they are walked.
private struct SignedRoots: Sendable {
    private struct Segment {
        let root: Data
        let hash: Data
        let isDropped: Bool
    }

    private let segments: [Segment]
    private let checkpoints: [Int64: (at: Int64, root: Data, signature: Data)]
    private let signedSize: Int64
    /// Kept roots by the size of their trees, until they are compared.
    private var pendingRoots: [Int64: Data] = [:]
    private let signer: Curve25519.Signing.PublicKey?
    private let origin: String
    private var tree = MerkleTree.Frontier()
    private var segment = MerkleTree.Frontier()

    /// The position of the first entry that was not dropped.
    var firstRetained: Int64 { Int64(segments.prefix(while: \.isDropped).count) * AuditCheckpointer.segmentSize + 1 }

    var uncomparedSizes: [Int64] { pendingRoots.keys.sorted() }

    init(_ db: Database, signer: Curve25519.Signing.PublicKey?, against notes: [String]) throws {
        self.signer = signer
        origin = AuditCheckpoint.origin(ofHouse: try String.fetchOne(db, sql: "SELECT house_id FROM house") ?? "")
        var segments: [Segment] = []
        for row in try Row.fetchAll(db, sql: "SELECT number, root, hash, dropped_at IS NOT NULL FROM audit_segments ORDER BY number") {
            guard row[0] as Int64 == Int64(segments.count) else { break }
            segments.append(Segment(root: row[1], hash: row[2], isDropped: row[3]))
        }
        self.segments = segments
        var checkpoints: [Int64: (at: Int64, root: Data, signature: Data)] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT size, at, root, signature FROM audit_checkpoints") {
            checkpoints[row[0] as Int64] = (at: row[1] as Int64, root: row[2] as Data, signature: row[3] as Data)
        }
        self.checkpoints = checkpoints
        for note in notes {
            guard let signer, let one = AuditCheckpoint(note: note, by: signer), one.origin == origin else {
                throw ForeignCheckpointError()
            }
            // Two roots of one size: the house signed two different logs.
            if let other = pendingRoots.updateValue(one.root, forKey: one.size), other != one.root {
                throw AuditChain.ChainError(seq: one.size, fault: .disproved)
            }
        }
        signedSize = max(checkpoints.keys.max() ?? 0, pendingRoots.keys.max() ?? 0, Int64(segments.count) * AuditCheckpointer.segmentSize)
    }

    /// The chain after the dropped entries, all of which were signed.
    mutating func chainAfterDropped() throws(AuditChain.ChainError) -> AuditChain {
        var chain = AuditChain()
        for one in segments.prefix(while: \.isDropped) {
            _ = tree.append(subtree: one.root, height: AuditCheckpointer.segmentHeight)
            chain = AuditChain(seq: tree.size, hash: one.hash)
            try checkRoot()
        }
        return chain
    }

    mutating func verify(_ record: AuditRecord, _ chain: AuditChain) throws(AuditChain.ChainError) {
        let leaf = MerkleTree.leaf(Data(record.bytes))
        tree.append(leaf)
        segment.append(leaf)
        if segment.size == AuditCheckpointer.segmentSize {
            let number = Int(tree.size / AuditCheckpointer.segmentSize) - 1
            if segments.indices.contains(number), segments[number].root != segment.root || segments[number].hash != chain.hash {
                throw AuditChain.ChainError(seq: tree.size, fault: .disproved)
            }
            segment = MerkleTree.Frontier()
        }
        try checkRoot()
    }

    private mutating func checkRoot() throws(AuditChain.ChainError) {
        if let seen = pendingRoots.removeValue(forKey: tree.size), seen != tree.root {
            throw AuditChain.ChainError(seq: tree.size, fault: .disproved)
        }
        guard let signed = checkpoints[tree.size] else { return }
        let checkpoint = AuditCheckpoint(origin: origin, size: tree.size, root: signed.root, at: signed.at)
        guard let signer, checkpoint.isSigned(signed.signature, by: signer) else {
            throw AuditChain.ChainError(seq: tree.size, fault: .unsigned)
        }
        guard signed.root == tree.root else { throw AuditChain.ChainError(seq: tree.size, fault: .disproved) }
    }

    /// Verifies that no signature reaches beyond the end of the log.
    func finish(at chain: AuditChain) throws(AuditChain.ChainError) {
        guard signedSize <= chain.seq else { throw AuditChain.ChainError(seq: chain.seq + 1, fault: .missing) }
    }
}
