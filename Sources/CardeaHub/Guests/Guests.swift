import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Passes for people who do not live here, from the owner's side: letting in, seeing, pausing and taking back.
public struct Guests: Sendable {
    let store: Store
    let sealing: SealingKey
    let idempotency: IdempotencyStore
    let activity: ActivityLog
    let environment: HubEnvironment
    let house: House

    /// A code to read aloud is good for 5 minutes.
    static let spokenCodeLifetime: TimeInterval = 300
    /// A pass lasts ten years at most; longer is a mistake in the date.
    static let maxDuration: TimeInterval = 3660 * 86_400

    public enum GuestError: Error {
        case notFound
        case name(Name.NameError)
        /// A field of the pass is invalid; the message says why.
        case invalid(field: String, message: String)
        case forbidden(Refusal)
        /// The pass is over, or there is nothing to approve.
        case conflict(String)
        /// The link has been redeemed, or the pass is over.
        case gone
        /// Several phones wait, and the approval does not name one.
        case severalPhones(numbers: [String])
    }

    /// A new pass, as the owner drew it up.
    public struct Draft: Sendable {
        public var name: String
        public var items: [Item]
        public var startsAt: Date?
        public var expiresAt: Date
        public var schedule: WeeklySchedule?
        public var useLimit: Int
        public var requiresApproval: Bool
        public var asksEachTime: Bool
        public var localOnly: Bool
        public var presence: PresenceRequirement

        public struct Item: Sendable {
            public var deviceID: String
            public var entityID: String?
            public var actions: [String]

            public init(deviceID: String, entityID: String?, actions: [String]) {
                self.deviceID = deviceID
                self.entityID = entityID
                self.actions = actions
            }
        }

        public init(
            name: String, items: [Item], startsAt: Date?, expiresAt: Date, schedule: WeeklySchedule?, useLimit: Int,
            requiresApproval: Bool, asksEachTime: Bool, localOnly: Bool, presence: PresenceRequirement = .hold
        ) {
            self.name = name
            self.items = items
            self.startsAt = startsAt
            self.expiresAt = expiresAt
            self.schedule = schedule
            self.useLimit = useLimit
            self.requiresApproval = requiresApproval
            self.asksEachTime = asksEachTime
            self.localOnly = localOnly
            self.presence = presence
        }
    }

    /// The codes that the owner gives to the guest, returned once.
    public struct Codes: Codable, Sendable {
        public let guestID: String
        let spoken: String
        public let spokenExpiresAt: Date
        let link: String

        public var spokenCode: Secret { Secret(spoken) }
        public var linkCode: Secret { Secret(link) }
    }

    // MARK: Inviting

