import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The phones that act for people: seeing one's own, naming them, and taking them off.
public struct Phones: Sendable {
    let store: Store
    let live: SessionCache
    let environment: HubEnvironment

    public enum PhoneError: Error {
        case notFound
        case name(Name.NameError)
        /// A phone's request for something beyond its rights.
        case notAllowedForPhones
    }

    public func all(of principal: Principal) async throws -> [PairedPhone] {
        let (id, _) = try principal.asPerson()
        let now = environment.now()
        return try await store.read { db in
            try Row.fetchAll(db, sql: "\(Self.select) ORDER BY p.paired_at DESC, p.id", arguments: Self.activeArguments(id, at: now)).map(
                phone)
        }
    }

    public func rename(_ id: String, to name: String, by principal: Principal, origin: RequestOrigin) async throws -> PairedPhone {
        let checked: String
        do { checked = try Name.check(name) } catch { throw PhoneError.name(error) }
        let now = environment.now()
        return try await store.auditedWrite("phone.rename", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            guard let before = try Self.one(id, of: personID, at: now, in: context.db) else { throw PhoneError.notFound }
            try context.db.execute(sql: "UPDATE phones SET name = sealed(?, 'phones.name', id) WHERE id = ?", arguments: [checked, id])
            try context.db.execute(
                sql: "UPDATE sessions SET device = sealed(?, 'sessions.device', id) WHERE id = ?",
                arguments: [checked, before["session_id"] as String])
            let seq = try Journal.append(.phoneChanged, subject: id, data: ["person_id": .string(personID)], at: now, in: context.db)
            try AuditLog.append(
                .init(who: .person(personID), action: "phone.rename", grantID: "phone:\(id)", result: .done, journalSeq: seq), in: context)
            return phone(try Self.one(id, of: personID, at: now, in: context.db).orThrow(PhoneError.notFound))
        }
    }

    /// The phones to be removed.
    public enum Selection: Sendable {
        /// One phone, by the hub's id for it or by the phone's own.
        case one(String)
        case refreshToken(Secret)
        case all
    }

    /// Takes phones of one's own off: their tokens are refused from the very next request on. A phone takes off itself and no other.
    ///
    /// - Returns: how many there were.
    public func revoke(_ choice: Selection, by principal: Principal, origin: RequestOrigin) async throws -> Int {
        let now = environment.now()
        return try await store.auditedWrite("phone.revoke", by: principal, origin: origin, at: now) { context in
            let (personID, sessionID) = try principal.asPerson()
            let isPhone = try Self.isPhone(sessionID, in: context.db)
            let rows = try Row.fetchAll(context.db, sql: Self.select, arguments: Self.activeArguments(personID, at: now)).filter { row in
                if isPhone, row["session_id"] != sessionID { return false }
                switch choice {
                case .all: return true
                case .one(let id):
                    return row["id"] == id || PhoneDescription.deviceID(id).map { row["device_hash"] == Secret($0).digest } == true
                case .refreshToken(let token):
                    return try Bool.fetchOne(
                        context.db, sql: "SELECT 1 FROM refresh_tokens WHERE hash = ? AND session_id = ?",
                        arguments: [token.digest, row["session_id"] as String]) == true
                }
            }
            for row in rows {
                try Sessions.end(row["session_id"], reason: "phone_revoked", at: now, in: context.db)
                let id: String = row["id"]
                let seq = try Journal.append(.phoneChanged, subject: id, data: ["person_id": .string(personID)], at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .person(personID), action: "phone.revoke", grantID: "phone:\(id)", result: .done, journalSeq: seq),
                    in: context)
            }
            return rows.count
        }
    }

    /// Throws for the session of a phone, because phones may not do this; the refusal is recorded in the audit log.
    public func recordRejection(_ principal: Principal, origin: RequestOrigin) async throws {
        guard case .person(_, let sessionID) = principal else { return }
        let now = environment.now()
        try await store.audited("phone.beyond", by: principal, origin: origin, at: now) {
            if try await live.isPhone(sessionID, at: now) { throw PhoneError.notAllowedForPhones }
        }
    }
}

extension Phones.PhoneError: RefusalError {
    var refusalReason: AuditReason? { if case .notAllowedForPhones = self { .beyondPhones } else { nil } }
}

// MARK: Rows

extension Phones {
    private static let select = """
        SELECT opened(p.name, 'phones.name', p.id) AS name, opened(p.model, 'phones.model', p.id) AS model, p.*, s.last_used_at, s.expires_at,
            opened(s.remote, 'sessions.remote', s.id) AS remote, s.is_local FROM phones p JOIN sessions s ON s.id = p.session_id
        WHERE p.person_id = ? AND s.ended_at IS NULL AND s.expires_at > ? AND s.last_used_at > ?
        """

    private static func activeArguments(_ personID: String, at now: Date) -> StatementArguments {
        [personID, now.milliseconds, now.addingTimeInterval(-Sessions.idle).milliseconds]
    }

    private static func one(_ id: String, of personID: String, at now: Date, in db: Database) throws -> Row? {
        try Row.fetchOne(db, sql: "\(select) AND p.id = ?", arguments: activeArguments(personID, at: now) + [id])
    }

    private static func isPhone(_ sessionID: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM phones WHERE session_id = ?", arguments: [sessionID]) == true
    }

    private func phone(_ row: Row) -> PairedPhone {
        let stored = Date(milliseconds: row["last_used_at"])
        return PairedPhone(
            id: row["id"], name: row["name"], model: row["model"],
            platform: (row["platform"] as String?).flatMap(PhoneDescription.Platform.init), pairedAt: Date(milliseconds: row["paired_at"]),
            lastUsedAt: max(stored, live.lastUse(of: row["session_id"]) ?? stored),
            expiresAt: min(stored.addingTimeInterval(Sessions.idle), Date(milliseconds: row["expires_at"])), address: row["remote"],
            isLocal: row["is_local"])
    }
}
