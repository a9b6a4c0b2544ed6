import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Signing in, staying signed in, and signing out.
public struct Sessions: Sendable {
    let store: Store
    let passwordHasher: PasswordHasher
    let accessTokens: AccessTokens
    let sealing: SealingKey
    let live: SessionCache
    let environment: HubEnvironment

    static let idle = SessionLifetime.idle
    static let absolute = SessionLifetime.absolute
    /// Seconds for which a lost answer may be requested again; a later use of the same token means that it was copied.
    static let grace: TimeInterval = 30

    public enum SessionError: Error {
        case invalidCredentials
        case throttled(TimeInterval)
        /// Too many are signing in at once.
        case busy
        /// Not a token of this hub, or its session has ended.
        case unauthorized
        case expired
        /// A token that was used up came again: the whole family is over.
        case reused
        /// The proof of the key that the session is bound to is of another moment: this is to be signed.
        case staleProof(nonce: String)
        /// The token of an erased person: its client must keep nothing of the house.
        case erased
        /// Requires a password or a passkey presented just now.
        case stepUpRequired
        /// The same, because the automation opens a door on evidence that others can produce.
        case stepUpToOpen(on: Set<AutomationTrigger.Evidence>)
        case noSuchSession
    }

    // MARK: Signing in

    public func login(username: String, password: Secret, origin: RequestOrigin) async throws -> SessionTokens {
        let now = environment.now()
        let forms = UserName.candidates(username)
        let (guesses, wait, isKnown, found) = try await store.read { db in
            let account = try forms.first { try PeopleRecords.usernameExists($0, db) } ?? UserName.prepared(username)
            let isKnown = try Self.hasSignedIn(account, from: origin, db)
            let guesses = try PasswordThrottleKeys(at: account, isKnown: isKnown, origin, db)
            let wait = try ThrottleRecords.wait(guesses.allKeys, at: now, in: db)
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT id, password_hash, disabled FROM people
                    WHERE username_mark = marked(?, 'people.username') AND removed_at IS NULL
                    """, arguments: [account])
            return (
                guesses, wait, isKnown,
                row.map { (id: $0["id"] as String, hash: $0["password_hash"] as String?, disabled: $0["disabled"] as Bool) }
            )
        }
        if let wait { throw SessionError.throttled(wait) }
        let match = try await passwordHasher.verify(password, against: found?.hash, isKnown: isKnown)
        guard let match, let found, !found.disabled else {
            try await store.write(from: origin, at: now) { context in
                try Self.requireNotThrottled(guesses.allKeys, at: now, in: context.db)
                for (scope, subject) in guesses.allKeys { try ThrottleRecords.recordFailure(scope, subject, at: now, in: context.db) }
                try AuditLog.append(
                    .init(who: found.map { .person($0.id) } ?? .stranger, action: "login", result: .refused, reason: .invalidCredentials),
                    in: context)
            }
            throw SessionError.invalidCredentials
        }
        let rehashed: String? = if let form = match.rehash { try await passwordHasher.hash(form) } else { nil }
        let begun = try await store.write(from: origin, at: now) { context in
            try Self.requireNotThrottled(guesses.allKeys, at: now, in: context.db)
            try Self.requireUnchanged(found.id, found.hash, in: context.db)
            for (scope, subject) in guesses.accountKeys { try ThrottleRecords.reset(scope, subject, in: context.db) }
            if let rehashed {
                try context.db.execute(sql: "UPDATE people SET password_hash = ? WHERE id = ?", arguments: [rehashed, found.id])
            }
            try AuditLog.append(.init(who: .person(found.id), action: "login", result: .done), in: context)
            return try start(personID: found.id, by: .password, in: context)
        }
        return try await tokens(begun)
    }

    /// Throws if other guesses failed while this one was being checked: only one is accepted at a time.
    static func requireNotThrottled(_ guesses: [(ThrottleRecords.Scope, String)], at now: Date, in db: Database) throws {
        if let wait = try ThrottleRecords.wait(guesses, at: now, in: db) { throw SessionError.throttled(wait) }
    }

    /// Throws if the person was removed, or their password changed, while it was being checked.
    private static func requireUnchanged(_ personID: String, _ hash: String?, in db: Database) throws {
        let isUnchanged = try Bool.fetchOne(
            db, sql: "SELECT 1 FROM people WHERE id = ? AND removed_at IS NULL AND disabled = 0 AND password_hash IS ?",
            arguments: [personID, hash])
        guard isUnchanged == true else { throw SessionError.invalidCredentials }
    }

    /// A session that has begun, before its access token is signed.
    struct StartedSession: Sendable {
        let personID: String
        let sessionID: String
        /// The phone of the session; nil for other sessions.
        var phoneID: String?
        let refresh: Secret
        let at: Date
    }

    /// - Parameter phone: the phone whose session it is. Such a session starts without a proof of the person's identity.
    func start(
        personID: String, by signIn: SignInMethod, phone: (id: String, name: String)? = nil, in context: AnonymousTransactionContext
    ) throws -> StartedSession {
        let id = "session_" + environment.newID()
        try context.db.execute(
            sql: """
                INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at, device, remote, remote_mark, is_local, signed_in_by,
                    proven_at, proven_by, key_thumbprint)
                VALUES (?1, ?2, ?3, ?4, ?5, sealed(?6, 'sessions.device', ?1), sealed(?7, 'sessions.remote', ?1),
                    marked(?7, 'sessions.remote'), ?8, ?9, ?10, ?11, ?12)
                """,
            arguments: [
                id, personID, context.now.milliseconds, context.now.addingTimeInterval(Self.absolute).milliseconds,
                context.now.milliseconds, phone?.name ?? UserAgentText.text(userAgent: context.origin.agent), context.origin.remote,
                context.origin.isLocal, signIn.rawValue, phone == nil ? context.now.milliseconds : nil,
                phone == nil ? signIn.rawValue : nil, phone == nil ? context.origin.keyThumbprint : nil,
            ])
        try context.db.execute(sql: "UPDATE people SET last_seen_at = ? WHERE id = ?", arguments: [context.now.milliseconds, personID])
        return StartedSession(
            personID: personID, sessionID: id, phoneID: phone?.id,
            refresh: try newRefreshToken(id, ofPhone: phone != nil, at: context.now, in: context.db), at: context.now)
    }

    func tokens(_ begun: StartedSession) async throws -> SessionTokens {
        let access = try await accessTokens.make(
            personID: begun.personID, sessionID: begun.sessionID, phoneID: begun.phoneID, at: begun.at)
        return SessionTokens(
            access: access, refresh: begun.refresh, expiresIn: Int(AccessTokens.lifetime), phoneID: begun.phoneID)
    }

    // MARK: Refreshing

    /// Returns the principal of an access token. The session is looked up at every request, so ending it acts at once.
    /// An API token that is unknown or expired is recorded in the audit log with the request's origin.
    public func authenticate(_ token: Secret, origin: RequestOrigin) async throws -> Principal {
        let now = environment.now()
        if token.reveal().hasPrefix(TokenKind.api.rawValue) { return try await authenticateProgram(token, origin: origin, at: now) }
        let claims: AccessTokens.Claims
        do {
            claims = try await accessTokens.verify(token, at: now)
        } catch AccessTokens.AccessTokenError.expired {
            throw SessionError.expired
        } catch is AccessTokens.AccessTokenError {
            try await recordUnknownToken("access_token", origin: origin, at: now)
            throw SessionError.unauthorized
        }
        // A phone's token is valid for a phone's session, and a person's for a person's.
        guard let session = try await live.session(claims.sid, at: now), session.person.id == claims.personID,
            session.phoneID == claims.phoneID
        else { throw SessionError.unauthorized }
        return .person(id: claims.personID, sessionID: claims.sid)
    }

    /// Authenticates an API token.
    private func authenticateProgram(_ token: Secret, origin: RequestOrigin, at now: Date) async throws -> Principal {
        guard let known = try await live.token(token.digest, at: now), known.grant.expiresAt.map({ now < $0 }) ?? true else {
            try await recordUnknownToken("api_token", origin: origin, at: now)
            throw SessionError.unauthorized
        }
        return .apiToken(id: known.id, personID: known.maker.id)
    }

    /// Records the use of an unknown token in the audit log.
    private func recordUnknownToken(_ action: String, origin: RequestOrigin, at now: Date) async throws {
        try await store.write(from: origin, at: now) { try FailedAttemptLog.recordRefusal(action, reason: .unauthorized, in: $0) }
    }

    private enum RefreshResult: Sendable {
        case started(StartedSession)
        case refused(SessionError)
    }

    /// The kind of client that presents a refresh token.
    public enum TokenHolder: Sendable {
        /// A resident, in a program of theirs.
        case person
        /// A resident in a browser that signed the request, with the key of the session and for this very token.
        case browser(keyThumbprint: Data, nonce: String?)
        /// A phone, with the name it has for itself or the hub has for it, from those that say it: then it must be theirs.
        case phone(deviceID: String?)
    }

    /// Trades a refresh token for the next one. A phone's is good where phones ask, and no other is.
    public func refresh(_ token: Secret, of holder: TokenHolder = .person, origin: RequestOrigin) async throws -> SessionTokens {
        let now = environment.now()
        switch try await store.write(from: origin, at: now, { try rotate(token, of: holder, in: $0) }) {
        case .refused(let problem): throw problem
        case .started(let begun): return try await tokens(begun)
        }
    }

    private func rotate(_ token: Secret, of holder: TokenHolder, in context: AnonymousTransactionContext) throws -> RefreshResult {
        let row = try Row.fetchOne(
            context.db,
            sql: """
                SELECT r.*, s.person_id, s.key_thumbprint, s.ended_at, s.expires_at AS session_expires_at, p.disabled,
                    s.signed_in_by = 'phone' AS is_phone, ph.id AS phone_id, ph.device_hash FROM refresh_tokens r
                JOIN sessions s ON s.id = r.session_id JOIN people p ON p.id = s.person_id LEFT JOIN phones ph ON ph.session_id = s.id
                WHERE r.hash = ?
                """, arguments: [token.digest])
        if row == nil, try ReplicaRecords.isErased(token.digest, in: context.db) { return .refused(.erased) }
        guard let row, Self.matches(holder, row) else {
            guard case .phone = holder else {
                try FailedAttemptLog.recordRefusal("session.refresh", reason: .unauthorized, in: context)
                return .refused(.unauthorized)
            }
            return .refused(try FailedAttemptLog.recordFailure(in: context).map { .throttled($0) } ?? .unauthorized)
        }
        if case .browser(_, let nonce) = holder, nonce != SessionTokens.nonce(of: token) {
            return .refused(.staleProof(nonce: SessionTokens.nonce(of: token)))
        }
        let phoneID: String? = row["phone_id"]
        let (sessionID, personID): (String, String) = (row["session_id"], row["person_id"])
        guard row["ended_at"] == nil, row["disabled"] == false, row["session_expires_at"] as Int64 > context.now.milliseconds,
            row["expires_at"] as Int64 > context.now.milliseconds
        else {
            try AuditLog.append(
                .init(who: .person(personID), action: "session.refresh", result: .refused, reason: .sessionOver), in: context)
            return .refused(.unauthorized)
        }
        if let usedAt = row["used_at"] as Int64? {
            if let successor = try unusedSuccessor(row, usedAt: usedAt, at: context.now, in: context.db) {
                return .started(
                    StartedSession(personID: personID, sessionID: sessionID, phoneID: phoneID, refresh: successor, at: context.now))
            }
            try Self.end(sessionID, reason: "refresh_token_reused", at: context.now, in: context.db)
            try AuditLog.append(
                .init(who: .person(personID), action: "session.refresh", result: .refused, reason: .tokenReused), in: context)
            return .refused(.reused)
        }
        try context.db.execute(
            sql: "UPDATE refresh_tokens SET used_at = ? WHERE hash = ?", arguments: [context.now.milliseconds, token.digest])
        let next = try newRefreshToken(sessionID, ofPhone: phoneID != nil, at: context.now, in: context.db)
        try context.db.execute(
            sql: "UPDATE refresh_tokens SET successor_hash = ?, successor_sealed = ? WHERE hash = ?",
            arguments: [next.digest, try sealing.seal(Data(next.reveal().utf8), for: Self.sealingLabel(token.digest)), token.digest])
        // Only the immediately preceding token may be used again.
        try context.db.execute(
            sql: "UPDATE refresh_tokens SET successor_sealed = NULL WHERE session_id = ? AND successor_hash = ?",
            arguments: [sessionID, token.digest])
        try context.db.execute(sql: "UPDATE sessions SET last_used_at = ? WHERE id = ?", arguments: [context.now.milliseconds, sessionID])
        try context.db.execute(sql: "UPDATE people SET last_seen_at = ? WHERE id = ?", arguments: [context.now.milliseconds, personID])
        return .started(StartedSession(personID: personID, sessionID: sessionID, phoneID: phoneID, refresh: next, at: context.now))
    }

    private static func matches(_ holder: TokenHolder, _ row: Row) -> Bool {
        switch holder {
        // A cookie is sent to every port of its host; another program there that receives it does not have the key.
        case .person: return row["is_phone"] == false && (row["key_thumbprint"] as Data?) == nil
        case .browser(let key, _): return (row["key_thumbprint"] as Data?) == key
        case .phone(let id):
            guard row["is_phone"] == true else { return false }
            guard let id, row["ended_at"] == nil else { return true }
            return row["phone_id"] == id || PhoneDescription.deviceID(id).map { row["device_hash"] == Secret($0).digest } == true
        }
    }

    /// Returns the successor of a token whose answer may have been lost: within the grace period, and only if it was not used.
    private func unusedSuccessor(_ row: Row, usedAt: Int64, at now: Date, in db: Database) throws -> Secret? {
        guard now.milliseconds - usedAt <= Int64(Self.grace * 1000), let sealed = row["successor_sealed"] as Data?,
            let successor = row["successor_hash"] as Data?,
            try Bool.fetchOne(db, sql: "SELECT used_at IS NULL FROM refresh_tokens WHERE hash = ?", arguments: [successor]) == true
        else { return nil }
        return Secret(String(decoding: try sealing.open(sealed, for: Self.sealingLabel(row["hash"])), as: UTF8.self))
    }

    private func newRefreshToken(_ sessionID: String, ofPhone: Bool, at now: Date, in db: Database) throws -> Secret {
        let token = SecretGenerator.token(ofPhone ? .phoneRefresh : .refresh)
        try db.execute(
            sql: "INSERT INTO refresh_tokens (hash, session_id, expires_at) VALUES (?, ?, ?)",
            arguments: [token.digest, sessionID, now.addingTimeInterval(Self.idle).milliseconds])
        return token
    }

    private static func sealingLabel(_ digest: Data) -> String { "refresh_tokens/\(digest.base64EncodedString())/successor" }

    // MARK: Signing out

    /// Ends the session of a refresh token. Knowing none is no error: signed out is signed out.
    ///
    /// - Parameter keyThumbprint: of the key that signed the request, if the token came in a cookie: it must be the session's own.
    public func logout(refresh token: Secret, keyThumbprint: Data? = nil, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.write(from: origin, at: now) { context in
            let row = try Row.fetchOne(
                context.db,
                sql: """
                    SELECT s.id, s.person_id FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
                    WHERE r.hash = ?1 AND (?2 IS NULL OR s.key_thumbprint = ?2)
                    """, arguments: [token.digest, keyThumbprint])
            if let row { try Self.end(row["id"], of: row["person_id"], in: context) }
        }
    }

    /// Ends the browser sessions from before sessions were bound to a key: their cookie may have been sent to another port of the host,
    /// where a program could use it.
    func endSessionsWithoutKey(at now: Date) async throws -> Int {
        let isDone = try await store.read { try Bool.fetchOne($0, sql: "SELECT 1 FROM sessions WHERE length(key_thumbprint) = 0") != true }
        guard !isDone else { return 0 }
        return try await store.write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, person_id, opened(device, 'sessions.device', id) AS device FROM sessions
                    WHERE length(key_thumbprint) = 0 AND ended_at IS NULL
                    """)
            let unbound = rows.filter { UserAgentText.isBrowser($0["device"] ?? "") }
            for row in unbound {
                try Self.end(row["id"], reason: "unbound", at: now, in: db)
                try AuditLog.append(
                    .init(who: .house, action: "session.end", grantID: "role:\(row["person_id"] as String)", result: .done),
                    in: .house(db, at: now))
            }
            try db.execute(sql: "UPDATE sessions SET key_thumbprint = NULL WHERE length(key_thumbprint) = 0")
            return unbound.count
        }
    }

    public func logout(_ principal: Principal, origin: RequestOrigin) async throws {
        guard case .person(let id, let sessionID) = principal else { return }
        let now = environment.now()
        try await store.write(from: origin, at: now) { try Self.end(sessionID, of: id, in: $0) }
    }

    static func endAll(of personID: String, except: String? = nil, reason: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE person_id = ? AND ended_at IS NULL AND id IS NOT ?",
            arguments: [now.milliseconds, reason, personID, except])
    }

    private static func end(_ sessionID: String, of personID: String, in context: AnonymousTransactionContext) throws {
        try end(sessionID, reason: "logout", at: context.now, in: context.db)
        try AuditLog.append(.init(who: .person(personID), action: "logout", result: .done), in: context)
    }

    static func end(_ sessionID: String, reason: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL",
            arguments: [now.milliseconds, reason, sessionID])
    }

    /// Looks up marks only, so that the time it takes does not reveal whether the account exists.
    private static func hasSignedIn(_ account: String, from origin: RequestOrigin, _ db: Database) throws -> Bool {
        guard let remote = origin.remote else { return false }
        return try Bool.fetchOne(
            db,
            sql: """
                SELECT 1 FROM people p JOIN sessions s ON s.person_id = p.id
                WHERE p.username_mark = marked(?, 'people.username') AND s.remote_mark = marked(?, 'sessions.remote') LIMIT 1
                """, arguments: [account, remote]) == true
    }
}

/// The keys by which wrong passwords for one account, from one place, are counted.
private struct PasswordThrottleKeys: Sendable {
    /// The keys that are throttled, and that a wrong password counts up.
    let allKeys: [(ThrottleRecords.Scope, String)]
    /// The keys that a right password clears: those of the account. An address is shared; a successful login from it does not prove who
    /// guessed at other accounts.
    let accountKeys: [(ThrottleRecords.Scope, String)]

    init(at account: String, isKnown: Bool, _ origin: RequestOrigin, _ db: Database) throws {
        let name: (ThrottleRecords.Scope, String) = (.account, try ThrottleRecords.accountSubject(account, db))
        guard let remote = origin.network else {
            (allKeys, accountKeys) = ([name], [name])
            return
        }
        let there: (ThrottleRecords.Scope, String) = (.accountThere, try ThrottleRecords.accountSubject(account, at: remote, db))
        // Failures of others, from elsewhere or behind the same address, do not keep a person out where they have signed in before.
        allKeys = isKnown ? [there] : [name, (.address, remote)]
        accountKeys = [name, there]
    }
}
