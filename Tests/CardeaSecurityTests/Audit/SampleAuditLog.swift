import CardeaSecurity
import Crypto
import Foundation

/// An audit log, and what the house presents of it.
struct SampleAuditLog {
    let key: Curve25519.Signing.PrivateKey
    let origin: String
    private(set) var lines: [String] = []
    private(set) var leaves: [Data] = []

    init(_ count: Int, key: Curve25519.Signing.PrivateKey = .init(), origin: String = "cardea/house_1", word: String = "opened") {
        self.key = key
        self.origin = origin
        grow(to: count, word: word)
    }

    mutating func grow(to count: Int, word: String = "opened") {
        while lines.count < count {
            lines.append(#"{"at":\#(1_795_442_400_000 + lines.count),"event":"\#(word)","seq":\#(lines.count + 1)}"#)
            leaves.append(MerkleTree.leaf(Data((lines.last ?? "").utf8)))
        }
    }

    func known(_ range: Range<Int64>) -> Data? { range.count == 1 ? leaves[Int(range.lowerBound)] : nil }

    func checkpoint(_ size: Int) throws -> AuditCheckpoint {
        let root = try MerkleTree.root(of: 0..<Int64(size), known: known)
        return AuditCheckpoint(origin: origin, size: Int64(size), root: root, at: 1_795_442_400_000 + Int64(size))
    }

    func note(_ size: Int) throws -> String {
        let checkpoint = try checkpoint(size)
        return checkpoint.note(try checkpoint.signature(by: key), by: key.publicKey)
    }

    /// The checkpoint that the house presents to a client that knows the log up to a size.
    func shown(_ size: Int, from before: Int? = nil) throws -> AuditWitness.PresentedCheckpoint {
        let whole = size / 256 * 256
        return AuditWitness.PresentedCheckpoint(
            key: key.publicKey.rawRepresentation, note: try note(size),
            path: try before.map { try MerkleTree.consistencyProof(of: Int64($0), with: Int64(size), known: known) },
            whole: whole == 0 ? nil : (try note(whole), try MerkleTree.consistencyProof(of: Int64(whole), with: Int64(size), known: known)))
    }

    /// - Parameters:
    ///   - signed: sizes at which the house had signed, besides those of whole segments and the last.
    ///   - dropped: segments that are gone.
    ///   - chosen: the entries of a selection; nil for all.
    func bundle(signed: Set<Int> = [], dropped: Int = 0, only chosen: [Int]? = nil) throws -> [Data] {
        let header = AuditBundle.Header(
            origin: origin, key: key.publicKey, size: Int64(lines.count), exportedAt: 1_795_442_500_000, selection: chosen != nil)
        var bundle = [try AuditBundle.line(header)]
        var (chain, segment) = (AuditChain(), MerkleTree.Frontier())
        if chosen != nil { bundle.append(try AuditBundle.line(AuditBundle.Checkpoint(note: note(lines.count)))) }
        var tree = MerkleTree.Frontier()
        for (index, line) in lines.enumerated() {
            let seq = index + 1
            chain.append(line)
            tree.append(leaves[index])
            segment.append(leaves[index])
            if index >= dropped * 256, chosen?.contains(seq) != false {
                bundle.append(try AuditBundle.line(entry(seq, chain.hash, path: chosen != nil)))
            }
            if segment.size == 256 {
                if seq <= dropped * 256 {
                    bundle.append(
                        try AuditBundle.line(AuditBundle.Segment(number: Int64(index / 256), root: segment.root, hash: chain.hash)))
                }
                segment = MerkleTree.Frontier()
            }
            if chosen == nil, seq >= dropped * 256, seq % 256 == 0 || seq == lines.count || signed.contains(seq) {
                let checkpoint = AuditCheckpoint(origin: origin, size: tree.size, root: tree.root, at: 1_795_442_400_000)
                let note = checkpoint.note(try checkpoint.signature(by: key), by: key.publicKey)
                bundle.append(try AuditBundle.line(AuditBundle.Checkpoint(note: note)))
            }
        }
        var seal = AuditBundle.Signer(header)
        for line in bundle { seal.add(line) }
        return bundle + [try AuditBundle.line(seal.end(by: key))]
    }

    func entry(_ seq: Int, _ hash: Data, path: Bool = false) throws -> AuditBundle.Entry {
        let (line, told) = (lines[seq - 1], #"{"action":"door.open","seq":\#(seq)}"#)
        return AuditBundle.Entry(
            seq: Int64(seq), line: line, hash: hash, told: told,
            signature: try key.signature(for: AuditBundle.statement(told, of: line, at: Int64(seq), in: origin)),
            path: path ? try MerkleTree.inclusionProof(of: Int64(seq - 1), in: Int64(lines.count), known: known) : nil)
    }
}

extension AuditBundleVerifier {
    /// The result of verifying lines, each including its line end.
    static func verification(
        _ lines: [Data], expecting key: Data? = nil, witnesses: [String] = []
    ) -> Result<Verification, VerificationError> {
        var verifier = AuditBundleVerifier(expecting: key, witnesses: witnesses)
        return verifier.verifyRemaining(lines[...])
    }

    mutating func verifyRemaining(_ lines: some Sequence<Data>) -> Result<Verification, VerificationError> {
        do throws(VerificationError) {
            for line in lines { try consume(Data(line.dropLast())) }
            return .success(try finish())
        } catch { return .failure(error) }
    }
}
