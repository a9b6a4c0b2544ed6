import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The signed roots of the log, compared with the entries as they are walked.
struct SignedRoots: Sendable {
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
