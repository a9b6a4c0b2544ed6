import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// How a phone comes to act for somebody of the house: it asks and shows six digits, somebody who is signed in types them, and the phone
/// that asked, and no other, trades them for tokens of its own.
///
/// The digits are a user code (RFC 8628, section 3.3): they say which phone is meant. What redeems them is who asked.
public struct PhonePairings: Sendable {
    let store: Store
    let sessions: Sessions
    let sealing: SealingKey
    let surroundings: Surroundings
    let waiting = ChangeSignal()

    /// Seconds the digits are good for.
    public static let lasts: TimeInterval = 300
    /// Seconds a phone should let pass between two looks, where it does not wait for the answer.
    public static let interval = 5
    /// Longest wait for an answer, in seconds.
    public static let longestWait = 25
    /// Wrong tries that end a pairing.
    static let tries = 5
    /// Phones that may wait at a time, and of one address.
    static let limit = 32
    static let limitByAddress = 4

    public enum Problem: Error {
        /// Wrong, unconfirmed, expired or used: nobody is told which.
        case invalidCode
        /// Nothing waits under these digits, or by this name.
        case notFound
        case throttled(TimeInterval)
        /// As many wait as may; until one of them is over.
        case full(TimeInterval)
    }

    // MARK: The phone asks

    public struct Asked: Sendable {
        public let digits: Secret
        /// What only this phone is told.
        public let secret: Secret
        public let expiresAt: Date
    }

