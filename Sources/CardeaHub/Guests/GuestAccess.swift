import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Passes from the guest's side: redeeming one, presenting it, and the state of its doors. Opening them goes through `Commands`.
public struct GuestAccess: Sendable {
    let store: Store
    let environment: HubEnvironment
    let house: House
    let clock: ClockMonitor
    let nonces: ActionNonces
    let readAuditor: GuestReadAuditor

    public enum GuestAccessError: Error {
        case codeUnknown
        /// Neither a whole link nor a code to type. It is no guess at a code, and is not counted as one.
        case incompleteCode
        case codeExpired
        /// The code is right; the pass behind it is over or paused.
        case pass(Refusal)
        /// The request still waits for approval.
        case waiting(ApprovalWait)
        /// One phone must be approved, and this one does not prove to be the one that asked.
        case anotherPhonePending
        /// The pass wants the phone to verify its owner, and this one does not show that it does.
        case verificationRequired
        /// The passkey that was made for the pass is not taken.
        case passkey(PasskeyError)
        case throttled(TimeInterval)
        /// The house's clock went back: an expired code would be valid again.
        case clockBehind
        /// Not a token of this hub.
        case unauthorized
    }

    /// A phone's wait for approval.
    public struct ApprovalWait: Sendable {
        public let until: Date
        /// Four digits that the house shows beside its question.
        public let number: String
        /// Identifies a phone without a key later; returned with the first answer only.
        public let claimSecret: Secret?
    }

    /// A pass with what its guest may see of the house.
    public struct PresentedPass: Sendable {
        public let guest: Guest
        public let devices: [Device]
        public let house: House.Facts
        public let now: Date
    }

    // MARK: Pairing

    private enum PairingResult: Sendable {
        case paired(guestID: String, Secret)
        case refused(GuestAccessError)
    }

    /// Trades a code for the pass's token, once. The code may be the one read aloud or the link's.
    ///
    /// If the pass requires an approval, the phone is recognised by its key, or by the secret that its first answer gave it.
    ///
    /// - Parameters:
    ///   - code: as it came; a passkey is made for it in that spelling.
    ///   - key: the guest's own; with it, the token alone opens nothing.
    ///   - asksAgain: a phone that has forgotten its pass asks for it with the link that it used. The house has to say yes, whatever the
    ///     pass.
    ///   - verification: by which the phone verifies its owner.
    public func pair(
        _ code: String, key: GuestPublicKey? = nil, claimSecret: Secret? = nil, asksAgain: Bool = false,
        verifying verification: UserVerification = .none, origin: RequestOrigin
    ) async throws -> (token: Secret, pass: PresentedPass) {
        let requester = PairingPhone(key: key, claimSecret: claimSecret, asksForReplacement: asksAgain)
        let digest = try Self.digest(of: code)
        let evidence = try UserVerificationEvidence(verification, for: code)
        let now = environment.now()
        guard !clock.isBehind(at: now) else { throw GuestAccessError.clockBehind }
        let pairing = try await store.write(from: origin, at: now) { context -> PairingResult in
            if let wait = try throttle(digest, in: context) { return .refused(.throttled(wait)) }
            return try redeem(digest, requester, evidence, in: context)
        }
        switch pairing {
        case .refused(let problem): throw problem
        case .paired(let guestID, let token): return (token, try await pass(of: .guest(id: guestID)))
        }
    }

    /// The result of looking at a guest's code, for the phone that looked.
    public struct CodeScan: Sendable {
        /// True if the code was not opened before.
        public let isFirst: Bool
        public let at: Date
        /// The presence requirement of the pass; nil if the code is used.
        public let presence: PresenceRequirement?
        /// When the pass ends; nil if the code is used.
        public let expiresAt: Date?
    }

