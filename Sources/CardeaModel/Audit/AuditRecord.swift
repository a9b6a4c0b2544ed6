import Foundation

/// An entry of the audit log as it is stored and proven. Actor, subject and event are sealed; only sequence number, time and key names are
/// in the clear.
///
/// This form is final for its version. What is hashed is `canonical`, so an exported line of it proves itself.
public struct AuditRecord: Hashable, Sendable {
    /// Content that is sealed under one key.
    public struct SealedPart: Hashable, Sendable {
        /// The name of the key: random, and a pseudonym of the person it belongs to once the key is destroyed.
        public let key: Int64
        /// Nonce, ciphertext and tag of ChaCha20-Poly1305.
        public let sealed: Data

        public init(key: Int64, sealed: Data) {
            self.key = key
            self.sealed = sealed
        }

        fileprivate func add(to members: inout CanonicalJSON.ObjectWriter) {
            members.add("key", hex: UInt64(bitPattern: key))
            members.add("sealed", sealed)
        }
    }

    /// The format version of new entries.
    public static let version: Int64 = 1

    public let version: Int64
    /// 1, 2, 3 and so on, without a gap.
    public let seq: Int64
    /// Milliseconds since 1970.
    public let at: Int64
    /// The event, sealed under the house's key.
    public let event: SealedPart
    /// The actor, sealed under that person's own key, or under the house's key if no person is known.
    public let actor: SealedPart
    /// The other person concerned, sealed under that person's own key; nil if there is none.
    public let subject: SealedPart?

    public init(version: Int64 = Self.version, seq: Int64, at: Int64, event: SealedPart, actor: SealedPart, subject: SealedPart?) {
        self.version = version
        self.seq = seq
        self.at = at
        self.event = event
        self.actor = actor
        self.subject = subject
    }

    /// The entry as RFC 8785 writes it.
    public var canonical: String { String(decoding: bytes, as: UTF8.self) }

    /// The same as UTF-8 bytes, which are hashed.
    public var bytes: [UInt8] {
        var members = CanonicalJSON.ObjectWriter(room: 1024)
        members.add("actor", actor.add)
        members.add("at", at)
        members.add("event", event.add)
        members.add("seq", seq)
        if let subject { members.add("subject", subject.add) }
        members.add("v", version)
        return members.bytes()
    }
}
