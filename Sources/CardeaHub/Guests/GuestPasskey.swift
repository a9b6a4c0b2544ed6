import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The passkey of the phone that has a pass: it proves who is at the door, and that a phone which lost its pass is the one that had it.
struct GuestPasskey: Sendable {
    let guestID: String
    private let credentialID: Data
    private let rpID: String
    private let storedPasskey: StoredPasskey

    /// One that was made for a pass, and is not kept yet.
    struct Registration: Sendable {
        let registration: PasskeyRegistration
        let rpID: String
    }

    // MARK: Making one

    /// Reads a passkey that was made while a code is redeemed. Its challenge is the SHA-256 of the code: the code is good once, and so is
    /// what was made for it.
    ///
    /// - Throws: `PasskeyError`, also if its owner was not verified.
    static func makeRegistration(_ made: Passkeys.Attestation, for code: String, at party: RelyingParty) throws(PasskeyError)
        -> Registration
    {
        let challenge = Data(SHA256.hash(data: Data(code.utf8)))
        return Registration(
            registration: try PasskeyRegistration(
                clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject,
                expected: .init(challenge: challenge, rpID: party.id, origins: party.origins)), rpID: party.id)
    }

    /// Stores it in place of the pass's previous one; nil deletes that.
    static func save(_ new: Registration?, for guestID: String, at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM guest_passkeys WHERE guest_id = ?", arguments: [guestID])
        guard let new else { return }
        let made = new.registration
        // A known passkey belongs to another pass or to a resident: this phone has none of its own then.
        let isKnown = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM guest_passkeys WHERE credential_id = ?1) OR EXISTS (SELECT 1 FROM passkeys WHERE credential_id = ?1)
                """, arguments: [made.credentialID])
        guard isKnown == false else { throw GuestAccess.GuestAccessError.verificationRequired }
        try db.execute(
            sql: """
                INSERT INTO guest_passkeys (guest_id, credential_id, public_key, sign_count, rp_id, is_backup_eligible, made_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                guestID, made.credentialID, made.publicKey, made.signCount, new.rpID, made.isBackupEligible, now.milliseconds,
            ])
    }

    // MARK: Using one

    static func of(_ guestID: String, _ db: Database) throws -> GuestPasskey? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM guest_passkeys WHERE guest_id = ?"), arguments: [guestID]).map(Self.init)
    }

    static func one(_ credentialID: Data, at party: RelyingParty, _ db: Database) throws -> GuestPasskey? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM guest_passkeys WHERE credential_id = ? AND rp_id = ?", arguments: [credentialID, party.id]
        ).map(Self.init)
    }

    private init(_ row: Row) {
        guestID = row["guest_id"]
        credentialID = row["credential_id"]
        rpID = row["rp_id"]
        storedPasskey = StoredPasskey(
            publicKey: row["public_key"], signCount: UInt32(clamping: row["sign_count"] as Int64),
            isBackupEligible: row["is_backup_eligible"])
    }

    /// Believes an answer about `challenge`, and counts it.
    ///
    /// - Throws: `PasskeyError`
    func check(_ assertion: Passkeys.Assertion, about challenge: Data, at party: RelyingParty, in db: Database) throws {
        guard party.id == rpID else { throw PasskeyError.wrongRelyingParty }
        let used = try PasskeyAssertion(
            clientDataJSON: assertion.clientDataJSON, authenticatorData: assertion.authenticatorData, signature: assertion.signature,
            by: storedPasskey,
            expected: .init(challenge: challenge, rpID: party.id, origins: party.origins))
        try db.execute(
            sql: "UPDATE guest_passkeys SET sign_count = ? WHERE credential_id = ?", arguments: [used.signCount, credentialID])
    }
}

extension GuestAccess {
    /// Restores the pass of a phone that has lost it: the phone presents the passkey that was made with the pass. It spends no use and
    /// needs no approval, since this phone was approved before.
    ///
    /// - Parameter key: a new device key; the one before is invalid from now on.
    public func restore(
        _ assertion: Passkeys.Assertion, key: GuestPublicKey, at party: RelyingParty, origin: RequestOrigin
    ) async throws -> (token: Secret, pass: PresentedPass) {
        let now = environment.now()
        guard !clock.isBehind(at: now) else { throw GuestAccessError.clockBehind }
        let restored = try await store.write(from: origin, at: now) { context -> Result<(String, Secret), GuestAccessError> in
            func unknown() throws -> Result<(String, Secret), GuestAccessError> {
                let entry = AuditLog.Entry(who: .stranger, action: "pair", result: .refused, reason: .unknownPasskey)
                let wait = try FailedAttemptLog.recordFailure(entry, in: context)
                return .failure(wait.map { GuestAccessError.throttled($0) } ?? .unauthorized)
            }
            guard let challenge = PasskeyAssertion.challenge(in: assertion.clientDataJSON),
                try PasskeyChallenges.consume(challenge, .login, sessionID: nil, rpID: party.id, at: now, in: context.db),
                let passkey = try GuestPasskey.one(assertion.credentialID, at: party, context.db),
                let guest = try GuestRecords.one(passkey.guestID, context.db)
            else { return try unknown() }
            do { try passkey.check(assertion, about: challenge, at: party, in: context.db) } catch is PasskeyError { return try unknown() }
            switch Gate.validityRefusal(of: guest.grant, at: now) {
            case .none, .suspended, .notYetValid: break
            case .some(let refusal): return .failure(try reject(refusal, guest, in: context))
            }
            if guest.grant.localOnly && !origin.isLocal { return .failure(try reject(.forbiddenRemote, guest, in: context)) }
            return .success((guest.id, try assign(guest, to: key, in: context)))
        }
        let (guestID, token) = try restored.get()
        return (token, try await pass(of: .guest(id: guestID)))
    }
}
