import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Signing in with a key that never leaves its device. WebAuthn Level 3; what an answer must be is in `CardeaSecurity`.
public struct Passkeys: Sendable {
    let store: Store
    let sessions: Sessions
    let environment: HubEnvironment

    /// Passkeys per person.
    static let limit = 32

    public enum CredentialError: Error {
        case notFound
        case name(Name.NameError)
        case tooMany
        case alreadyRegistered
        /// An unknown challenge, or one that has expired or was answered before.
        case unknownChallenge
        /// Not a passkey of this house.
        case unknownPasskey
        case ended
        case refused(PasskeyError)
        /// Too many wrong ones from this address. A right one is accepted all the same.
        case throttled(TimeInterval)
    }

    // MARK: Making one

    /// The options with which a browser makes a passkey.
    public struct CreationOptions: Sendable {
        public let challenge: Data
        public let handle: Data
        public let username: String
        public let displayName: String
        /// Those that are there already, so that no device makes a second one.
        public let excluded: [Descriptor]
    }

    public struct Descriptor: Sendable {
        public let credentialID: Data
        public let transports: [String]
    }

    public func creationOptions(at party: RelyingParty, by principal: Principal, origin: RequestOrigin) async throws -> CreationOptions {
        let now = environment.now()
        return try await store.auditedWrite("passkey.add", by: principal, origin: origin, at: now) { context in
            let (id, sessionID) = try principal.asPerson()
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            guard let person = try PeopleRecords.one(id, context.db), let username = person.username else { throw CredentialError.notFound }
            guard try Self.count(of: id, context.db) < Self.limit else { throw CredentialError.tooMany }
            let known = try Row.fetchAll(
                context.db, sql: "SELECT credential_id, transports FROM passkeys WHERE person_id = ? AND rp_id = ? AND ended_at IS NULL",
                arguments: [id, party.id]
            ).map { Descriptor(credentialID: $0["credential_id"], transports: Self.transports($0["transports"])) }
            return CreationOptions(
                challenge: try PasskeyChallenges.make(.register, sessionID: sessionID, rpID: party.id, at: now, context.db),
                handle: try Self.handle(of: id, context.db), username: username, displayName: person.name, excluded: known)
        }
    }

    /// A browser's answer, as bytes.
    public struct Attestation: Sendable {
        public let clientDataJSON: Data
        public let attestationObject: Data
        public let transports: [String]

        public init(clientDataJSON: Data, attestationObject: Data, transports: [String]) {
            self.clientDataJSON = clientDataJSON
            self.attestationObject = attestationObject
            self.transports = transports
        }
    }

