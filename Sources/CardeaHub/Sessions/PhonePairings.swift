import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Pairs a phone with a resident: the phone asks and shows six digits, a signed-in person types them, and only the phone that asked
/// exchanges them for tokens of its own.
///
/// The digits are a user code (RFC 8628, section 3.3): they say which phone is meant. Only the phone that asked can redeem them.
public struct PhonePairings: Sendable {
    let store: Store
    let sessions: Sessions
    let sealing: SealingKey
    let clock: ClockMonitor
    let environment: HubEnvironment
    let changes: ChangeSignal

    /// Seconds the digits are good for.
    public static let lifetime: TimeInterval = 300
    /// Seconds between two polls of a phone that does not wait for the answer.
    public static let interval = 5
    /// Longest wait for an answer, in seconds.
    public static let maxWait = 25
    /// Wrong tries that end a pairing.
    static let maxAttempts = 5
    /// Phones that may wait at a time, and of one address.
    static let limit = 32
    static let limitByAddress = 4
    /// Places of them that only phones at home get.
    static let limitAtHome = 8

    public enum PairingError: Error {
        /// Wrong, unconfirmed, expired or used: the error does not say which.
        case invalidCode
        /// No request has these digits or this id.
        case notFound
        case throttled(TimeInterval)
        /// As many wait as may; until one of them is over.
        case full(TimeInterval)
    }

    init(store: Store, sessions: Sessions, sealing: SealingKey, clock: ClockMonitor, environment: HubEnvironment) {
        self.store = store
        self.sessions = sessions
        self.sealing = sealing
        self.clock = clock
        self.environment = environment
        changes = ChangeSignal()
    }

    // MARK: The phone asks

    public struct PairingCode: Sendable {
        public let digits: Secret
        /// The claim secret; only this phone gets it.
        public let secret: Secret
        public let expiresAt: Date
    }

    /// A phone asks to be paired. Whatever it asked before is over.
    public func request(_ phone: PhoneDescription, origin: RequestOrigin) async throws -> PairingCode {
        let now = environment.now()
        let id = "pairing_" + environment.newID()
        return try await store.write(from: origin, at: now) { context -> Result<PairingCode, PairingError> in
            try Self.sweep(at: now, in: context.db)
            if let network = origin.network {
                if let wait = try ThrottleRecords.wait([(.phoneAsks, network)], at: now, in: context.db) {
                    return .failure(.throttled(wait))
                }
                try ThrottleRecords.recordFailure(.phoneAsks, network, at: now, in: context.db)
            }
            try context.db.execute(sql: "DELETE FROM phone_pairings WHERE device_hash = ?", arguments: [Secret(phone.deviceID).digest])
            if let wait = try Self.waitForRoom(in: context) { return .failure(.full(wait)) }
            let (digits, secret) = (try newDigits(in: context.db), SecretGenerator.token(.waitingPhone))
            let expiresAt = now.addingTimeInterval(Self.lifetime)
            try context.db.execute(
                sql: """
                    INSERT INTO phone_pairings (id, code_hash, secret_hash, device_hash, name, model, platform, remote, is_local, asked_at,
                        expires_at)
                    VALUES (?1, ?, ?, ?, sealed(?, 'phone_pairings.name', ?1), sealed(?, 'phone_pairings.model', ?1), ?,
                        sealed(?, 'phone_pairings.remote', ?1), ?, ?, ?)
                    """,
                arguments: [
                    id, mark(digits.reveal()), secret.digest, Secret(phone.deviceID).digest, phone.name, phone.model,
                    phone.platform?.rawValue, origin.remote, origin.isLocal, now.milliseconds, expiresAt.milliseconds,
                ])
            let seq = try Journal.append(.phoneChanged, subject: id, at: now, in: context.db)
            try AuditLog.append(.init(who: .stranger, action: "phone.ask", result: .asked, journalSeq: seq), in: context)
            return .success(PairingCode(digits: digits, secret: secret, expiresAt: expiresAt))
        } committed: { [changes] _ in
            changes.signal()
        }.get()
    }

    /// The state of a pairing request.
    public struct Status: Sendable, Equatable {
        public let isConfirmed: Bool
        /// True if it has ended: expired, rejected, or redeemed.
        public let isOver: Bool
        public let expiresAt: Date?

