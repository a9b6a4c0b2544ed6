import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The sessions, read once and cached until anything about sessions or people is committed. Every request is checked here, so an ended
/// session is refused at the next request.
final class SessionCache: Sendable {
    struct Session: Sendable {
        let person: Person
        let expiresAt: Date
        /// The phone of the session; nil for other sessions.
        let phoneID: String?
    }

    /// An API token and its maker.
    struct Token: Sendable {
        let id: String
        let maker: Person
        let grant: Grant
    }

    private let store: Store
    private let watch: TableChangeCounter
    private let sessions = Mutex<(commits: Int, sessions: [String: Session])>((0, [:]))
    private let tokens = Mutex<(commits: Int, tokens: [Data: Token])>((0, [:]))
    /// The last use of each session. It is only shown in lists, so a restart may lose it: the row holds the last renewal.
    private let lastUses = Mutex<[String: Date]>([:])

    init(store: Store) {
        self.store = store
        watch = store.observe(["sessions", "people", "api_tokens", "phones"])
    }

    func lastUse(of id: String) -> Date? {
        lastUses.withLock { $0[id] }
    }

    private func markUsed(_ id: String, at now: Date) {
        lastUses.withLock { uses in
            if uses.count >= 4096 { uses.removeAll(keepingCapacity: true) }
            uses[id] = now
        }
    }

    /// The person of a session that has not ended, who still lives here.
    func person(of sessionID: String, at now: Date) async throws -> Person? {
        try await session(sessionID, at: now)?.person
    }

    /// Returns whether the session is open and belongs to a phone.
    func isPhone(_ sessionID: String, at now: Date) async throws -> Bool {
        try await session(sessionID, at: now)?.phoneID != nil
    }

    /// The session, while it has not ended and its person is of the house.
    func session(_ sessionID: String, at now: Date) async throws -> Session? {
        // Counted before the read: a commit in between makes this result old at once, never the other way round.
        let commits = watch.changeCount
        markUsed(sessionID, at: now)
        var known = sessions.withLock { $0.commits == commits ? $0.sessions[sessionID] : nil }
        if known == nil {
            known = try await store.read { try Self.read(sessionID, $0) }
            guard let known else { return nil }
            sessions.withLock { stored in
                if stored.commits != commits || stored.sessions.count >= 1024 { stored = (commits, [:]) }
                stored.sessions[sessionID] = known
            }
        }
        return known.flatMap { now < $0.expiresAt ? $0 : nil }
    }

    /// The token with this digest, while it is not revoked and its maker is of the house. Whether its time is over is the caller's
    /// question.
    func token(_ digest: Data, at now: Date) async throws -> Token? {
        let commits = watch.changeCount
        if let known = tokens.withLock({ $0.commits == commits ? $0.tokens[digest] : nil }) {
            markUsed(known.id, at: now)
            return known
        }
        let token = try await store.read { db -> Token? in
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT opened(name, 'api_tokens.name', id) AS name, * FROM api_tokens WHERE hash = ? AND revoked_at IS NULL"),
                arguments: [digest])
            guard let row, let maker = try PeopleRecords.one(row["person_id"], db), !maker.isDisabled else { return nil }
            return Token(id: row["id"], maker: maker, grant: try APITokens.token(row).grant(of: maker))
        }
        guard let token else { return nil }
        markUsed(token.id, at: now)
        tokens.withLock { tokens in
            if tokens.commits != commits || tokens.tokens.count >= 256 { tokens = (commits, [:]) }
            tokens.tokens[digest] = token
        }
        return token
    }

    private static func read(_ id: String, _ db: Database) throws -> Session? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT s.person_id, s.expires_at, s.signed_in_by = 'phone' AS is_phone, p.id AS phone_id FROM sessions s
                    LEFT JOIN phones p ON p.session_id = s.id WHERE s.id = ? AND s.ended_at IS NULL
                    """), arguments: [id])
        guard let row, let person = try PeopleRecords.one(row["person_id"], db), !person.isDisabled else { return nil }
        // A phone's session without its phone is invalid.
        let phoneID: String? = row["phone_id"]
        guard row["is_phone"] == (phoneID != nil) else { return nil }
        return Session(person: person, expiresAt: Date(milliseconds: row["expires_at"]), phoneID: phoneID)
    }
}
