import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Ten codes on paper, for the day on which neither password nor passkey is at hand. Each signs in once.
public struct RecoveryCodes: Sendable {
    let store: Store
    let sessions: Sessions
    let environment: HubEnvironment

    static let count = 10

    public struct State: Hashable, Sendable {
        public let remaining: Int
        /// nil while there are none.
        public let madeAt: Date?
    }

    public func state(of principal: Principal) async throws -> State {
        let (id, _) = try principal.asPerson()
        return try await store.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT count(*) - count(used_at) AS remaining, max(made_at) AS made_at FROM recovery_codes WHERE person_id = ?",
                arguments: [id]
            ).orThrow(People.PersonError.notFound)
            return State(remaining: row["remaining"], madeAt: (row["made_at"] as Int64?).map(Date.init(milliseconds:)))
        }
    }

    /// Ten new codes, shown this once. Those before them end.
    public func make(by principal: Principal, origin: RequestOrigin) async throws -> [Secret] {
        let now = environment.now()
        let codes = (0..<Self.count).map { _ in SecretGenerator.recoveryCode() }
        try await store.auditedWrite("recovery_codes.make", by: principal, origin: origin, at: now) { context in
            let (id, _) = try principal.asPerson()
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            try context.db.execute(sql: "DELETE FROM recovery_codes WHERE person_id = ?", arguments: [id])
            for code in codes {
                try context.db.execute(
                    sql: "INSERT INTO recovery_codes (hash, person_id, made_at) VALUES (?, ?, ?)",
                    arguments: [code.digest, id, now.milliseconds])
            }
            try AuditLog.append(.init(who: .person(id), action: "recovery_codes.make", result: .done), in: context)
        }
        return codes
    }

    /// Signs in with one of them. The code also identifies its person, so no name is needed.
    public func login(_ typed: String, origin: RequestOrigin) async throws -> SessionTokens {
        let now = environment.now()
        let code = RecoveryCode.normalized(typed)
        let address: (ThrottleRecords.Scope, String) = (.address, origin.network ?? "")
        let outcome = try await store.write(from: origin, at: now) { context -> Result<Sessions.StartedSession, Sessions.SessionError> in
            let personID = try code.flatMap { code in
                try String.fetchOne(
                    context.db,
                    sql: """
                        UPDATE recovery_codes SET used_at = ? WHERE hash = ? AND used_at IS NULL
                            AND person_id IN (SELECT id FROM people WHERE removed_at IS NULL AND disabled = 0)
                        RETURNING person_id
                        """, arguments: [now.milliseconds, code.digest])
            }
            guard let personID else {
                // A right code is accepted whatever others tried from this address: codes cannot be guessed, so a delay would protect
                // nothing.
                if let wait = try ThrottleRecords.wait([address], at: now, in: context.db) { return .failure(.throttled(wait)) }
                try ThrottleRecords.recordFailure(address.0, address.1, at: now, in: context.db)
                try FailedAttemptLog.record(.init(who: .stranger, action: "login", result: .refused, reason: .recoveryCode), in: context)
                return .failure(.invalidCredentials)
            }
            try AuditLog.append(.init(who: .person(personID), action: "login", result: .done, reason: .recoveryCode), in: context)
            return .success(try sessions.start(personID: personID, by: .recoveryCode, in: context))
        }
        return try await sessions.tokens(try outcome.get())
    }
}