        static let over = Status(isConfirmed: false, isOver: true, expiresAt: nil)

        /// The time until which it can still be decided; nil if it is decided or over.
        var undecidedUntil: Date? { isConfirmed ? nil : expiresAt }
    }

    /// Returns the state of the request with this secret. While it is undecided, it waits for the decision.
    ///
    /// - Parameter wait: seconds, at most `maxWait`.
    public func status(of secret: Secret, wait: TimeInterval, origin: RequestOrigin) async throws -> Status {
        let until = environment.now().addingTimeInterval(min(max(wait, 0), TimeInterval(Self.maxWait)))
        var (seen, status) = try await currentStatus(secret, origin)
        while let end = status.undecidedUntil, environment.now() < until {
            try await changes.wait(after: seen, until: min(until, end), environment)
            (seen, status) = try await currentStatus(secret, origin)
        }
        return status
    }

    /// Returns the present state, and the change count to wait after if it is undecided.
    private func currentStatus(_ secret: Secret, _ origin: RequestOrigin) async throws -> (seen: Int, status: Status) {
        // Counted before the read: changes in between are seen at once.
        let (seen, now) = (changes.changeCount, environment.now())
        let found = try await store.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM phone_pairings WHERE secret_hash = ?", arguments: [secret.digest]).map { row in
                let end = Date(milliseconds: row["expires_at"])
                return end > now ? Status(isConfirmed: row["confirmed_at"] != nil, isOver: false, expiresAt: end) : .over
            }
        }
        if let found { return (seen, found) }
        if let wait = try await countUnknownSecret(origin, at: now) { throw PairingError.throttled(wait) }
        return (seen, .over)
    }

    /// Counts an unknown secret. A rejected phone asks once more and is told so; further guesses are throttled.
    private func countUnknownSecret(_ origin: RequestOrigin, at now: Date) async throws -> TimeInterval? {
        try await store.write(from: origin, at: now) { try FailedAttemptLog.recordFailure(in: $0) }
    }

    // MARK: Confirmation by a resident

    public struct PendingPhone: Sendable {
        public let id: String
        public let name: String
        public let model: String?
        public let platform: PhoneDescription.Platform?
        public let address: String?
        public let isLocal: Bool
        public let askedAt: Date
        public let expiresAt: Date
    }

    /// Returns the waiting phones, without their digits: the person who confirms a phone must have seen it.
    public func pending(seenBy principal: Principal) async throws -> [PendingPhone] {
        let now = environment.now()
        return try await store.read { db in
            try Self.requirePairing(principal, in: db)
            return try Row.fetchAll(
                db,
                sql:
                    "SELECT \(Self.describedColumnsSQL), * FROM phone_pairings WHERE confirmed_at IS NULL AND expires_at > ? ORDER BY asked_at DESC, id",
                arguments: [now.milliseconds]
            ).map(Self.pendingPhone)
        }
    }

    /// Confirms the phone that shows these digits: from now on it may act for the person who confirms it.
    public func confirm(_ digits: String, by principal: Principal, origin: RequestOrigin) async throws -> PendingPhone {
        let now = environment.now()
        try clock.requireNotBehind(at: now)
        return try await store.auditedWrite("phone.confirm", by: principal, origin: origin, at: now) {
            context -> Result<PendingPhone, PairingError> in
            try Self.requirePairing(principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let (personID, sessionID) = try principal.asPerson()
            if let wait = try ThrottleRecords.wait([(.phoneConfirmer, personID)], at: now, in: context.db) {
                return .failure(.throttled(wait))
            }
            let row = try Row.fetchOne(
                context.db, sql: "SELECT \(Self.describedColumnsSQL), * FROM phone_pairings WHERE code_hash = ? AND expires_at > ?",
                arguments: [mark(digits), now.milliseconds])
            // Confirmed by another person, the phone is theirs.
            guard let row, row["confirmed_by"] == nil || row["confirmed_by"] == personID else {
                try ThrottleRecords.recordFailure(.phoneConfirmer, personID, at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .person(personID), action: "phone.confirm", result: .refused, reason: .wrongCode), in: context)
                return .failure(.notFound)
            }
            let found = Self.pendingPhone(row)
            guard row["confirmed_by"] == nil else { return .success(found) }
            try context.db.execute(
                sql: "UPDATE phone_pairings SET confirmed_by = ?, confirmed_in = ?, confirmed_at = ? WHERE id = ?",
                arguments: [personID, sessionID, now.milliseconds, found.id])
            let seq = try Journal.append(.phoneChanged, subject: found.id, at: now, in: context.db)
            try AuditLog.append(.init(who: .person(personID), action: "phone.confirm", result: .done, journalSeq: seq), in: context)
            return .success(found)
        } committed: { [changes] _ in
            changes.signal()
        }.get()
    }

    /// Rejects a waiting phone. One that a person has confirmed can only be rejected by them.
    public func reject(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("phone.reject", by: principal, origin: origin, at: now) { context in
            try Self.requirePairing(principal, in: context.db)
            let (personID, _) = try principal.asPerson()
            try context.db.execute(
                sql: "DELETE FROM phone_pairings WHERE id = ? AND expires_at > ? AND (confirmed_by IS NULL OR confirmed_by = ?)",
                arguments: [id, now.milliseconds, personID])
            guard context.db.changesCount == 1 else { throw PairingError.notFound }
            let seq = try Journal.append(.phoneChanged, subject: id, at: now, in: context.db)
            try AuditLog.append(.init(who: .person(personID), action: "phone.reject", result: .done, journalSeq: seq), in: context)
        } committed: { [changes] _ in
            changes.signal()
        }
    }
}