    /// Says that a phone has seen the QR. Spends nothing.
    public func recordScan(_ code: String, origin: RequestOrigin) async throws -> CodeScan {
        let digest = try Self.digest(of: code)
        let now = environment.now()
        let result = try await store.write(from: origin, at: now) { context -> Result<CodeScan, GuestAccessError> in
            if let wait = try throttle(digest, in: context) { return .failure(.throttled(wait)) }
            guard let row = try Self.code(digest, context.db) else {
                try countWrongCode(in: context)
                return .failure(.codeUnknown)
            }
            // A page may report that the code was seen while its person already redeems it: a redeemed code counts as seen.
            if let redeemed = row["redeemed_at"] as Int64? {
                let at = Date(milliseconds: row["scanned_at"] as Int64? ?? redeemed)
                return .success(CodeScan(isFirst: false, at: at, presence: nil, expiresAt: nil))
            }
            guard row["expires_at"] as Int64 > now.milliseconds else { return .failure(.codeExpired) }
            let presence = try GuestRecords.presence(row["guest_id"], context.db)
            let expiresAt = try GuestRecords.expiresAt(row["guest_id"], context.db)
            if let before = row["scanned_at"] as Int64? {
                return .success(CodeScan(isFirst: false, at: Date(milliseconds: before), presence: presence, expiresAt: expiresAt))
            }
            try context.db.execute(
                sql: "UPDATE guest_codes SET scanned_at = ? WHERE hash = ?", arguments: [now.milliseconds, row["hash"] as Data])
            return .success(CodeScan(isFirst: true, at: now, presence: presence, expiresAt: expiresAt))
        }
        return try result.get()
    }

    private func redeem(
        _ digest: Data, _ requester: PairingPhone, _ evidence: UserVerificationEvidence, in context: AnonymousTransactionContext
    ) throws -> PairingResult {
        guard let row = try Self.code(digest, context.db), let guest = try GuestRecords.one(row["guest_id"], context.db) else {
            try countWrongCode(in: context)
            return .refused(.codeUnknown)
        }
        try countUse(row["hash"], context.now, context.db)
        // A client that shows a code of this house did not guess it: opening a link twice does not throttle others.
        let isUsed = row["redeemed_at"] as Int64? != nil
        if isUsed {
            guard try requester.asksForReplacement && Self.isLatestLink(row, context.db) else {
                return .refused(try rejectUsedCode(guest, in: context))
            }
        }
        let needsYes = guest.requiresApproval || isUsed
        // An ended pass is refused first: a new link would not help.
        var pass = guest.grant
        pass.isApproved = true
        switch Gate.validityRefusal(of: pass, at: context.now) {
        case .none, .suspended, .notYetValid: break
        case .some(let refusal): return .refused(try reject(refusal, guest, in: context))
        }
        // A phone that asked in time may wait for approval, and then take the pass, beyond the code's own five minutes.
        let asked = needsYes ? try GuestPairingRequestRecords.one(of: requester, for: guest.id, context.db) : nil
        let isInTime = asked.map { $0.approvedAt != nil || $0.isWaiting(at: context.now) } ?? false
        guard row["expires_at"] as Int64 > context.now.milliseconds || isInTime else {
            try audit("pair", guest.id, .refused, .pairingCodeExpired, nil, in: context)
            return .refused(.codeExpired)
        }
        if pass.localOnly && !context.origin.isLocal { return .refused(try reject(.forbiddenRemote, guest, in: context)) }
        // Checked before the request reaches the house, so nothing is used up by it.
        if guest.presence == .verified, !evidence.isSufficient(with: requester.key) {
            try audit("pair", guest.id, .refused, .verificationRequired, nil, in: context)
            return .refused(.verificationRequired)
        }
        if needsYes, asked?.approvedAt == nil {
            return .refused(try requestApproval(guest, requester, before: asked, in: context))
        }

        try context.db.execute(
            sql: "UPDATE guest_codes SET redeemed_at = ?, sealed = NULL WHERE guest_id = ? AND redeemed_at IS NULL",
            arguments: [context.now.milliseconds, guest.id])
        try GuestPasskey.save(evidence.passkey, for: guest.id, at: context.now, in: context.db)
        return .paired(
            guestID: guest.id, try assign(guest, to: requester.key, verifies: evidence.isByDeviceKey, in: context))
    }

