import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The house's own key, which signs the state of its audit log.
struct AuditSigner: Sendable {
    let key: Curve25519.Signing.PrivateKey
    /// The origin of the log: the house that it belongs to.
    let origin: String

    /// The label that the key is sealed under.
    static let sealingLabel = "audit_signer/2/key"
    /// The label used before the audit log recorded deletions. Only the house's key can seal under it, so a key sealed under it proves that
    /// the house comes from that time.
    private static let legacySealingLabel = "audit_signer/1/key"

    /// Reads the house's signing key, or makes one if there is none yet.
    init(store: Store, sealing: SealingKey, houseID: String, at now: Date) async throws {
        let new = Curve25519.Signing.PrivateKey()
        let sealed = try await store.write { db in
            if let sealed = try Self.sealedKey(db) { return sealed }
            let sealed = try sealing.seal(new.rawRepresentation, for: Self.sealingLabel)
            try db.execute(
                sql: "INSERT INTO audit_signer (only, key, public) VALUES (1, ?, ?)", arguments: [sealed, new.publicKey.rawRepresentation])
            try AuditLog.append(.init(who: .house, action: Self.makeAction, result: .done, reason: .auditSigner), in: .house(db, at: now))
            return sealed
        }
        key = try Self.opened(sealed, by: sealing)
        origin = AuditCheckpoint.origin(ofHouse: houseID)
    }

    /// The audit action for making a key.
    private static let makeAction = "key.make"

    /// Returns whether an entry records that the house's signing key was made.
    static func isCreation(by note: UnsealedAuditEntry) -> Bool { note.action == makeAction && note.reason == .auditSigner }

    /// The key that verifies a house's signatures: the public half of the sealed one, so that it cannot be replaced by another.
    static func publicKey(sealing: SealingKey, in db: Database) throws -> Curve25519.Signing.PublicKey? {
        try sealedKey(db).map { try opened($0, by: sealing).publicKey }
    }

    // MARK: Legacy

    /// The audit action for upgrading a house to the current label. After this entry, a kept copy of the key under the legacy label can be
    /// recognised as an old one when it is restored.
    private static let renewAction = "key.renew"

    /// Returns whether an entry records such an upgrade.
    static func isRenewal(by note: UnsealedAuditEntry) -> Bool { note.action == renewAction && note.reason == .auditSigner }

    /// The generation of a house, by its key. Only in a legacy house may data be missing without an entry in the audit log.
    enum Generation: Sendable {
        /// There is no key yet.
        case keyless
        /// The key was sealed by a hub that did not record deletions.
        case legacy
        case current
    }

    static func generation(sealing: SealingKey, in db: Database) throws -> Generation {
        guard let sealed = try sealedKey(db) else {
            // A house that has signed and then dropped its signatures had a key.
            let hasSigned = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM audit_segments) OR EXISTS (SELECT 1 FROM audit_checkpoints)")
            return hasSigned == true ? .current : .keyless
        }
        return opened(sealed, at: legacySealingLabel, by: sealing) == nil ? .current : .legacy
    }

    /// Upgrades the house to the current label and records it in the audit log. Earlier deletions are recorded there, and from here on
    /// every deletion has an entry.
    static func renew(sealing: SealingKey, at now: Date, in db: Database) throws {
        guard let sealed = try sealedKey(db), let bytes = opened(sealed, at: legacySealingLabel, by: sealing) else { return }
        try db.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [try sealing.seal(bytes, for: sealingLabel)])
        try AuditLog.append(.init(who: .house, action: renewAction, result: .done, reason: .auditSigner), in: .house(db, at: now))
    }

    private static func sealedKey(_ db: Database) throws -> Data? { try Data.fetchOne(db, sql: "SELECT key FROM audit_signer") }

    /// - Throws: `HouseKeyError.doesNotOpen` if it is not a key of this house.
    private static func opened(_ sealed: Data, by sealing: SealingKey) throws -> Curve25519.Signing.PrivateKey {
        let damaged = HouseKeyError.doesNotOpen(table: "audit_signer")
        guard let bytes = opened(sealed, at: legacySealingLabel, by: sealing) ?? opened(sealed, at: sealingLabel, by: sealing) else {
            throw damaged
        }
        do { return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes) } catch { throw damaged }
    }

    private static func opened(_ sealed: Data, at place: String, by sealing: SealingKey) -> Data? {
        do { return try sealing.open(sealed, for: place) } catch { return nil }
    }
}