    /// Keeps the passkey that was made.
    ///
    /// - Parameter name: what its owner calls it; the device's own words when left out.
    public func register(
        _ made: Attestation, name: String?, at party: RelyingParty, by principal: Principal, origin: RequestOrigin
    ) async throws -> Passkey {
        let name = try name.map(Self.validated) ?? UserAgentText.text(userAgent: origin.agent)
        let (now, id) = (environment.now(), "passkey_" + environment.newID())
        // A wrong answer uses the challenge up too, so a refusal is an outcome of the transaction and does not undo it.
        let outcome = try await store.auditedWrite("passkey.add", by: principal, origin: origin, at: now) {
            context -> Result<Passkey, CredentialError> in
            let (personID, sessionID) = try principal.asPerson()
            try Sessions.requireOpen(sessionID, in: context.db)
            func refuse(_ reason: AuditReason, _ problem: CredentialError) throws -> Result<Passkey, CredentialError> {
                try AuditLog.append(.init(who: .person(personID), action: "passkey.add", result: .refused, reason: reason), in: context)
                return .failure(problem)
            }
            guard let challenge = PasskeyAssertion.challenge(in: made.clientDataJSON) else { return .failure(.refused(.malformed)) }
            guard try PasskeyChallenges.consume(challenge, .register, sessionID: sessionID, rpID: party.id, at: now, in: context.db) else {
                return try refuse(.unknownChallenge, .unknownChallenge)
            }
            let new: PasskeyRegistration
            do throws(PasskeyError) {
                new = try PasskeyRegistration(
                    clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject,
                    expected: .init(challenge: challenge, rpID: party.id, origins: party.origins))
            } catch {
                return try refuse(error.auditReason, .refused(error))
            }
            guard try Self.count(of: personID, context.db) < Self.limit else { return try refuse(.tooMany, .tooMany) }
            guard try Bool.fetchOne(context.db, sql: "SELECT 1 FROM passkeys WHERE credential_id = ?", arguments: [new.credentialID]) == nil
            else {
                return try refuse(.alreadyRegistered, .alreadyRegistered)
            }
            try context.db.execute(
                sql: """
                    INSERT INTO passkeys (id, person_id, credential_id, public_key, sign_count, rp_id, name, aaguid, transports,
                        is_backup_eligible, is_backed_up, created_at)
                    VALUES (?1, ?, ?, ?, ?, ?, sealed(?, 'passkeys.name', ?1), ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, personID, new.credentialID, new.publicKey, new.signCount, party.id, name, new.aaguid,
                    Self.text(made.transports), new.isBackupEligible, new.isBackedUp, now.milliseconds,
                ])
            try AuditLog.append(.init(who: .person(personID), action: "passkey.add", result: .done), in: context)
            return .success(try Self.one(id, of: personID, context.db).orThrow(CredentialError.notFound))
        }
        return try outcome.get()
    }

    // MARK: Using one

    /// Makes the challenge for a login with a passkey. The browser shows the passkeys it has for this domain; no user name is needed.
    public func requestChallenge(at party: RelyingParty) async throws -> Data {
        let now = environment.now()
        return try await store.read { try PasskeyChallenges.make(.login, sessionID: nil, rpID: party.id, at: now, $0) }
    }

    /// A browser's answer, as bytes.
    public struct Assertion: Sendable {
        public let credentialID: Data
        public let clientDataJSON: Data
        public let authenticatorData: Data
        public let signature: Data
        public let userHandle: Data?

        public init(credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data?) {
            self.credentialID = credentialID
            self.clientDataJSON = clientDataJSON
            self.authenticatorData = authenticatorData
            self.signature = signature
            self.userHandle = userHandle
        }
    }

    /// Wrong passwords do not throttle this: a passkey cannot be guessed. Only refusals are counted, so that they cannot fill the disk.
    public func login(_ assertion: Assertion, at party: RelyingParty, origin: RequestOrigin) async throws -> SessionTokens {
        let now = environment.now()
        let outcome = try await store.write(from: origin, at: now) { context -> Result<Sessions.StartedSession, CredentialError> in
            switch try verify(assertion, of: .stranger, party, "login", in: context) {
            case .failure(let problem): return .failure(problem)
            case .success(let personID):
                try AuditLog.append(.init(who: .person(personID), action: "login", result: .done, reason: .passkey), in: context)
                return .success(try sessions.start(personID: personID, by: .passkey, in: context))
            }
        }
        return try await sessions.tokens(try outcome.get())
    }

    /// Proves with the person's own passkey that they are present; returns the time until which that counts.
    public func stepUp(_ assertion: Assertion, at party: RelyingParty, by principal: Principal, origin: RequestOrigin) async throws -> Date
    {
        let now = environment.now()
        let outcome = try await store.auditedWrite("session.step_up", by: principal, origin: origin, at: now) {
            context -> Result<Date, CredentialError> in
            let (id, sessionID) = try principal.asPerson()
            switch try verify(assertion, of: .person(id), party, "session.step_up", in: context.anonymous) {
            case .failure(let problem): return .failure(problem)
            case .success(let personID) where personID != id:
                let reason = AuditReason.unknownPasskey
                return .failure(
                    try Self.recordRejection(.person(id), "session.step_up", reason, .unknownPasskey, in: context.anonymous))
            case .success:
                return .success(try Sessions.recordProof(sessionID, of: id, by: .passkey, in: context.anonymous))
            }
        }
        return try outcome.get()
    }

    /// Verifies an assertion and returns the person of the passkey. The challenge is used up in every case.
    ///
    /// - Parameter requester: the person or session, as far as it is known without the passkey.
    private func verify(
        _ assertion: Assertion, of requester: AuditLog.AuditActor, _ party: RelyingParty, _ action: String,
        in context: AnonymousTransactionContext
    ) throws -> Result<String, CredentialError> {
        func refuse(_ who: AuditLog.AuditActor, _ reason: AuditReason, _ problem: CredentialError) throws -> Result<String, CredentialError>
        {
            .failure(try Self.recordRejection(who, action, reason, problem, in: context))
        }
        guard let challenge = PasskeyAssertion.challenge(in: assertion.clientDataJSON),
            try PasskeyChallenges.consume(challenge, .login, sessionID: nil, rpID: party.id, at: context.now, in: context.db)
        else { return try refuse(requester, .unknownChallenge, .unknownChallenge) }
        let row = try Row.fetchOne(
            context.db,
            sql: """
                SELECT opened(k.name, 'passkeys.name', k.id) AS name, k.*, p.passkey_handle FROM passkeys k JOIN people p ON p.id = k.person_id
                WHERE k.credential_id = ? AND k.rp_id = ? AND p.removed_at IS NULL AND p.disabled = 0
                """, arguments: [assertion.credentialID, party.id])
        guard let row, let handle = assertion.userHandle, handle == row["passkey_handle"] else {
            return try refuse(requester, .unknownPasskey, .unknownPasskey)
        }
        let (id, personID): (String, String) = (row["id"], row["person_id"])
        guard row["ended_at"] == nil else { return try refuse(.person(personID), .passkeyEnded, .ended) }
        let stored = StoredPasskey(
            publicKey: row["public_key"], signCount: UInt32(clamping: row["sign_count"] as Int64),
            isBackupEligible: row["is_backup_eligible"])
        let used: PasskeyAssertion
        do throws(PasskeyError) {
            used = try PasskeyAssertion(
                clientDataJSON: assertion.clientDataJSON, authenticatorData: assertion.authenticatorData, signature: assertion.signature,
                by: stored,
                expected: .init(challenge: challenge, rpID: party.id, origins: party.origins))
        } catch {
            if error == .cloned { try Self.end(id, of: personID, in: context) }
            return try refuse(.person(personID), error.auditReason, .refused(error))
        }
        try context.db.execute(
            sql: "UPDATE passkeys SET sign_count = ?, is_backed_up = ?, last_used_at = ? WHERE id = ?",
            arguments: [used.signCount, used.isBackedUp, context.now.milliseconds, id])
        return .success(personID)
    }

    /// Counts a refused passkey and records it in the audit log.
    ///
    /// - Returns: `problem`, or the wait of an address that had too many of them.
    private static func recordRejection(
        _ who: AuditLog.AuditActor, _ action: String, _ reason: AuditReason, _ problem: CredentialError,
        in context: AnonymousTransactionContext
    ) throws -> CredentialError {
        let entry = AuditLog.Entry(who: who, action: action, result: .refused, reason: reason)
        let wait = try FailedAttemptLog.recordFailure(entry, in: context)
        return wait.map { CredentialError.throttled($0) } ?? problem
    }
}

// MARK: Own passkeys

extension Passkeys {
    public func all(of principal: Principal) async throws -> [Passkey] {
        let (id, _) = try principal.asPerson()
        return try await store.read { db in
            try Row.fetchAll(
                db, sql: "SELECT opened(name, 'passkeys.name', id) AS name, * FROM passkeys WHERE person_id = ? ORDER BY created_at, id",
                arguments: [id]
            )
            .map(Self.passkey)
        }
    }

    public func rename(_ id: String, to name: String, by principal: Principal, origin: RequestOrigin) async throws -> Passkey {
        let name = try Self.validated(name)
        let now = environment.now()
        return try await store.auditedWrite("passkey.rename", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            try context.db.execute(
                sql: "UPDATE passkeys SET name = sealed(?, 'passkeys.name', id) WHERE id = ? AND person_id = ?",
                arguments: [name, id, personID])
            guard context.db.changesCount == 1 else { throw CredentialError.notFound }
            try AuditLog.append(.init(who: .person(personID), action: "passkey.rename", result: .done), in: context)
            return try Self.one(id, of: personID, context.db).orThrow(CredentialError.notFound)
        }
    }

    public func remove(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("passkey.remove", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            try context.db.execute(sql: "DELETE FROM passkeys WHERE id = ? AND person_id = ?", arguments: [id, personID])
            guard context.db.changesCount == 1 else { throw CredentialError.notFound }
            try AuditLog.append(.init(who: .person(personID), action: "passkey.remove", result: .done), in: context)
        }
    }
}

// MARK: Rows

extension Passkeys {
    /// Ends a passkey that exists twice: the copy cannot be told from the original, so neither is accepted any more.
    private static func end(_ id: String, of personID: String, in context: AnonymousTransactionContext) throws {
        try context.db.execute(
            sql: "UPDATE passkeys SET ended_at = ?, end_reason = 'cloned' WHERE id = ? AND ended_at IS NULL",
            arguments: [context.now.milliseconds, id])
        try AuditLog.append(.init(who: .person(personID), action: "passkey.end", result: .done, reason: .cloned), in: context)
    }

    private static func count(of personID: String, _ db: Database) throws -> Int {
        try String.fetchAll(db, sql: "SELECT id FROM passkeys WHERE person_id = ?", arguments: [personID]).count
    }

    private static func handle(of personID: String, _ db: Database) throws -> Data {
        try db.execute(
            sql: "UPDATE people SET passkey_handle = ? WHERE id = ? AND passkey_handle IS NULL",
            arguments: [SecretGenerator.randomBytes(32), personID])
        return try Data.fetchOne(db, sql: "SELECT passkey_handle FROM people WHERE id = ?", arguments: [personID]).orThrow(
            CredentialError.notFound)
    }

    private static func one(_ id: String, of personID: String, _ db: Database) throws -> Passkey? {
        try Row.fetchOne(
            db, sql: "SELECT opened(name, 'passkeys.name', id) AS name, * FROM passkeys WHERE id = ? AND person_id = ?",
            arguments: [id, personID]
        ).map(passkey)
    }

    private static func passkey(_ row: Row) -> Passkey {
        Passkey(
            id: row["id"], name: row["name"], rpID: row["rp_id"], isBackedUp: row["is_backed_up"],
            createdAt: Date(milliseconds: row["created_at"]), lastUsedAt: (row["last_used_at"] as Int64?).map(Date.init(milliseconds:)),
            endedAt: (row["ended_at"] as Int64?).map(Date.init(milliseconds:)), endReason: row["end_reason"])
    }

    /// Only the words that there are; a hint for the browser and nothing more.
    private static func text(_ transports: [String]) -> String {
        ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"].filter(transports.contains).joined(separator: " ")
    }

    private static func transports(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static func validated(_ name: String) throws -> String {
        do { return try Name.check(name) } catch { throw CredentialError.name(error) }
    }
}

extension PasskeyError {
    var auditReason: AuditReason {
        switch self {
        case .malformed: .malformed
        case .wrongType: .wrongType
        case .wrongChallenge: .wrongChallenge
        case .wrongOrigin: .wrongOrigin
        case .crossOrigin: .crossOrigin
        case .wrongRelyingParty: .wrongRelyingParty
        case .userNotPresent: .userNotPresent
        case .userNotVerified: .userNotVerified
        case .invalidKey: .invalidKey
        case .unsupportedAlgorithm: .unsupportedAlgorithm
        case .unsupportedAttestation: .unsupportedAttestation
        case .wrongSignature: .wrongSignature
        case .changedEligibility: .changedEligibility
        case .cloned: .cloned
        }
    }
}
