import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Trading confirmed digits for a phone's tokens, once.
extension PhonePairings {
    /// The values with which a phone claims its tokens.
    public struct Claim: Sendable {
        let digits: String
        let deviceID: String
        let secret: Secret?

        /// - Parameters:
        ///   - deviceID: the one it asked with.
        ///   - secret: what it was given when it asked, from phones that echo it; then it must be that.
        public init(digits: String, deviceID: String, secret: Secret?) {
            self.digits = digits
            self.deviceID = deviceID
            self.secret = secret
        }
    }

    private enum RedemptionResult: Sendable {
        case started(Sessions.StartedSession)
        case refused(PairingError)
    }

    /// Of two who do it at once, one has the tokens. Wrong, unconfirmed, too late and used are refused in the same words.
    public func redeem(_ claim: Claim, origin: RequestOrigin) async throws -> SessionTokens {
        let now = environment.now()
        try clock.requireNotBehind(at: now)
        let redeemed = try await store.write(from: origin, at: now) {
            try redeem(claim, in: $0)
        } committed: { [changes] _ in
            changes.signal()
        }
        switch redeemed {
        case .refused(let problem): throw problem
        case .started(let begun): return try await sessions.tokens(begun)
        }
    }

    private func redeem(_ claim: Claim, in context: AnonymousTransactionContext) throws -> RedemptionResult {
        let rows = try Row.fetchAll(
            context.db,
            sql: """
                SELECT *, code_hash = :code AS fits_code, device_hash = :device AS fits_device, secret_hash = :secret AS fits_secret
                FROM phone_pairings WHERE (code_hash = :code OR device_hash = :device OR secret_hash = :secret) AND expires_at > :now
                """,
            arguments: [
                "code": mark(claim.digits), "device": Secret(claim.deviceID).digest, "secret": claim.secret?.digest ?? Data(),
                "now": context.now.milliseconds,
            ])
        // A phone that presents the secret has not guessed it, and other callers' guesses do not throttle it.
        let isKnown = rows.contains { $0["fits_secret"] }
        var subjects = context.origin.network.map { [(ThrottleRecords.Scope.phoneDigits, $0)] } ?? []
        if !isKnown { subjects.append((.phoneHouse, "house")) }
        if let wait = try ThrottleRecords.wait(subjects, at: context.now, in: context.db) { return .refused(.throttled(wait)) }

        let fits = rows.first { $0["fits_code"] && $0["fits_device"] && (claim.secret == nil || $0["fits_secret"]) }
        guard let fits else {
            try countFailedAttempt(rows, in: context)
            return .refused(.invalidCode)
        }
        // Asking whether it has been confirmed is not a guess.
        guard let personID = fits["confirmed_by"] as String?, let sessionID = fits["confirmed_in"] as String? else {
            return .refused(.invalidCode)
        }
        // Deleted before it is used, so that no other request can use the same row.
        let taken = try Row.fetchOne(
            context.db, sql: "DELETE FROM phone_pairings WHERE id = ? RETURNING \(Self.describedColumnsSQL), *",
            arguments: [fits["id"] as String]
        ).orThrow(PairingError.invalidCode)
        guard let person = try PeopleRecords.one(personID, context.db), !person.isDisabled, person.rights.contains(.controlDevices),
            try Sessions.isOpen(sessionID, in: context.db)
        else {
            try AuditLog.append(.init(who: .person(personID), action: "phone.pair", result: .refused, reason: .confirmerGone), in: context)
            return .refused(.invalidCode)
        }
        return .started(try pair(taken, to: personID, in: context))
    }

    /// Counts against every pairing that was tried, by its digits, its phone or its secret; at the fifth it is over.
    private func countFailedAttempt(_ rows: [Row], in context: AnonymousTransactionContext) throws {
        for row in rows {
            let (id, tries): (String, Int) = (row["id"], row["wrong_tries"])
            if tries + 1 >= Self.maxAttempts {
                try context.db.execute(sql: "DELETE FROM phone_pairings WHERE id = ?", arguments: [id])
                try Journal.append(.phoneChanged, subject: id, at: context.now, in: context.db)
            } else {
                try context.db.execute(sql: "UPDATE phone_pairings SET wrong_tries = wrong_tries + 1 WHERE id = ?", arguments: [id])
            }
        }
        if let remote = context.origin.network { try ThrottleRecords.recordFailure(.phoneDigits, remote, at: context.now, in: context.db) }
        try ThrottleRecords.recordFailure(.phoneHouse, "house", at: context.now, in: context.db)
        try FailedAttemptLog.record(.init(who: .stranger, action: "phone.pair", result: .refused, reason: .wrongCode), in: context)
    }

    /// The phone and its session. A phone that was this person's before stays the same phone, and its earlier tokens end.
    private func pair(_ row: Row, to personID: String, in context: AnonymousTransactionContext) throws -> Sessions.StartedSession {
        let name: String = row["name"]
        let before = try Row.fetchOne(
            context.db, sql: "SELECT id, session_id FROM phones WHERE person_id = ? AND device_hash = ?",
            arguments: [personID, row["device_hash"] as Data])
        let known: String? = before?["id"]
        let id = known ?? "phone_" + environment.newID()
        let begun = try sessions.start(personID: personID, by: .phone, phone: (id, name), in: context)
        if let before { try Sessions.end(before["session_id"], reason: "paired_anew", at: context.now, in: context.db) }
        try context.db.execute(
            sql: """
                INSERT INTO phones (id, person_id, session_id, device_hash, name, model, platform, paired_at)
                VALUES (?1, ?, ?, ?, sealed(?, 'phones.name', ?1), sealed(?, 'phones.model', ?1), ?, ?)
                ON CONFLICT (person_id, device_hash) DO UPDATE SET session_id = excluded.session_id, name = excluded.name,
                    model = excluded.model, platform = excluded.platform, paired_at = excluded.paired_at
                """,
            arguments: [
                id, personID, begun.sessionID, row["device_hash"] as Data, name, row["model"] as String?, row["platform"] as String?,
                context.now.milliseconds,
            ])
        let seq = try Journal.append(.phoneChanged, subject: id, data: ["person_id": .string(personID)], at: context.now, in: context.db)
        try AuditLog.append(
            .init(who: .person(personID), action: "phone.pair", grantID: "phone:\(id)", result: .done, journalSeq: seq), in: context)
        return begun
    }
}
