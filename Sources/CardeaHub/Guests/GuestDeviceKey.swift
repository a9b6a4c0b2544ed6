import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The key that the phone with a pass has, and the token it was given.
struct GuestDeviceKey: Sendable {
    /// SHA-256.
    let tokenDigest: Data
    let key: GuestPublicKey
    /// True if the phone uses the key only after it has verified its user.
    let verifies: Bool

    /// Seconds by which a guest's clock may differ from the house's.
    static let clockSkew: TimeInterval = 30

    /// The key of the phone that has the pass now; nil if the pass is bound to none.
    static func of(_ guestID: String, _ db: Database) throws -> GuestDeviceKey? {
        guard
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql:
                        "SELECT hash, device_id, public_key, verifies FROM guest_tokens WHERE guest_id = ? AND replaced_at IS NULL AND public_key IS NOT NULL"
                ), arguments: [guestID])
        else { return nil }
        // A key that cannot be read opens nothing; it does not make the pass an unbound one.
        return GuestDeviceKey(
            tokenDigest: row["hash"],
            key: try GuestPublicKey(deviceID: row["device_id"], bytes: row["public_key"]).orThrow(CommandRefusal.proof(.invalid)),
            verifies: row["verifies"])
    }

    /// The name of a token, which says nothing of it.
    static func jti(of token: Data) -> String { Base64URL.encode(token.prefix(16)) }

    /// Throws unless the proof shows that the requester holds the key. A valid proof is used up.
    func check(_ requestProof: RequestProof?, _ nonces: ActionNonces, at now: Date) throws(ProofRefusal) {
        guard let requestProof else { throw .required }
        guard let proof = ActionProof(header: requestProof.header),
            proof.matches(method: requestProof.method, path: requestProof.path, body: requestProof.body),
            proof.jti == Self.jti(of: tokenDigest), proof.deviceID == key.deviceID, key.signed(proof.signedBytes, requestProof.signature)
        else { throw .invalid }
        // Only the holder of the key learns more than that.
        let signedAt = Date(timeIntervalSince1970: TimeInterval(proof.ts))
        guard abs(now.timeIntervalSince(signedAt)) <= Self.clockSkew else { throw .clockSkew }
        if let refusal = nonces.spend(proof.nonce, of: tokenDigest, at: now) { throw refusal }
    }

    /// Throws if a pass requires the phone to verify its owner, and the phone did not prove that it has. The authenticator signs the very
    /// proof that the phone's key has signed, so the signature for one opening is not valid for another.
    static func checkPresence(_ requestProof: RequestProof?, of guestID: String, in db: Database) throws {
        guard try GuestRecords.presence(guestID, db) == .verified else { return }
        guard let key = try of(guestID, db) else { throw CommandRefusal.proof(.presenceRequired) }
        if key.verifies { return }
        guard let requestProof, let presence = requestProof.presence, let proof = ActionProof(header: requestProof.header),
            let passkey = try GuestPasskey.of(guestID, db)
        else { throw CommandRefusal.proof(.presenceRequired) }
        let answer = Passkeys.Assertion(
            credentialID: Data(), clientDataJSON: presence.clientDataJSON, authenticatorData: presence.authenticatorData,
            signature: presence.signature, userHandle: nil)
        do {
            try passkey.check(answer, about: Data(SHA256.hash(data: proof.signedBytes)), at: presence.party, in: db)
        } catch is PasskeyError { throw CommandRefusal.proof(.presenceInvalid) }
    }
}
