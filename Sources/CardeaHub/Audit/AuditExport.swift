import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

extension AuditProofs {
    /// Exports the audit log for an owner or admin. The export itself is the last entry of it.
    ///
    /// - Parameters:
    ///   - filter: nil for the whole log. A selection is proven entry by entry, without proof that it is complete.
    /// - Throws: `People.PersonError`; `Sessions.SessionError.stepUpRequired` without a step-up within the last five minutes.
    public func export(_ filter: ActivityLog.Filter? = nil, by principal: Principal, origin: RequestOrigin) async throws -> AuditExport {
        let now = environment.now()
        try await store.auditedWrite("data_export", by: principal, origin: origin, at: now) { context in
            _ = try People.require(.managePeople, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "data_export", result: .done, reason: .audit), in: context)
        }
        try await checkpointer.sign(at: now)
        let checkpoint = try await store.read { [checkpointer] in try Self.latest(checkpointer, $0) }
        return AuditExport(
            store: store, activity: activity, signer: checkpointer.signer, checkpoint: checkpoint, filter: filter, exportedAt: now)
    }
}

/// An export in progress: entries are read and written a few hundred at a time, whatever the size of the log.
public struct AuditExport: Sendable {
    let store: Store
    let activity: ActivityLog
    let signer: AuditSigner
    let checkpoint: AuditProofs.SignedCheckpoint
    let filter: ActivityLog.Filter?
    let exportedAt: Date

    /// The export date, for the file name.
    public var name: String { exportedAt.formatted(.iso8601.year().month().day()) }

    /// The number of entries that are read in one batch.
    private static let batchSize = 256

    /// Writes the bundle in parts.
    ///
    /// - Throws: what `take` throws; `AuditProofs.ProofError.dropped` if entries were dropped in the meantime. The incomplete bundle has no
    ///   end and proves nothing.
    public func write(_ take: (Data) async throws -> Void) async throws {
        let header = AuditBundle.Header(
            origin: signer.origin, key: signer.key.publicKey, size: checkpoint.checkpoint.size, exportedAt: exportedAt.milliseconds,
            selection: filter != nil)
        var seal = AuditBundle.Signer(header)
        func put(_ part: Data) async throws {
            seal.add(part)
            try await take(part)
        }
        try await put(AuditBundle.line(header))
        var place: Int64 = 0
        if filter == nil {
            let dropped = try await store.read { [self] db in try droppedLines(db) }
            if !dropped.lines.isEmpty { try await put(dropped.lines) }
            place = dropped.entries
        } else {
            try await put(AuditBundle.line(AuditBundle.Checkpoint(note: checkpoint.note)))
        }
        while place < checkpoint.checkpoint.size {
            let part = try await store.read { [self, place] db in try lines(after: place, db) }
            if !part.lines.isEmpty { try await put(part.lines) }
            place = part.next
        }
        try await take(AuditBundle.line(seal.end(by: signer.key)))
    }

    /// Writes the same as a CSV table for a spreadsheet. It proves nothing.
    public func writeTable(_ take: (Data) async throws -> Void) async throws {
        let names = [
            "seq", "at", "who", "who_id", "who_name", "action", "device_id", "device_name", "entity_id", "result", "reason", "grant_id",
            "command_id", "remote", "request_id",
        ]
        try await take(Data((CSVRow.byteOrderMark + CSVRow.text(names)).utf8))
        var place: Int64 = 0
        while place < checkpoint.checkpoint.size {
            let part = try await store.read { [self, place] db in try entries(after: place, db) }
            place = part.next
            let rows = part.entries.map { CSVRow.text($0.entry.cells) }.joined()
            if !rows.isEmpty { try await take(Data(rows.utf8)) }
        }
    }

    // MARK: Parts

    private func droppedLines(_ db: Database) throws -> (lines: Data, entries: Int64) {
        var (lines, entries) = (Data(), Int64(0))
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, root, hash FROM audit_segments WHERE dropped_at IS NOT NULL ORDER BY number")
        while let row = try rows.next() {
            lines += try AuditBundle.line(AuditBundle.Segment(number: row[0], root: row[1], hash: row[2]))
            entries += AuditCheckpointer.segmentSize
        }
        if entries > 0 { lines += try checkpointNotes(db, from: entries, to: entries).values.reduce(Data(), +) }
        return (lines, entries)
    }

    private func lines(after place: Int64, _ db: Database) throws -> (lines: Data, next: Int64) {
        let (entries, next) = try entries(after: place, db)
        let tree = filter == nil ? nil : try AuditMerkleTree(db)
        let notes = filter == nil ? try checkpointNotes(db, from: place + 1, to: next) : [:]
        var lines = Data()
        var expected = place + 1
        for (record, hash, entry) in entries {
            if filter == nil, record.seq != expected {
                let isDropped = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM audit_segments WHERE number = ? AND dropped_at IS NOT NULL",
                    arguments: [(expected - 1) / AuditCheckpointer.segmentSize])
                throw isDropped == true ? AuditProofs.ProofError.dropped : .broken(.init(seq: expected, fault: .missing))
            }
            expected += 1
            let (line, statement) = (record.canonical, entry.statement)
            lines += try AuditBundle.line(
                AuditBundle.Entry(
                    seq: record.seq, line: line, hash: hash, told: statement, signature: signer.sign(statement, of: line, at: record.seq),
                    path: try tree?.inclusionProof(of: record.seq, in: checkpoint.checkpoint.size)))
            if let note = notes[record.seq] { lines += note }
        }
        return (lines, next)
    }

    /// The selected entries after a position, and the last position that was read.
    private func entries(
        after place: Int64, _ db: Database
    ) throws -> (entries: [(record: AuditRecord, hash: Data, entry: ActivityLog.Entry)], next: Int64) {
        var conditions = try filter.map { try activity.conditions($0, in: db) } ?? []
        conditions.append("a.seq <= \(checkpoint.checkpoint.size)")
        let query = try AuditIndex(db).entries(
            "\(AuditLogWriter.columns), a.hash", after: place, where: conditions, .oldestFirst, limit: Self.batchSize)
        let rows = try SQLRequest<Row>(literal: query).fetchAll(db)
        let records = rows.map(AuditLogWriter.record)
        let named = try activity.entries(try activity.auditLogWriter.open(records, in: db), seenBy: nil, in: db)
        let entries = zip(zip(records, rows), named).map { ($0.0, $0.1[9] as Data, $1) }
        // An entry deleted from the file may still be in the index, so a page with few entries need not be the last.
        return (entries, records.last?.seq ?? checkpoint.checkpoint.size)
    }

    /// The signed checkpoints of the log between two sizes, by size.
    private func checkpointNotes(_ db: Database, from first: Int64, to last: Int64) throws -> [Int64: Data] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT size, root, at, signature FROM audit_checkpoints WHERE size BETWEEN ? AND ?", arguments: [first, last])
        return try rows.reduce(into: [:]) { notes, row in
            notes[row[0] as Int64] = try AuditBundle.line(AuditBundle.Checkpoint(note: signer.note(of: row).note))
        }
    }
}

extension ActivityLog.Entry {
    fileprivate var cells: [String] {
        [
            String(id), at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), whoKind, whoID, whoName, action, deviceID,
            deviceName, entityID, result, reason, grantID, commandID, remote, requestID,
        ].map { $0 ?? "" }
    }
}
