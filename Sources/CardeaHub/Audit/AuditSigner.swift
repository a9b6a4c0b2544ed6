import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The house's own key, by which it signs how its audit trail stands.
struct AuditSigner: Sendable {
    let key: Curve25519.Signing.PrivateKey
    /// Whose trail it is.
    let origin: String

    /// What the key is sealed for.
    static let sealingLabel = "audit_signer/2/key"
    /// What it was sealed for before the trail told of what went from it. Nobody without the house's key can seal it for this, so that where it
    /// is, the house is one from before.
    private static let legacySealingLabel = "audit_signer/1/key"

    /// The house's; made where there is none yet.
    init(store: Store, sealing: SealingKey, houseID: String, at now: Date) async throws {
        let new = Curve25519.Signing.PrivateKey()
        let sealed = try await store.write { db in
            if let sealed = try Self.sealedKey(db) { return sealed }
            let sealed = try sealing.seal(new.rawRepresentation, for: Self.sealingLabel)
            try db.execute(
                sql: "INSERT INTO audit_signer (only, key, public) VALUES (1, ?, ?)", arguments: [sealed, new.publicKey.rawRepresentation])
            try AuditLog.append(
                .init(who: .house, action: Self.makeAction, result: .done, reason: .auditSigner), origin: .house, at: now, in: db)
            return sealed
        }
        key = try Self.opened(sealed, by: sealing)
        origin = AuditCheckpoint.origin(ofHouse: houseID)
    }

    /// What the trail calls it that a key was made.
    private static let makeAction = "key.make"

    /// Whether an entry tells that the house's was made.
    static func isCreation(by note: UnsealedAuditEntry) -> Bool { note.action == makeAction && note.reason == .auditSigner }

    /// The key by which a house's signatures are verified: the public half of the sealed one, so that nobody puts in another.
    static func publicKey(sealing: SealingKey, in db: Database) throws -> Curve25519.Signing.PublicKey? {
        try sealedKey(db).map { try opened($0, by: sealing).publicKey }
    }

    // MARK: From before

    /// What the trail calls it that a house became one of today. By this entry its key as it was sealed before, kept by somebody and put back, is an
    /// older one.
    private static let renewAction = "key.renew"

    /// Whether an entry tells so.
    static func isRenewal(by note: UnsealedAuditEntry) -> Bool { note.action == renewAction && note.reason == .auditSigner }

    /// How old a house is, by its key: only of one from before may something be gone without the trail telling of it.
    enum Generation: Sendable {
        /// It has none yet.
        case keyless
        /// It is as a hub left it that did not tell.
        case legacy
        case current
    }

    static func generation(sealing: SealingKey, in db: Database) throws -> Generation {
        guard let sealed = try sealedKey(db) else {
            // A house that has signed, and dropped what was signed, had one.
            let hasSigned = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM audit_segments) OR EXISTS (SELECT 1 FROM audit_checkpoints)")
            return hasSigned == true ? .current : .keyless
        }
        return opened(sealed, at: legacySealingLabel, by: sealing) == nil ? .current : .legacy
    }

    /// Has the house be one of today, and puts it on record: what went before stands there, and from here on nothing goes without an entry.
    static func renew(sealing: SealingKey, at now: Date, in db: Database) throws {
        guard let sealed = try sealedKey(db), let bytes = opened(sealed, at: legacySealingLabel, by: sealing) else { return }
        try db.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [try sealing.seal(bytes, for: sealingLabel)])
        try AuditLog.append(
            .init(who: .house, action: renewAction, result: .done, reason: .auditSigner), origin: .house, at: now, in: db)
    }

    private static func sealedKey(_ db: Database) throws -> Data? { try Data.fetchOne(db, sql: "SELECT key FROM audit_signer") }

    /// - Throws: `HouseKeyError.doesNotOpen` for what is no key of this house.
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
