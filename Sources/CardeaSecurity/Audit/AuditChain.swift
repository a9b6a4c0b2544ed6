import Crypto
import Foundation

/// The hash chain of the audit log: each hash covers the one before it, so that nothing in between can be changed, removed, inserted or
/// moved unnoticed.
///
/// `h₀` is 32 zero bytes, and `hₙ = SHA-256(0x00 ‖ "hub-audit-v1" ‖ hₙ₋₁ ‖ entryₙ)`, where the entry is its sealed record in the form of
/// RFC 8785. Entries cut off at the end leave a valid chain: only an earlier signed root reveals that.
public struct AuditChain: Hashable, Sendable {
    /// The number of entries up to here.
    public private(set) var seq: Int64
    public private(set) var hash: Data

    /// A hash that already contains the prefix of every entry.
    private static let seededHash = {
        var hash = SHA256()
        hash.update(data: [0] + Array("hub-audit-v1".utf8))
        return hash
    }()

    /// The chain before its first entry.
    public init() {
        seq = 0
        hash = Data(count: 32)
    }

    /// The chain up to an entry that is known to be right, such as the last one of a segment that was dropped.
    public init(seq: Int64, hash: Data) {
        self.seq = seq
        self.hash = hash
    }

    /// Adds the next entry.
    ///
    /// - Parameter entry: its canonical form.
    public mutating func append(_ entry: String) { append(Array(entry.utf8)) }

    /// Adds the next entry, whose canonical form these bytes are.
    public mutating func append(_ entry: [UInt8]) {
        seq += 1
        hash = Self.hash(entry, after: hash)
    }

    private static func hash(_ entry: [UInt8], after previous: Data) -> Data {
        var hash = seededHash
        hash.update(data: previous)
        hash.update(data: entry)
        return Data(hash.finalize())
    }

    // MARK: Verifying

    /// An entry and its claimed hash.
    public struct Link: Hashable, Sendable {
        public var seq: Int64
        public var entry: String
        public var hash: Data

        public init(seq: Int64, entry: String, hash: Data) {
            self.seq = seq
            self.entry = entry
            self.hash = hash
        }
    }

    public enum Fault: String, Hashable, Sendable, CaseIterable {
        /// It is absent, and a later one is present.
        case missing
        /// It is present twice, or before its place.
        case misplaced
        /// It, or an earlier entry whose hash was recomputed, was changed.
        case altered
        /// Its key does not open it at this place: it was made by another author, or for another place.
        case forged
        /// Its key is missing, and no authorised person destroyed it.
        case keyless
        /// Its index marks do not match its content.
        case misfiled
        /// A root that covers it differs from the signed one.
        case disproved
        /// A root that covers it was not signed by the house.
        case unsigned
        /// The house did not sign the content that is claimed for it.
        case misquoted

        public var message: String {
            switch self {
            case .missing: "is missing"
            case .misplaced: "is out of order"
            case .altered: "was changed, or the one before it was"
            case .forged: "cannot be decrypted with its key"
            case .keyless: "has lost its key"
            case .misfiled: "is indexed under the wrong subject"
            case .disproved: "differs from what was signed, or an earlier entry does"
            case .unsigned: "belongs to a root that the house did not sign"
            case .misquoted: "has a text that differs from the entry"
            }
        }
    }

    /// The first entry that is wrong, and how.
    public struct ChainError: Error, Hashable, Sendable, CustomStringConvertible {
        public let seq: Int64
        public let fault: Fault

        public init(seq: Int64, fault: Fault) {
            self.seq = seq
            self.fault = fault
        }

        public var description: String { "Entry \(seq) of the audit log \(fault.message)." }
    }

    /// Refuses an entry whose place is not the next one.
    public func expect(_ place: Int64) throws(ChainError) {
        guard place > seq else { throw ChainError(seq: place, fault: .misplaced) }
        guard place == seq + 1 else { throw ChainError(seq: seq + 1, fault: .missing) }
    }

    /// Verifies the next entry, or throws its fault.
    public mutating func verify(_ link: Link) throws(ChainError) {
        try expect(link.seq)
        append(link.entry)
        guard hash == link.hash else { throw ChainError(seq: seq, fault: .altered) }
    }

    /// Walks the whole chain, and throws the first wrong entry. No key is needed.
    public static func verify(_ links: some Sequence<Link>, after start: AuditChain = AuditChain()) throws(ChainError) -> AuditChain {
        var chain = start
        for link in links { try chain.verify(link) }
        return chain
    }
}