    /// Gives the pass to a phone, in place of the previous one.
    ///
    /// - Parameter verifies: true if the phone releases its key only after verifying its user.
    func assign(_ guest: Guest, to key: GuestPublicKey?, verifies: Bool = false, in context: AnonymousTransactionContext) throws -> Secret {
        let token = SecretGenerator.token(.guestPass)
        try context.db.execute(
            sql: "UPDATE guest_tokens SET replaced_at = ? WHERE guest_id = ? AND replaced_at IS NULL",
            arguments: [context.now.milliseconds, guest.id])
        try context.db.execute(
            sql: "INSERT INTO guest_tokens (hash, guest_id, created_at, device_id, public_key, verifies) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [token.digest, guest.id, context.now.milliseconds, key?.deviceID, key?.bytes, verifies])
        try GuestPairingRequestRecords.deleteAll(for: guest.id, in: context.db)
        try context.db.execute(
            sql: "UPDATE guests SET paired_at = ?, version = version + 1 WHERE id = ?", arguments: [context.now.milliseconds, guest.id])
        let seq = try Journal.append(.guestChanged, subject: guest.id, data: ["paired": true], at: context.now, in: context.db)
        try audit("pair", guest.id, .done, nil, seq, in: context)
        return token
    }

    /// Records that a phone waits for the owner's approval.
    ///
    /// - Parameter before: the earlier request of this phone.
    private func requestApproval(
        _ guest: Guest, _ requester: PairingPhone, before: GuestPairingRequest?, in context: AnonymousTransactionContext
    ) throws -> GuestAccessError {
        if let before {
            if before.rejectedAt != nil { return try reject(.rejected, guest, in: context) }
            if before.isWaiting(at: context.now) {
                return .waiting(.init(until: before.waitsUntil, number: before.number, claimSecret: nil))
            }
        }
        try GuestPairingRequestRecords.deleteExpired(for: guest.id, at: context.now, in: context.db)
        let others = try GuestPairingRequestRecords.all(for: guest.id, context.db).filter { $0.rejectedAt == nil }
        // Without a key it may be any phone that saw the link.
        guard requester.key != nil || others.isEmpty, others.count < GuestPairingRequestRecords.limit else {
            try audit("pair", guest.id, .refused, .otherPhoneAsked, nil, in: context)
            return .anotherPhonePending
        }
        let claimSecret = requester.key == nil ? SecretGenerator.token(.guestClaim) : nil
        guard let mark = PairingPhone(key: requester.key, claimSecret: claimSecret).digests.first else { return .anotherPhonePending }
        let ask = try GuestPairingRequestRecords.insert(
            "ask_" + environment.newID(), mark: mark, for: guest.id, at: context.now, in: context.db)
        try context.db.execute(
            sql: "UPDATE guests SET approval_asked_at = ?, version = version + 1 WHERE id = ?",
            arguments: [context.now.milliseconds, guest.id])
        let seq = try Journal.append(.guestChanged, subject: guest.id, data: ["asks": true], at: context.now, in: context.db)
        try audit("pair", guest.id, .asked, nil, seq, in: context)
        return .waiting(.init(until: ask.waitsUntil, number: ask.number, claimSecret: claimSecret))
    }

    private func rejectUsedCode(_ guest: Guest, in context: AnonymousTransactionContext) throws -> GuestAccessError {
        try audit("pair", guest.id, .refused, .pairingCodeInvalid, nil, in: context)
        return .codeUnknown
    }

    func reject(_ refusal: Refusal, _ guest: Guest, in context: AnonymousTransactionContext) throws -> GuestAccessError {
        try audit("pair", guest.id, .refused, refusal.auditReason, nil, in: context)
        return .pass(refusal)
    }

    // MARK: Reading a pass

    /// Returns the principal of a token. The token of a pass that has ended is still known, so that the reason can be given.
    ///
    /// - Parameter isLook: true if the request tries nothing. A token that lost its pass to another phone is no failed attempt then.
    public func authenticate(_ token: Secret, isLook: Bool = false, origin: RequestOrigin) async throws -> Principal {
        let now = environment.now()
        let known = try await store.read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT guest_id, replaced_at FROM guest_tokens WHERE hash = ?"), arguments: [token.digest]
            ).map { (guestID: $0["guest_id"] as String, replacedAt: $0["replaced_at"] as Int64?) }
        }
        if let known {
            if let replacedAt = known.replacedAt {
                if isLook {
                    try await readAuditor.record("guest_token", with: known.guestID, reason: .tokenReplaced, origin: origin)
                    throw GuestAccessError.pass(.revoked(at: Date(milliseconds: replacedAt)))
                }
                let wait = try await store.write(from: origin, at: now) { context -> TimeInterval? in
                    let entry = AuditLog.Entry(
                        who: .guest(known.guestID), action: "guest_token", grantID: known.guestID, result: .refused, reason: .tokenReplaced)
                    return try FailedAttemptLog.recordFailure(entry, in: context)
                }
                if let wait { throw GuestAccessError.throttled(wait) }
                throw GuestAccessError.pass(.revoked(at: Date(milliseconds: replacedAt)))
            }
            return .guest(id: known.guestID)
        }
        let wait = try await store.write(from: origin, at: now) { context -> TimeInterval? in
            let entry = AuditLog.Entry(who: .stranger, action: "guest_token", result: .refused, reason: .unauthorized)
            return try FailedAttemptLog.recordFailure(entry, in: context)
        }
        if let wait { throw GuestAccessError.throttled(wait) }
        throw GuestAccessError.unauthorized
    }

    /// Returns whether a token, given by its SHA-256, is the current one of its pass and not that of an earlier phone.
    static func isCurrent(_ token: Data, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM guest_tokens WHERE hash = ? AND replaced_at IS NULL"), arguments: [token]) == true
    }

    /// The pass behind a token, whatever its standing.
    public func pass(of principal: Principal) async throws -> PresentedPass {
        guard case .guest(let id) = principal else { throw GuestAccessError.unauthorized }
        guard let guest = try await store.read({ try GuestRecords.one(id, $0) }) else { throw GuestAccessError.unauthorized }
        return try await presented(guest, at: environment.now())
    }

    /// The pass behind a token that may be used now, or why it may not.
    public func validPass(of principal: Principal, origin: RequestOrigin) async throws -> PresentedPass {
        let pass = try await pass(of: principal)
        if let refusal = Gate.validityRefusal(of: pass.guest.grant, at: pass.now) { throw GuestAccessError.pass(refusal) }
        if pass.guest.grant.localOnly && !origin.isLocal { throw GuestAccessError.pass(.forbiddenRemote) }
        return pass
    }

    /// The same, if its doors may be looked at now: outside its hours a pass sees the names of its doors and its hours alone.
    public func openPass(of principal: Principal, origin: RequestOrigin) async throws -> PresentedPass {
        let pass = try await validPass(of: principal, origin: origin)
        let zone = pass.house.timeZone
        if let schedule = pass.guest.grant.schedule, !schedule.contains(pass.now, in: zone) {
            throw GuestAccessError.pass(.outsideSchedule(next: schedule.nextOpening(after: pass.now, in: zone)))
        }
        return pass
    }

    /// Makes the nonce that the key of a pass has to sign next. It is issued in every state of the pass: it opens nothing by itself, and
    /// the outcome of an earlier call can still be read with it.
    public func nonce(for token: Secret) throws -> (nonce: String, jti: String, expiresAt: Date, now: Date) {
        let now = environment.now()
        let (nonce, expiresAt) = try nonces.make(for: token.digest, at: now)
        return (nonce, GuestDeviceKey.jti(of: token.digest), expiresAt, now)
    }

    /// A pass that is over, or is used up and paused, names nothing of the house any more: it would be by the names of today.
    private func presented(_ guest: Guest, at now: Date) async throws -> PresentedPass {
        let isIdle = guest.grant.suspendedAt != nil && guest.status(at: now) == .usedUp
        if guest.endedReason(at: now) != nil || isIdle {
            var nameless = house.current
            nameless.name = ""
            return PresentedPass(guest: guest, devices: [], house: nameless, now: now)
        }
        let devices = try await store.read { db in
            var seen = Set<String>()
            return try guest.items.map(\.deviceID).filter { seen.insert($0).inserted }.compactMap { try DeviceRecords.one($0, db) }
        }
        return PresentedPass(guest: guest, devices: devices, house: house.current, now: now)
    }

    // MARK: Codes

    /// A code is looked up by its hash alone, so that the answer does not reveal how near a guess was.
    private static func digest(of code: String) throws(GuestAccessError) -> Data {
        guard let code = PassCode.normalized(code) else { throw .incompleteCode }
        return code.digest
    }

    private static func code(_ digest: Data, _ db: Database) throws -> Row? {
        try Row.fetchOne(db, sql: "SELECT * FROM guest_codes WHERE hash = ?", arguments: [digest])
    }

    /// Returns whether this is the latest link of the pass, the one that brought it to its present phone.
    private static func isLatestLink(_ code: Row, _ db: Database) throws -> Bool {
        guard code["kind"] == "link" else { return false }
        let latest = try Data.fetchOne(
            db,
            sql:
                "SELECT hash FROM guest_codes WHERE guest_id = ? AND kind = 'link' ORDER BY redeemed_at IS NULL DESC, redeemed_at DESC LIMIT 1",
            arguments: [code["guest_id"] as String])
        return latest == code["hash"] as Data
    }

    private func throttle(_ digest: Data, in context: AnonymousTransactionContext) throws -> TimeInterval? {
        var subjects: [(ThrottleRecords.Scope, String)] = [(.sameCode, Self.throttleKey(digest))]
        // Guesses at unknown codes are throttled together; a right code is accepted however many others guess.
        if try Self.code(digest, context.db) == nil { subjects.append((.codeHouse, "house")) }
        if let remote = context.origin.network { subjects.append((.codeAddress, remote)) }
        return try ThrottleRecords.wait(subjects, at: context.now, in: context.db)
    }

    private func countWrongCode(in context: AnonymousTransactionContext) throws {
        try ThrottleRecords.recordFailure(.codeHouse, "house", at: context.now, in: context.db)
        if let remote = context.origin.network { try ThrottleRecords.recordFailure(.codeAddress, remote, at: context.now, in: context.db) }
        try FailedAttemptLog.record(.init(who: .stranger, action: "pair", result: .refused, reason: .pairingCodeInvalid), in: context)
    }

    private func countUse(_ hash: Data, _ now: Date, _ db: Database) throws {
        try ThrottleRecords.recordFailure(.sameCode, Self.throttleKey(hash), at: now, in: db)
    }

    private static func throttleKey(_ digest: Data) -> String { digest.prefix(16).base64EncodedString() }

    private func audit(
        _ action: String, _ guestID: String, _ result: AuditLog.Outcome, _ reason: AuditReason?, _ seq: Int64?,
        in context: AnonymousTransactionContext
    ) throws {
        try AuditLog.append(
            .init(who: .guest(guestID), action: action, grantID: guestID, result: result, reason: reason, journalSeq: seq), in: context)
    }
}