// MARK: Rows and rules

extension PhonePairings {
    /// Requires the right to control devices, from a person: guests and API tokens cannot pair a phone.
    static func requirePairing(_ principal: Principal, in db: Database) throws {
        _ = try principal.asPerson()
        try People.require(.controlDevices, of: principal, in: db)
    }

    /// Six digits are quickly guessed from a plain hash, but from a keyed one only with the house's key.
    func mark(_ digits: String) -> Data { sealing.mark(Data("phone_pairings/code/\(digits)".utf8)) }

    private func newDigits(in db: Database) throws -> Secret {
        // At most a few dozen of a million codes are in use.
        let drawn = (0..<32).lazy.map { _ in SecretGenerator.pairingDigits() }
        return try drawn.first { digits in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM phone_pairings WHERE code_hash = ?", arguments: [mark(digits.reveal())]) == nil
        }.orThrow(PairingError.full(TimeInterval(Self.interval)))
    }

    /// Seconds until there is room for one more; nil if there is.
    private static func waitForRoom(in context: AnonymousTransactionContext) throws -> TimeInterval? {
        let until = try Int64.fetchOne(
            context.db,
            sql: """
                SELECT CASE WHEN total(remote IS :remote) >= :near THEN min(iif(remote IS :remote, expires_at, NULL))
                    WHEN :isLocal = 0 AND total(is_local = 0) >= :elsewhere THEN min(iif(is_local = 0, expires_at, NULL))
                    WHEN total(is_local = :isLocal OR is_local = 1) >= :all THEN min(expires_at) END
                FROM (SELECT expires_at, is_local, opened(remote, 'phone_pairings.remote', id) AS remote FROM phone_pairings)
                """,
            arguments: [
                "remote": context.origin.remote, "near": limitByAddress, "isLocal": context.origin.isLocal,
                "elsewhere": limit - limitAtHome, "all": limit,
            ])
        return until.map { Date(milliseconds: $0).timeIntervalSince(context.now) }
    }

    /// Deletes pairings that are too old to be redeemed.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM phone_pairings WHERE expires_at <= ?", arguments: [now.milliseconds])
    }

    /// The self-description of a phone, decrypted. It must come before the columns that hold it sealed: the first column of a name counts.
    static let describedColumnsSQL = """
        opened(name, 'phone_pairings.name', id) AS name, opened(model, 'phone_pairings.model', id) AS model,
        opened(remote, 'phone_pairings.remote', id) AS remote
        """

    private static func pendingPhone(_ row: Row) -> PendingPhone {
        PendingPhone(
            id: row["id"], name: row["name"], model: row["model"],
            platform: (row["platform"] as String?).flatMap(PhoneDescription.Platform.init), address: row["remote"],
            isLocal: row["is_local"],
            askedAt: Date(milliseconds: row["asked_at"]), expiresAt: Date(milliseconds: row["expires_at"]))
    }
}