    /// A phone asks to be paired. Whatever it asked before is over.
    public func ask(_ phone: PhoneWords, origin: Origin) async throws -> Asked {
        let now = surroundings.now()
        let id = "pairing_" + surroundings.newID()
        return try await store.write { db -> Result<Asked, Problem> in
            try Self.sweep(at: now, in: db)
            if let remote = origin.remote {
                if let wait = try Throttles.wait([(.phoneAsks, remote)], at: now, in: db) { return .failure(.throttled(wait)) }
                try Throttles.fail(.phoneAsks, remote, at: now, in: db)
            }
            try db.execute(sql: "DELETE FROM phone_pairings WHERE device_hash = ?", arguments: [Secret(phone.deviceID).digest])
            if let wait = try Self.crowd(origin.remote, at: now, in: db) { return .failure(.full(wait)) }
            let (digits, secret) = (try freshDigits(in: db), Minting.token(.waitingPhone))
            let expiresAt = now.addingTimeInterval(Self.lasts)
            try db.execute(
                sql: """
                    INSERT INTO phone_pairings (id, code_hash, secret_hash, device_hash, name, model, platform, remote, is_local, asked_at,
                        expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, mark(digits.reveal()), secret.digest, Secret(phone.deviceID).digest, phone.name, phone.model,
                    phone.platform?.rawValue, origin.remote, origin.isLocal, now.milliseconds, expiresAt.milliseconds,
                ])
            let seq = try Journal.append(.phoneChanged, subject: id, at: now, in: db)
            try AuditTrail.append(
                .init(who: .stranger, action: "phone.ask", result: .asked, journalSeq: seq), origin: origin, at: now, in: db)
            return .success(Asked(digits: digits, secret: secret, expiresAt: expiresAt))
        } committed: { [waiting] _ in
            waiting.changed()
        }.get()
    }

    /// How a phone that asked stands.
    public struct Standing: Sendable, Equatable {
        public let isConfirmed: Bool
        /// Nothing comes of it any more: too late, turned away, or redeemed.
        public let isOver: Bool
        public let expiresAt: Date?

        static let over = Standing(isConfirmed: false, isOver: true, expiresAt: nil)
    }

    /// How the phone with this secret stands. Where nothing has been decided yet, it waits for the answer so long.
    ///
    /// - Parameter wait: seconds, at most `longestWait`.
    public func standing(of secret: Secret, wait: TimeInterval, origin: Origin) async throws -> Standing {
        let until = surroundings.now().addingTimeInterval(min(max(wait, 0), TimeInterval(Self.longestWait)))
        while true {
            // Counted before it is read: what changes in between is seen at once.
            let seen = waiting.changes
            let now = surroundings.now()
            let found = try await store.read { db in
                try Row.fetchOne(db, sql: "SELECT * FROM phone_pairings WHERE secret_hash = ?", arguments: [secret.digest]).map {
                    (confirmed: $0["confirmed_at"] != nil, expiresAt: Date(milliseconds: $0["expires_at"]))
                }
            }
            guard let found, found.expiresAt > now else {
                if found == nil, let wait = try await countStranger(origin, at: now) { throw Problem.throttled(wait) }
                return .over
            }
            if found.confirmed || now >= until {
                return Standing(isConfirmed: found.confirmed, isOver: false, expiresAt: found.expiresAt)
            }
            try await waiting.change(after: seen, until: min(until, found.expiresAt), surroundings)
        }
    }

    /// A phone that was turned away looks once more and is told so; whoever goes on guessing secrets is slowed down.
    private func countStranger(_ origin: Origin, at now: Date) async throws -> TimeInterval? {
        try await store.write { try Throttles.failed(.stranger, from: origin, at: now, in: $0) }
    }

    // MARK: Somebody of the house answers

    public struct Waiting: Sendable {
        public let id: String
        public let name: String
        public let model: String?
        public let platform: PhoneWords.Platform?
        public let address: String?
        public let isLocal: Bool
        public let askedAt: Date
        public let expiresAt: Date
    }

    /// The phones that wait. Their digits are not among what is told: whoever confirms one has seen it.
    public func pending(seenBy principal: Principal) async throws -> [Waiting] {
        let now = surroundings.now()
        return try await store.read { db in
            try Self.requirePairing(principal, in: db)
            return try Row.fetchAll(
                db, sql: "SELECT * FROM phone_pairings WHERE confirmed_at IS NULL AND expires_at > ? ORDER BY asked_at DESC, id",
                arguments: [now.milliseconds]
            ).map(Self.waiting)
        }
    }

    /// Confirms the phone that shows these digits: from now on it may act for whoever confirms it.
    public func confirm(_ digits: String, by principal: Principal, origin: Origin) async throws -> Waiting {
        let now = surroundings.now()
        return try await store.attempt("phone.confirm", by: principal, origin: origin, at: now) { db -> Result<Waiting, Problem> in
            try Self.requirePairing(principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let (personID, sessionID) = try principal.asPerson()
            if let wait = try Throttles.wait([(.phoneConfirmer, personID)], at: now, in: db) { return .failure(.throttled(wait)) }
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM phone_pairings WHERE code_hash = ? AND expires_at > ?", arguments: [mark(digits), now.milliseconds])
            // Confirmed by somebody else, it is nobody's business any more.
            guard let row, row["confirmed_by"] == nil || row["confirmed_by"] == personID else {
                try Throttles.fail(.phoneConfirmer, personID, at: now, in: db)
                try AuditTrail.append(
                    .init(who: .person(personID), action: "phone.confirm", result: .refused, reason: "wrong_code"), origin: origin, at: now,
                    in: db)
                return .failure(.notFound)
            }
            let found = Self.waiting(row)
            guard row["confirmed_by"] == nil else { return .success(found) }
            try db.execute(
                sql: "UPDATE phone_pairings SET confirmed_by = ?, confirmed_in = ?, confirmed_at = ? WHERE id = ?",
                arguments: [personID, sessionID, now.milliseconds, found.id])
            let seq = try Journal.append(.phoneChanged, subject: found.id, at: now, in: db)
            try AuditTrail.append(
                .init(who: .person(personID), action: "phone.confirm", result: .done, journalSeq: seq), origin: origin, at: now, in: db)
            return .success(found)
        } committed: { [waiting] _ in
            waiting.changed()
        }.get()
    }

    /// Turns a phone away that waits. One that somebody has confirmed is theirs to turn away.
    public func reject(_ id: String, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("phone.reject", by: principal, origin: origin, at: now) { db in
            try Self.requirePairing(principal, in: db)
            let (personID, _) = try principal.asPerson()
            try db.execute(
                sql: "DELETE FROM phone_pairings WHERE id = ? AND expires_at > ? AND (confirmed_by IS NULL OR confirmed_by = ?)",
                arguments: [id, now.milliseconds, personID])
            guard db.changesCount == 1 else { throw Problem.notFound }
            let seq = try Journal.append(.phoneChanged, subject: id, at: now, in: db)
            try AuditTrail.append(
                .init(who: .person(personID), action: "phone.reject", result: .done, journalSeq: seq), origin: origin, at: now, in: db)
        } committed: { [waiting] _ in
            waiting.changed()
        }
    }
}

// MARK: Rows and rules

extension PhonePairings {
    /// Whoever moves devices may do so from a phone. A pass and a program pair none.
    static func requirePairing(_ principal: Principal, in db: Database) throws {
        _ = try principal.asPerson()
        try People.require(.controlDevices, of: principal, in: db)
    }

    /// Six digits are guessed from a plain hash in a moment; from a keyed one only by who has the house's key.
    func mark(_ digits: String) -> Data { sealing.mark(Data("phone_pairings/code/\(digits)".utf8)) }

    private func freshDigits(in db: Database) throws -> Secret {
        while true {
            let digits = Minting.pairingDigits()
            let isTaken = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM phone_pairings WHERE code_hash = ?", arguments: [mark(digits.reveal())])
            // At most a few dozen of a million are taken.
            if isTaken == nil { return digits }
        }
    }

    /// Seconds until there is room for one more; nil where there is.
    private static func crowd(_ remote: String?, at now: Date, in db: Database) throws -> TimeInterval? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(*) AS count, min(expires_at) AS first, total(remote IS :remote) AS near,
                    min(iif(remote IS :remote, expires_at, NULL)) AS first_near FROM phone_pairings
                """, arguments: ["remote": remote])
        guard let row else { return nil }
        let first: Int64? = (row["near"] as Double) >= Double(limitByAddress) ? row["first_near"] : nil
        guard let until = first ?? ((row["count"] as Int) >= limit ? row["first"] : nil) as Int64? else { return nil }
        return Date(milliseconds: until).timeIntervalSince(now)
    }

    /// What is too old to be redeemed is gone.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM phone_pairings WHERE expires_at <= ?", arguments: [now.milliseconds])
    }

    private static func waiting(_ row: Row) -> Waiting {
        Waiting(
            id: row["id"], name: row["name"], model: row["model"],
            platform: (row["platform"] as String?).flatMap(PhoneWords.Platform.init), address: row["remote"], isLocal: row["is_local"],
            askedAt: Date(milliseconds: row["asked_at"]), expiresAt: Date(milliseconds: row["expires_at"]))
    }
}
