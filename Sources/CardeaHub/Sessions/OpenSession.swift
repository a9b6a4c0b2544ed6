import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A session as its owner knows it: what it was begun with, from where, and when it was last used.
public struct OpenSession: Hashable, Sendable {
    public let id: String
    /// In words: `Firefox on Linux`.
    public let device: String
    public let address: String?
    public let isLocal: Bool
    public let signedInBy: SignInMethod
    public let createdAt: Date
    public let lastUsedAt: Date
    public let expiresAt: Date
    /// True if it is the session that asks.
    public let isCurrent: Bool
}

/// Lists and ends sessions: one's own, and those of people one manages.
extension Sessions {
    /// - Parameter personID: the person; nil for the principal's own sessions.
    public func open(of personID: String? = nil, seenBy principal: Principal) async throws -> [OpenSession] {
        let now = environment.now()
        return try await store.read { db in
            let id = try Self.owner(personID, askedBy: principal, in: db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT opened(device, 'sessions.device', id) AS device, opened(remote, 'sessions.remote', id) AS remote, * FROM sessions
                    WHERE person_id = ? AND ended_at IS NULL AND expires_at > ? AND last_used_at > ?
                    ORDER BY last_used_at DESC, id
                    """, arguments: [id, now.milliseconds, now.addingTimeInterval(-Self.idle).milliseconds]
            ).map { session($0, principal) }
        }
    }

    /// Ends one session. It is refused from the very next request on.
    public func end(_ sessionID: String, of personID: String? = nil, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("session.end", by: principal, origin: origin, at: now) { context in
            let id = try Self.owner(personID, askedBy: principal, in: context.db)
            let isThere = try Bool.fetchOne(
                context.db, sql: "SELECT 1 FROM sessions WHERE id = ? AND person_id = ? AND ended_at IS NULL", arguments: [sessionID, id])
            guard isThere == true else { throw SessionError.noSuchSession }
            try Self.end(sessionID, reason: "ended_by_person", at: now, in: context.db)
            try Self.audit("session.end", of: id, in: context)
        }
    }

    /// Ends all of one's own sessions, or all but the one that asks, and says how many.
    public func endAll(keepCurrent: Bool, by principal: Principal, origin: RequestOrigin) async throws -> Int {
        let now = environment.now()
        return try await store.auditedWrite("session.revoke_all", by: principal, origin: origin, at: now) { context in
            let (id, sessionID) = try principal.asPerson()
            try Self.requireStepUp(principal, at: now, in: context.db)
            try Self.endAll(of: id, except: keepCurrent ? sessionID : nil, reason: "revoke_all", at: now, in: context.db)
            let count = context.db.changesCount
            try Self.audit("session.revoke_all", of: id, in: context)
            return count
        }
    }

    /// Ends all sessions of a person whom the principal manages, and returns how many.
    public func endAll(of personID: String, by principal: Principal, origin: RequestOrigin) async throws -> Int {
        let now = environment.now()
        return try await store.auditedWrite("session.revoke_all", by: principal, origin: origin, at: now) { context in
            let id = try Self.owner(personID, askedBy: principal, in: context.db)
            try Self.requireStepUp(principal, at: now, in: context.db)
            try Self.endAll(of: id, reason: "ended_by_manager", at: now, in: context.db)
            let count = context.db.changesCount
            try Self.audit("session.revoke_all", of: id, in: context)
            return count
        }
    }

    /// Returns the person whose sessions are meant, if the principal may see them.
    static func owner(_ personID: String?, askedBy principal: Principal, in db: Database) throws -> String {
        let (id, _) = try principal.asPerson()
        guard let personID, personID != id else { return id }
        // A person who manages no one gets the same error whether the id exists or not.
        try People.require(.managePeople, of: principal, in: db)
        guard let person = try PeopleRecords.one(personID, db) else { throw People.PersonError.notFound }
        try People.requireManaging(person.role, by: principal, in: db)
        return personID
    }

    private static func audit(_ action: String, of personID: String, in context: TransactionContext) throws {
        let isOwn = context.principal.personID == personID
        try AuditLog.append(
            .init(who: .init(context.principal), action: action, grantID: isOwn ? nil : "role:\(personID)", result: .done), in: context)
    }

    private func session(_ row: Row, _ principal: Principal) -> OpenSession {
        let id: String = row["id"]
        let stored = Date(milliseconds: row["last_used_at"])
        let isCurrent = if case .person(_, id) = principal { true } else { false }
        return OpenSession(
            id: id, device: row["device"] ?? UserAgentText.text(userAgent: nil), address: row["remote"], isLocal: row["is_local"],
            signedInBy: SignInMethod(rawValue: row["signed_in_by"]) ?? .password, createdAt: Date(milliseconds: row["created_at"]),
            lastUsedAt: max(stored, live.lastUse(of: id) ?? stored), expiresAt: Date(milliseconds: row["expires_at"]), isCurrent: isCurrent)
    }
}

extension Principal {
    /// The person who asks, if it is one.
    var personID: String? {
        if case .person(let id, _) = self { id } else { nil }
    }

    /// Returns the person who asks and their session. Throws for a pass and an API token: they have no access to personal things.
    func asPerson() throws(People.PersonError) -> (id: String, sessionID: String) {
        guard case .person(let id, let sessionID) = self else { throw .forbidden(.roleLacksRight) }
        return (id, sessionID)
    }

    /// The pass or the token that was shown, if it was one, or what another system was granted.
    var grantID: String? {
        switch self {
        case .person: nil
        case .guest(let id): id
        case .apiToken(let id, _): "token:\(id)"
        case .automation(let id, _): "automation:\(id)"
        case .integration: key
        }
    }
}