    /// Invites a guest. It asks for a step-up, so that a session left open cannot give a pass away.
    public func invite(
        _ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (codes: Codes, isReplay: Bool) {
        let name: String
        do { name = try Name.check(draft.name) } catch { throw GuestError.name(error) }
        let now = environment.now()
        try validate(draft, at: now)
        let id = "guest_" + environment.newID()
        let outcome = try await store.auditedWrite("guest.invite", by: principal, origin: origin, at: now) { context in
            try idempotency.run(call, in: context) {
                let person = try People.require(.inviteGuests, of: principal, in: context.db)
                try Sessions.requireStepUp(principal, at: now, in: context.db)
                guard try !ConfusableNames.isResident(name, context.db) else {
                    throw GuestError.invalid(field: "name", message: ConfusableNames.message)
                }
                let items = try GuestGrantResolver.resolve(draft.items, grantedBy: person.grant, in: context.db)
                try Self.insert(id: id, name: name, draft, items, by: person.id, at: now, in: context.db)
                try AccessChanges.record(.pass, id, in: context)
                let seq = try Journal.append(.guestChanged, subject: id, at: now, in: context.db)
                try Self.audit("guest.invite", id, seq, in: context)
                return try newCodes(for: id, expiresAt: draft.expiresAt, at: now, in: context.db)
            }
        }
        return (outcome.answer, outcome.isReplay)
    }

    /// Makes a new code and a new link; the earlier ones end. Redeeming it moves the pass away from the phone that has it.
    public func newCode(for id: String, by principal: Principal, origin: RequestOrigin) async throws -> Codes {
        let now = environment.now()
        return try await store.auditedWrite("guest.new_code", on: .guest(id), by: principal, origin: origin, at: now) { context in
            let person = try People.require(.inviteGuests, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let guest = try Self.require(id, context.db)
            try GuestGrantResolver.requireGrantable(guest, grantedBy: person.grant, in: context.db)
            if let over = guest.endedReason(at: now) { throw GuestError.conflict(over) }
            try context.db.execute(sql: "DELETE FROM guest_codes WHERE guest_id = ? AND redeemed_at IS NULL", arguments: [id])
            try GuestPairingRequestRecords.deleteAll(for: id, in: context.db)
            try AccessChanges.record(.pass, id, in: context)
            if !guest.grant.isApproved {
                try context.db.execute(
                    sql: "UPDATE guests SET approval_asked_at = NULL, version = version + 1 WHERE id = ?", arguments: [id])
            }
            try Self.audit("guest.new_code", id, nil, in: context)
            return try newCodes(for: id, expiresAt: guest.expiresAt, at: now, in: context.db)
        }
    }

    /// Returns the code of the current link, for its QR code. It can take the pass over, so it needs a step-up.
    public func linkCode(of id: String, by principal: Principal) async throws -> Secret {
        let now = environment.now()
        return try await store.read { db in
            let person = try People.require(.inviteGuests, of: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            let guest = try Self.require(id, db)
            try GuestGrantResolver.requireGrantable(guest, grantedBy: person.grant, in: db)
            let row = try Row.fetchOne(
                db,
                sql:
                    "SELECT hash, sealed FROM guest_codes WHERE guest_id = ? AND kind = 'link' AND redeemed_at IS NULL AND sealed IS NOT NULL",
                arguments: [id])
            guard guest.endedReason(at: now) == nil, let row else { throw GuestError.gone }
            return Secret(String(decoding: try sealing.open(row["sealed"], for: Self.sealingLabel(row["hash"])), as: UTF8.self))
        }
    }

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Guest] {
        try await store.read { db in
            try People.require(.inviteGuests, of: principal, in: db)
            return try GuestRecords.all(db)
        }
    }

    public func guest(_ id: String, seenBy principal: Principal) async throws -> Guest {
        try await store.read { db in
            try People.require(.inviteGuests, of: principal, in: db)
            return try Self.require(id, db)
        }
    }

    /// A guest with the history of their pass.
    public func one(
        _ id: String, seenBy principal: Principal, origin: RequestOrigin
    ) async throws -> (guest: Guest, history: [ActivityLog.Entry]) {
        let found = try await store.read { db in
            try People.require(.inviteGuests, of: principal, in: db)
            let guest = try Self.require(id, db)
            return (guest, try activity.entries(.init(guestID: id, limit: 200), in: db))
        }
        await activity.recordRead(of: id, by: principal, origin: origin)
        return found
    }

    // MARK: Changing

    public enum Decision: String, Sendable, CaseIterable {
        case approve, reject, suspend, resume, revoke
    }

    /// - Parameter number: the phone, if phones request the pass. A rejection with a number is for this phone, and without one for the pass
    /// as well.
    public func decide(
        _ decision: Decision, _ id: String, number: String? = nil, by principal: Principal, origin: RequestOrigin
    ) async throws -> Guest {
        let now = environment.now()
        return try await store.auditedWrite("guest.\(decision.rawValue)", on: .guest(id), by: principal, origin: origin, at: now) {
            context in
            let person = try People.require(.inviteGuests, of: principal, in: context.db)
            let guest = try Self.require(id, context.db)
            if decision == .approve || decision == .resume {
                try GuestGrantResolver.requireGrantable(guest, grantedBy: person.grant, in: context.db)
            }
            if decision != .revoke, let over = guest.endedReason(at: now) { throw GuestError.conflict(over) }
            let change: String? =
                switch decision {
                case .approve: try Self.approve(guest, number, in: context)
                case .reject: try Self.reject(guest, number, at: now, in: context.db)
                case .suspend: "suspended_at = coalesce(suspended_at, :now)"
                case .resume: "suspended_at = NULL"
                case .revoke: "revoked_at = coalesce(revoked_at, :now)"
                }
            try context.db.execute(
                sql: "UPDATE guests SET \(change.map { "\($0), " } ?? "")version = version + 1 WHERE id = :id",
                arguments: change?.contains(":now") == true ? ["id": id, "now": now.milliseconds] : ["id": id])
            if decision == .approve || decision == .resume { try AccessChanges.record(.pass, id, in: context) }
            let after = try Self.require(id, context.db)
            if decision == .revoke || after.grant.rejectedAt != nil { try Self.dropSealedCodes(of: id, in: context.db) }
            let seq = try Journal.append(
                .guestChanged, subject: id, data: ["decision": .string(decision.rawValue)], at: now, in: context.db)
            try Self.audit("guest.\(decision.rawValue)", id, seq, in: context)
            return after
        }
    }

    /// Approves the only waiting phone, or the one with that number; the others are rejected.
    ///
    /// - Returns: the change of the pass, in SQL; nil for none.
    private static func approve(_ guest: Guest, _ number: String?, in context: TransactionContext) throws -> String? {
        let waiting = try GuestPairingRequestRecords.all(for: guest.id, context.db).filter { $0.isWaiting(at: context.now) }
        guard !waiting.isEmpty else { throw GuestError.conflict(nothingPending) }
        try Sessions.requireStepUp(context.principal, at: context.now, in: context.db)
        guard number != nil || waiting.count == 1 else { throw GuestError.severalPhones(numbers: waiting.map(\.number)) }
        guard let ask = waiting.first(where: { number == nil || $0.number == number }) else { throw GuestError.conflict(nothingPending) }
        try GuestPairingRequestRecords.approve(ask, at: context.now, in: context.db)
        return guest.requiresApproval ? "approved_at = coalesce(approved_at, :now)" : nil
    }

    /// Says no to the phone of that number; without one, to all that wait, and to a pass that no phone has had yet.
    ///
    /// - Returns: the change of the pass, in SQL; nil for none.
    private static func reject(_ guest: Guest, _ number: String?, at now: Date, in db: Database) throws -> String? {
        let waiting = try GuestPairingRequestRecords.all(for: guest.id, db).filter { $0.isWaiting(at: now) }
        let refused = waiting.filter { number == nil || $0.number == number }
        guard !refused.isEmpty || number == nil && !guest.grant.isApproved else {
            throw GuestError.conflict(nothingPending)
        }
        try GuestPairingRequestRecords.reject(refused, at: now, in: db)
        if number == nil, !guest.grant.isApproved { return "rejected_at = coalesce(rejected_at, :now)" }
        return refused.count == waiting.count ? "approval_asked_at = NULL" : nil
    }

    private static let nothingPending = "nothing waits for a yes"

    /// Takes every pass back that is not over yet. Returns how many.
    public func revokeAll(by principal: Principal, origin: RequestOrigin) async throws -> Int {
        let now = environment.now()
        return try await store.auditedWrite("guest.revoke", by: principal, origin: origin, at: now) { context in
            try People.require(.inviteGuests, of: principal, in: context.db)
            let ids = try String.fetchAll(
                context.db, sql: "SELECT id FROM guests WHERE revoked_at IS NULL AND expires_at > ?", arguments: [now.milliseconds])
            for id in ids {
                try context.db.execute(
                    sql: "UPDATE guests SET revoked_at = ?, version = version + 1 WHERE id = ?", arguments: [now.milliseconds, id])
                try Self.dropSealedCodes(of: id, in: context.db)
                let seq = try Journal.append(.guestChanged, subject: id, data: ["decision": "revoke"], at: now, in: context.db)
                try Self.audit("guest.revoke", id, seq, in: context)
            }
            return ids.count
        }
    }
}

extension Guest {
    /// The reason why the pass has ended; nil if it has not.
    func endedReason(at now: Date) -> String? {
        switch Gate.validityRefusal(of: grant, at: now) {
        case .revoked: "revoked"
        case .expired: "expired"
        case .rejected: "rejected"
        default: nil
        }
    }
}

// MARK: Rows

extension Guests {
    private static func require(_ id: String, _ db: Database) throws -> Guest {
        guard let guest = try GuestRecords.one(id, db) else { throw GuestError.notFound }
        return guest
    }

    private func validate(_ draft: Draft, at now: Date) throws {
        if let startsAt = draft.startsAt, startsAt >= draft.expiresAt {
            throw GuestError.invalid(field: "starts_at", message: "must be before expires_at")
        }
        guard draft.expiresAt > now else { throw GuestError.invalid(field: "expires_at", message: "must be in the future") }
        guard draft.expiresAt < now.addingTimeInterval(Self.maxDuration) else {
            throw GuestError.invalid(field: "expires_at", message: "must be within ten years from now")
        }
        guard (0...1_000_000).contains(draft.useLimit) else {
            throw GuestError.invalid(field: "max_uses", message: "must be from 1 to 1000000, or 0 for no limit")
        }
        guard (1...32).contains(draft.items.count) else {
            throw GuestError.invalid(field: "grants", message: "must have 1 to 32 devices")
        }
    }

    private static func insert(
        id: String, name: String, _ draft: Draft, _ items: [GuestGrantResolver.ResolvedItem], by personID: String, at now: Date,
        in db: Database
    ) throws {
        let schedule = try draft.schedule.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try db.execute(
            sql: """
                INSERT INTO guests (id, name, created_by, created_at, starts_at, expires_at, schedule, use_limit, requires_approval,
                    asks_each_time, local_only, presence) VALUES (?1, sealed(?, 'guests.name', ?1), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, name, personID, now.milliseconds, draft.startsAt?.milliseconds, draft.expiresAt.milliseconds, schedule, draft.useLimit,
                draft.requiresApproval, draft.asksEachTime, draft.localOnly, draft.presence.rawValue,
            ])
        for (position, item) in items.enumerated() {
            try db.execute(
                sql: "INSERT INTO guest_items (guest_id, position, device_id, entity_id, actions) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, position, item.deviceID, item.entityID, try JSONText.encode(.array(item.actions.map(JSONValue.string)))])
        }
    }

    private func newCodes(for id: String, expiresAt: Date, at now: Date, in db: Database) throws -> Codes {
        let (spoken, link) = (SecretGenerator.spokenCode(), SecretGenerator.token(.guestLink))
        let spokenExpiresAt = min(now.addingTimeInterval(Self.spokenCodeLifetime), expiresAt)
        let sealed = try sealing.seal(Data(link.reveal().utf8), for: Self.sealingLabel(link.digest))
        try db.execute(
            sql: "INSERT INTO guest_codes (hash, guest_id, kind, expires_at) VALUES (?, ?, 'spoken', ?)",
            arguments: [spoken.digest, id, spokenExpiresAt.milliseconds])
        try db.execute(
            sql: "INSERT INTO guest_codes (hash, guest_id, kind, expires_at, sealed) VALUES (?, ?, 'link', ?, ?)",
            arguments: [link.digest, id, expiresAt.milliseconds, sealed])
        return Codes(guestID: id, spoken: spoken.reveal(), spokenExpiresAt: spokenExpiresAt, link: link.reveal())
    }

    static func dropSealedCodes(of id: String, in db: Database) throws {
        try db.execute(sql: "UPDATE guest_codes SET sealed = NULL WHERE guest_id = ?", arguments: [id])
    }

    static func sealingLabel(_ digest: Data) -> String { "guest_codes/\(digest.base64EncodedString())/sealed" }

    private static func audit(_ action: String, _ id: String, _ seq: Int64?, in context: TransactionContext) throws {
        try AuditLog.append(.init(who: .init(context.principal), action: action, grantID: id, result: .done, journalSeq: seq), in: context)
    }
}
