import Crypto
import Foundation

/// Reads a bundle line by line and reports the first problem. It needs no house and no network, and stores nothing that it read.
public struct AuditBundleVerifier: Sendable {
    /// The reason why a bundle cannot be trusted.
    public enum VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The first wrong entry.
        case entry(AuditChain.ChainError)
        /// Something that is no line of a bundle, or not there, counted from 1.
        case line(Int)
        /// It is of a form that this program does not know.
        case schema(Int)
        /// Another key signed it than the expected one.
        case otherKey
        /// All entries are valid, and yet the bundle is not the house's: lines were removed from a selection, or its end is missing.
        case unsigned

        public var description: String {
            switch self {
            case .entry(let problem): problem.description
            case .line(let number): "Line \(number) is no line of a bundle."
            case .schema(let number): "The bundle is of form \(number), which this program does not know."
            case .otherKey: "The bundle was signed by a different key than the expected one."
            case .unsigned: "The bundle is not as the house made it: something was taken out, put in, or cut off."
            }
        }

        /// The first wrong entry, if it is one.
        public var seq: Int64? { if case .entry(let problem) = self { problem.seq } else { nil } }
    }

    /// The result of verifying a whole bundle.
    public struct Verification: Hashable, Sendable {
        public let origin: String
        public let verifier: String
        /// The number of entries in the bundle.
        public let entries: Int64
        /// The number of entries in the audit log, dropped ones included.
        public let size: Int64
        /// True if the bundle holds a selection of the entries.
        public let isSelection: Bool
        public let exportedAt: Date
        /// Sizes of notes kept elsewhere that could not be compared with the bundle, because their entries were dropped or left out.
        public let uncomparedSizes: [Int64]
    }

    private let expected: Data?
    private let notes: [String]
    /// Roots stored elsewhere, by the sizes of their trees, until they are compared.
    private var witnesses: [Int64: Data] = [:]
    private var lines = 0
    private var header: AuditBundle.Header?
    private var key: Curve25519.Signing.PublicKey?
    private var tree = MerkleTree.Frontier()
    private var chain = AuditChain()
    private var entries: Int64 = 0
    /// The last checkpoint among the lines that were read.
    private var signed: AuditCheckpoint?
    private var digest = SHA256()
    private var isFinished = false

    /// - Parameters:
    ///   - expected: the house's Ed25519 key, 32 bytes, if it is known from elsewhere; nil trusts the key in the bundle.
    ///   - witnesses: notes that were kept elsewhere. The audit log must contain their states.
    public init(expecting expected: Data? = nil, witnesses: [String] = []) {
        self.expected = expected
        notes = witnesses
    }

    // MARK: Reading

    /// Takes the next line, without its end.
    public mutating func consume(_ line: Data) throws(VerificationError) {
        lines += 1
        guard !isFinished, line.count <= AuditBundle.lineLimit else { throw .line(lines) }
        switch try read(Kind.self, line).kind {
        case "header": try consume(try read(AuditBundle.Header.self, line))
        case "segment": try consume(try read(AuditBundle.Segment.self, line))
        case "entry": try consume(try read(AuditBundle.Entry.self, line))
        case "checkpoint": try consume(try read(AuditBundle.Checkpoint.self, line))
        case "end": try consume(try read(AuditBundle.Footer.self, line))
        default: throw .line(lines)
        }
        digest.update(data: line)
        digest.update(data: [0x0A])
    }

    /// Returns the result after the last line.
    public func finish() throws(VerificationError) -> Verification {
        guard let header else { throw .line(1) }
        guard isFinished else {
            if !header.selection, chain.seq < header.size { throw .entry(.init(seq: chain.seq + 1, fault: .missing)) }
            throw .unsigned
        }
        return Verification(
            origin: header.origin, verifier: header.verifier, entries: entries, size: header.size, isSelection: header.selection,
            exportedAt: Date(timeIntervalSince1970: Double(header.exportedAt) / 1000), uncomparedSizes: witnesses.keys.sorted())
    }

    /// Reads a file, a part at a time.
    public mutating func verify(_ file: URL) throws -> Verification {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var rest = Data()
        while let part = try handle.read(upToCount: 64 * 1024), !part.isEmpty {
            rest.append(part)
            var start = rest.startIndex
            while let end = rest[start...].firstIndex(of: 0x0A) {
                try consume(Data(rest[start..<end]))
                start = rest.index(after: end)
            }
            rest = Data(rest[start...])
            guard rest.count <= AuditBundle.lineLimit else { throw VerificationError.line(lines + 1) }
        }
        // A bundle without an end line was truncated.
        guard rest.isEmpty else { throw truncationError() }
        return try finish()
    }

    private func truncationError() -> VerificationError {
        do throws(VerificationError) {
            _ = try finish()
            return .line(lines + 1)
        } catch { return error }
    }

    private struct Kind: Decodable { let kind: String }

    private func read<Value: Decodable>(_ type: Value.Type, _ line: Data) throws(VerificationError) -> Value {
        do { return try JSONDecoder().decode(type, from: line) } catch { throw .line(lines) }
    }

    // MARK: Lines

    private mutating func consume(_ header: AuditBundle.Header) throws(VerificationError) {
        guard self.header == nil, header.size > 0 else { throw .line(lines) }
        guard header.schema == AuditBundle.schema else { throw .schema(header.schema) }
        if let expected, expected != header.key { throw .otherKey }
        let key: Curve25519.Signing.PublicKey
        do { key = try Curve25519.Signing.PublicKey(rawRepresentation: header.key) } catch { throw .line(lines) }
        // This line identifies the house: it names the signing key, and no other.
        guard header.verifier == AuditCheckpoint.verifier(key, of: header.origin) else { throw .line(lines) }
        for note in notes {
            guard let kept = AuditCheckpoint(note: note, by: key), kept.origin == header.origin else { throw .otherKey }
            guard kept.size <= header.size else { throw .entry(.init(seq: header.size + 1, fault: .missing)) }
            // Two roots of one size: the house signed two different logs.
            if let other = witnesses[kept.size], other != kept.root { throw .entry(.init(seq: kept.size, fault: .disproved)) }
            witnesses[kept.size] = kept.root
        }
        self.key = key
        self.header = header
    }

    /// Compares a root with one stored elsewhere.
    private mutating func compare(_ root: Data, at size: Int64) throws(VerificationError) {
        if let kept = witnesses.removeValue(forKey: size), kept != root { throw .entry(.init(seq: size, fault: .disproved)) }
    }

    private mutating func consume(_ segment: AuditBundle.Segment) throws(VerificationError) {
        guard let header, !header.selection, entries == 0, segment.number == tree.size / 256, segment.root.count == 32,
            segment.hash.count == 32, tree.append(subtree: segment.root, height: 8)
        else { throw .line(lines) }
        chain = AuditChain(seq: tree.size, hash: segment.hash)
        try compare(tree.root, at: tree.size)
    }

    private mutating func consume(_ entry: AuditBundle.Entry) throws(VerificationError) {
        guard let header, let key else { throw .line(lines) }
        if header.selection { try verifySelected(entry, header) } else { try verifyChained(entry, header) }
        guard Self.sequence(of: entry.line) == entry.seq else { throw .entry(.init(seq: entry.seq, fault: .misplaced)) }
        let statement = AuditBundle.statement(entry.told, of: entry.line, at: entry.seq, in: header.origin)
        guard key.isValidSignature(entry.signature, for: statement) else { throw .entry(.init(seq: entry.seq, fault: .misquoted)) }
        entries += 1
    }

    /// The next one of all.
    private mutating func verifyChained(_ entry: AuditBundle.Entry, _ header: AuditBundle.Header) throws(VerificationError) {
        // Whole segments are proved by their signed root before more is read.
        if tree.size > 0, tree.size % 256 == 0, signed?.size != tree.size {
            throw .entry(.init(seq: tree.size, fault: .unsigned))
        }
        do throws(AuditChain.ChainError) {
            try chain.verify(AuditChain.Link(seq: entry.seq, entry: entry.line, hash: entry.hash))
        } catch { throw .entry(error) }
        guard entry.seq <= header.size else { throw .entry(.init(seq: entry.seq, fault: .misplaced)) }
        tree.append(MerkleTree.leaf(Data(entry.line.utf8)))
        try compare(tree.root, at: tree.size)
    }

    /// One of some.
    private mutating func verifySelected(_ entry: AuditBundle.Entry, _ header: AuditBundle.Header) throws(VerificationError) {
        guard let signed, let path = entry.path, signed.size == header.size else { throw .line(lines) }
        guard entry.seq > chain.seq else { throw .entry(.init(seq: entry.seq, fault: .misplaced)) }
        chain = AuditChain(seq: entry.seq, hash: chain.hash)
        let leaf = MerkleTree.leaf(Data(entry.line.utf8))
        guard MerkleTree.verifyInclusion(leaf, at: entry.seq - 1, in: signed.size, root: signed.root, by: path) else {
            throw .entry(.init(seq: entry.seq, fault: .disproved))
        }
    }

    /// Returns whether an entry is in the audit log that `key` signed, and `told` is its content as the house reported it.
    ///
    /// - Parameters:
    ///   - path: from the entry to the root (RFC 9162, section 2.1.3).
    ///   - note: the signed checkpoint.
    public static func isIncluded(
        line: String, told: String, signature: Data, at seq: Int64, path: [Data], note: String, key: Data
    ) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key), let signed = AuditCheckpoint(note: note, by: key),
            sequence(of: line) == seq, seq > 0
        else { return false }
        return MerkleTree.verifyInclusion(MerkleTree.leaf(Data(line.utf8)), at: seq - 1, in: signed.size, root: signed.root, by: path)
            && key.isValidSignature(signature, for: AuditBundle.statement(told, of: line, at: seq, in: signed.origin))
    }

    /// The sequence number in the sealed entry itself.
    private static func sequence(of line: String) -> Int64? {
        struct Place: Decodable { let seq: Int64 }
        do { return try JSONDecoder().decode(Place.self, from: Data(line.utf8)).seq } catch { return nil }
    }

    private mutating func consume(_ line: AuditBundle.Checkpoint) throws(VerificationError) {
        guard let header, let key else { throw .line(lines) }
        let place = header.selection ? header.size : tree.size
        guard let checkpoint = AuditCheckpoint(note: line.note, by: key), checkpoint.origin == header.origin else {
            throw .entry(.init(seq: place, fault: .unsigned))
        }
        guard checkpoint.size == place else {
            // A signed root beyond the received entries means that entries are missing. A late one is out of place.
            throw checkpoint.size > place ? .entry(.init(seq: place + 1, fault: .missing)) : .line(lines)
        }
        if !header.selection, checkpoint.root != tree.root { throw .entry(.init(seq: place, fault: .disproved)) }
        try compare(checkpoint.root, at: place)
        signed = checkpoint
    }

    private mutating func consume(_ end: AuditBundle.Footer) throws(VerificationError) {
        guard let header, let key else { throw .line(lines) }
        if !header.selection {
            guard chain.seq == header.size else { throw .entry(.init(seq: chain.seq + 1, fault: .missing)) }
            guard signed?.size == header.size else { throw .entry(.init(seq: header.size, fault: .unsigned)) }
        }
        let digest = Data(self.digest.finalize())
        guard end.digest == digest, key.isValidSignature(end.signature, for: AuditBundle.footerStatement(header, digest)) else {
            throw .unsigned
        }
        isFinished = true
    }
}

extension AuditBundleVerifier.Verification {
    /// A remark for the reader; nil if there is none.
    public var message: String? {
        guard !uncomparedSizes.isEmpty else { return nil }
        let sizes = uncomparedSizes.map(String.init).joined(separator: ", ")
        return "Not held against what was kept at \(sizes): the bundle has nothing of that size. It proves nothing of those notes."
    }
}
