import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The Merkle tree over the audit log, as far as its hashes are still known: for dropped segments only the root, for the others all hashes.
final class AuditMerkleTree {
    private let db: Database
    private let segments: [Data]
    /// The number of dropped entries.
    private let dropped: Int64
    /// The hashes of the entries in the segments read last.
    private var leaves: [Int64: [Data]] = [:]
    /// Roots above the segments.
    private var roots: [Range<Int64>: Data] = [:]

    init(_ db: Database) throws {
        self.db = db
        let rows = try Row.fetchAll(db, sql: "SELECT root, dropped_at IS NOT NULL FROM audit_segments ORDER BY number")
        segments = rows.map { $0[0] as Data }
        dropped = Int64(rows.count { $0[1] as Bool }) * AuditCheckpointer.segmentSize
    }

    /// Proves that an entry is among the first `size`.
    func inclusionProof(of seq: Int64, in size: Int64) throws -> [Data] {
        try mapErrors { try MerkleTree.inclusionProof(of: seq - 1, in: size, known: root) }
    }

    /// Proves that the log of `size` entries extends the one of `before` entries.
    func consistencyProof(of before: Int64, with size: Int64) throws -> [Data] {
        try mapErrors { try MerkleTree.consistencyProof(of: before, with: size, known: root) }
    }

    /// Returns whether the log begins with the `size` entries that have this root. Also true if the comparison needs hashes of dropped
    /// entries.
    func isExtension(with size: Int64, root wanted: Data) throws -> Bool {
        do {
            return try MerkleTree.root(of: 0..<size, known: root) == wanted
        } catch let unknown as MerkleTree.UnknownHashError { return unknown.index < dropped }
    }

    private func mapErrors(_ make: () throws -> [Data]) throws -> [Data] {
        do {
            return try make()
        } catch let unknown as MerkleTree.UnknownHashError {
            guard unknown.index >= dropped else { throw AuditProofs.ProofError.dropped }
            throw AuditProofs.ProofError.broken(AuditChain.ChainError(seq: unknown.index + 1, fault: .missing))
        }
    }

    /// The root of a perfect subtree: of one entry, of a segment, or of several segments.
    private func root(_ range: Range<Int64>) throws -> Data? {
        let (count, segment) = (Int64(range.count), AuditCheckpointer.segmentSize)
        if count == 1 { return try leaf(range.lowerBound) }
        guard count >= segment, count & (count - 1) == 0, range.lowerBound % count == 0 else { return nil }
        if count == segment {
            let number = Int(range.lowerBound / segment)
            return segments.indices.contains(number) ? segments[number] : nil
        }
        if let known = roots[range] { return known }
        let middle = range.lowerBound + count / 2
        let whole = MerkleTree.node(
            try MerkleTree.root(of: range.lowerBound..<middle, known: root), try MerkleTree.root(of: middle..<range.upperBound, known: root)
        )
        roots[range] = whole
        return whole
    }

    private func leaf(_ index: Int64) throws -> Data {
        let number = index / AuditCheckpointer.segmentSize
        if leaves[number] == nil {
            // One after the other, in the order of requests; the last segment is at the end of every path.
            if leaves.count > 3 { leaves = [:] }
            leaves[number] = try read(number)
        }
        guard let known = leaves[number], known.indices.contains(Int(index % AuditCheckpointer.segmentSize)) else {
            throw MerkleTree.UnknownHashError(index: index)
        }
        return known[Int(index % AuditCheckpointer.segmentSize)]
    }

    /// The hashes of a segment, up to the first missing entry.
    private func read(_ number: Int64) throws -> [Data] {
        var known: [Data] = []
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a WHERE a.seq > ? ORDER BY a.seq LIMIT \(AuditCheckpointer.segmentSize)",
            arguments: [number * AuditCheckpointer.segmentSize])
        while let row = try rows.next() {
            let record = AuditLogWriter.record(row)
            guard record.seq == number * AuditCheckpointer.segmentSize + Int64(known.count) + 1 else { break }
            known.append(MerkleTree.leaf(Data(record.bytes)))
        }
        return known
    }
}
