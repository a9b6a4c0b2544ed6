import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Saying again that it is oneself.
extension Sessions {
    /// Requires a recent proof of the person's identity in this session.
    ///
    /// - Parameter isEnough: the accepted kinds of proof, if not every one is sufficient.
    static func requireStepUp(
        _ principal: Principal, by isEnough: (SignInMethod) -> Bool = { _ in true }, at now: Date, in db: Database
    ) throws {
        if case .apiToken = principal { throw People.PersonError.forbiddenToProgram }
        guard case .person(_, let sessionID) = principal else { throw People.PersonError.forbidden(.roleLacksRight) }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT proven_at, proven_by FROM sessions WHERE id = ? AND ended_at IS NULL"), arguments: [sessionID])
        let provenAt = (row?["proven_at"] as Int64?).map(Date.init(milliseconds:))
        guard StepUp.isFresh(provenAt, at: now), let by = (row?["proven_by"] as String?).flatMap(SignInMethod.init), isEnough(by) else {
            throw SessionError.stepUpRequired
        }
    }

    /// Proves it by the password. For five minutes the session may then do what asks for it; answers until when.
    public func stepUp(password: Secret, by principal: Principal, origin: RequestOrigin) async throws -> Date {
        let now = environment.now()
        let (id, sessionID) = try await store.audited("session.step_up", by: principal, origin: origin, at: now) {
            let (id, sessionID) = try principal.asPerson()
            try await checkPassword(password, of: id, for: "session.step_up", origin: origin, at: now)
            return (id, sessionID)
        }
        return try await store.write(from: origin, at: now) { try Self.recordProof(sessionID, of: id, by: .password, in: $0) }
    }

    static func recordProof(
        _ sessionID: String, of personID: String, by proof: SignInMethod, in context: AnonymousTransactionContext
    ) throws -> Date {
        try context.db.execute(
            sql: "UPDATE sessions SET proven_at = ?, proven_by = ? WHERE id = ? AND ended_at IS NULL",
            arguments: [context.now.milliseconds, proof.rawValue, sessionID])
        try AuditLog.append(.init(who: .person(personID), action: "session.step_up", result: .done, reason: proof.auditReason), in: context)
        return context.now.addingTimeInterval(StepUp.validity)
    }

    /// Refuses a session that has ended, in the transaction that acts on it: much may have happened since its token was looked at.
    static func requireOpen(_ sessionID: String, in db: Database) throws {
        guard try isOpen(sessionID, in: db) else { throw SessionError.unauthorized }
    }

    static func isOpen(_ sessionID: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM sessions WHERE id = ? AND ended_at IS NULL"), arguments: [sessionID]) == true
    }

    /// Checks the person's password. Wrong ones are counted, so that a stolen session cannot be used to guess it.
    ///
    /// - Returns: the stored hash, by which a later transaction checks that the password was not changed meanwhile.
    @discardableResult
    func checkPassword(_ password: Secret, of personID: String, for action: String, origin: RequestOrigin, at now: Date) async throws
        -> String
    {
        let (wait, stored) = try await store.read { db in
            (
                try ThrottleRecords.wait([(.account, personID)], at: now, in: db),
                try String.fetchOne(
                    db, sql: "SELECT password_hash FROM people WHERE id = ? AND removed_at IS NULL AND disabled = 0", arguments: [personID])
            )
        }
        if let wait { throw SessionError.throttled(wait) }
        guard let stored, let match = try await passwordHasher.verify(password, against: stored) else {
            try await store.write(from: origin, at: now) { context in
                try Self.requireNotThrottled([(.account, personID)], at: now, in: context.db)
                try ThrottleRecords.recordFailure(.account, personID, at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .person(personID), action: action, result: .refused, reason: .invalidCredentials), in: context)
            }
            throw People.PersonError.wrongPassword
        }
        let rehashed: String? = if let form = match.rehash { try await passwordHasher.hash(form) } else { nil }
        return try await store.write { db -> String in
            try Self.requireNotThrottled([(.account, personID)], at: now, in: db)
            try ThrottleRecords.reset(.account, personID, in: db)
            guard let rehashed else { return stored }
            // Another password may have been chosen meanwhile.
            try db.execute(
                sql: "UPDATE people SET password_hash = ? WHERE id = ? AND password_hash = ?", arguments: [rehashed, personID, stored])
            return db.changesCount == 1 ? rehashed : stored
        }
    }
}
