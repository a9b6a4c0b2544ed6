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
