import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The residents: their data and rights, and how they are invited and removed.
public struct People: Sendable {
    let store: Store
    let passwords: PasswordHasher
    let sessions: Sessions
    let idempotency: IdempotencyStore
    let live: SessionCache
    let clock: ClockMonitor
    let environment: HubEnvironment
    let house: House

    /// The time within which an invitation can be accepted: 7 days.
    static let invitationLifetime: TimeInterval = 7 * 86_400

    public enum PersonError: Error {
        case notFound
        case name(Name.NameError)
        case username(String)
        case usernameTaken
        case password(String)
        case unknownRole
        case lastOwner
        case forbidden(Refusal)
        /// An API token cannot change the set-up: it cannot confirm the person's identity.
        case forbiddenToProgram
        case alreadyClaimed
        /// The claim or invitation is not one of ours, was used, or is too old.
        case invalidToken
        case alreadyJoined
        case wrongPassword
        /// Another person changed them meanwhile.
        case stale(Person)
    }

    // MARK: Claiming the house

    public struct Claim: Sendable {
        public var token: Secret
        public var username: String
        public var password: Secret
        public var name: String?
        public var houseName: String
        public var timeZone: String?

        public init(token: Secret, username: String, password: Secret, name: String?, houseName: String, timeZone: String?) {
            self.token = token
            self.username = username
            self.password = password
            self.name = name
            self.houseName = houseName
            self.timeZone = timeZone
        }
    }

    /// Makes the first owner, once.
    public func claim(_ claim: Claim, origin: RequestOrigin) async throws -> SessionTokens {
        if house.current.isClaimed { throw PersonError.alreadyClaimed }
        let houseName = try Self.validatedName(claim.houseName)
        let username = try Self.validatedUsername(claim.username)
        let name = try Self.validatedName(claim.name ?? username)
        let zone = try claim.timeZone.map { identifier in
            guard let zone = TimeZoneName.zone(identifier) else { throw PersonError.name(.invalidCharacters) }
            return zone.identifier
        }
        let token = TokenKind.claim.token(in: claim.token.reveal()) ?? claim.token
        let isOurs = try await store.read { try PeopleRecords.isClaimToken(token, $0) }
        guard isOurs == true else {
            if isOurs == nil && house.current.isClaimed { throw PersonError.alreadyClaimed }
            let now = environment.now()
            try await store.write(from: origin, at: now) {
                try FailedAttemptLog.recordRefusal("house.claim", reason: .invalidToken, in: $0)
            }
            throw PersonError.invalidToken
        }
        let hash = try await passwords.hash(Self.validatedPassword(claim.password, names: [username, name, houseName]))
        let (now, id) = (environment.now(), "person_" + environment.newID())
        let begun = try await store.write(from: origin, at: now) { context in
            guard try PeopleRecords.claimHouse(by: token, named: houseName, timeZone: zone, at: now, in: context.db) else {
                throw PersonError.alreadyClaimed
            }
            try PeopleRecords.insert(id: id, username: username, name: name, role: .owner, hash: hash, at: now, in: context.db)
            let seq = try Journal.append(.houseChanged, subject: id, data: ["claimed": true], at: now, in: context.db)
            try AuditLog.append(.init(who: .person(id), action: "house.claim", result: .done, journalSeq: seq), in: context)
            return (tokens: try sessions.start(personID: id, by: .claim, in: context), facts: try House.read(context.db))
        } committed: { [house] in
            house.refresh($0.facts)
        }
        return try await sessions.tokens(begun.tokens)
    }

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Person] {
        try await store.read { db in
            try Self.require(.controlDevices, of: principal, in: db)
            return try PeopleRecords.all(db)
        }
    }

    /// Returns whether the principal may see the state of all devices.
    public func seesDevices(_ principal: Principal) async throws -> Bool {
        guard case .person(_, let sessionID) = principal else { return false }
        return try await live.person(of: sessionID, at: environment.now())?.rights.contains(.controlDevices) == true
    }

    /// Requires the right to change settings; a denial is recorded in the audit log.
    public func requireSettingsRight(for action: String, by principal: Principal, origin: RequestOrigin) async throws {
        try await store.audited(action, by: principal, origin: origin, at: environment.now()) {
            try await store.read { _ = try Self.require(.modifySettings, of: principal, in: $0) }
        }
    }

    public func person(_ id: String) async throws -> Person? {
        try await store.read { try PeopleRecords.one(id, $0) }
    }

    /// Returns a person as they see themselves, with their temperature unit, in one read. Nil if they do not live here any more.
    public func profile(_ id: String) async throws -> (person: Person, temperatureUnit: TemperatureUnit)? {
        try await store.read { try PeopleRecords.profile(id, $0) }
    }

    // MARK: Inviting and joining

    public struct Invitation: Sendable, Codable {
        public let personID: String
        let token: String
        public let expiresAt: Date

        public var secret: Secret { Secret(token) }
    }

    /// Invites a person to live here. They accept with the token and choose their own password.
    public func invite(
        name: String, role: String, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (invitation: Invitation, isReplay: Bool) {
        let name = try Self.validatedName(name)
        guard let role = Role(named: role) else { throw PersonError.unknownRole }
        let (now, id) = (environment.now(), "person_" + environment.newID())
        let outcome = try await store.auditedWrite("people.invite", by: principal, origin: origin, at: now) { context in
            try idempotency.run(call, in: context) {
                try Self.requireManaging(role, by: principal, in: context.db)
                try Sessions.requireStepUp(principal, at: now, in: context.db)
                try PeopleRecords.insert(id: id, username: nil, name: name, role: role, hash: nil, at: now, in: context.db)
                try AccessChanges.record(.person, id, in: context)
                let seq = try Journal.append(.personChanged, subject: id, at: now, in: context.db)
                try AuditLog.append(
                    .init(who: .init(principal), action: "people.invite", grantID: "role:\(id)", result: .done, journalSeq: seq),
                    in: context)
                return try Self.newInvitation(for: id, at: now, in: context.db)
            }
        }
        return (outcome.answer, outcome.isReplay)
    }

    /// Makes a new invitation for a person who has not accepted yet; the earlier one ends.
    public func renewInvitation(_ id: String, by principal: Principal, origin: RequestOrigin) async throws -> Invitation {
        let now = environment.now()
        return try await store.auditedWrite("people.invite", on: .person(id), by: principal, origin: origin, at: now) { context in
            try Self.require(.managePeople, of: principal, in: context.db)
            guard let person = try PeopleRecords.one(id, context.db) else { throw PersonError.notFound }
            try Self.requireManaging(person.role, by: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            guard person.username == nil else { throw PersonError.alreadyJoined }
            try PeopleRecords.endInvitations(of: id, in: context.db)
            try AccessChanges.record(.person, id, in: context)
            try AuditLog.append(.init(who: .init(principal), action: "people.invite", grantID: "role:\(id)", result: .done), in: context)
            return try Self.newInvitation(for: id, at: now, in: context.db)
        }
    }

    public func accept(_ token: Secret, username: String, password: Secret, origin: RequestOrigin) async throws -> SessionTokens {
        let token = TokenKind.invitation.token(in: token.reveal()) ?? token
        let username = try Self.validatedUsername(username)
        let now = environment.now()
        try clock.requireNotBehind(at: now)
        let invitee = try await store.read { db in
            try PeopleRecords.invitee(token, at: now, db).flatMap { try PeopleRecords.one($0, db) }
        }
        guard let invitee else {
            try await store.write(from: origin, at: now) {
                try FailedAttemptLog.recordRefusal("people.join", reason: .invalidToken, in: $0)
            }
            throw PersonError.invalidToken
        }
        let password = try Self.validatedPassword(password, names: [username, invitee.name, house.current.name])
        let hash = try await passwords.hash(password)
        let tokens = try await store.write(from: origin, at: now) { context in
            guard let id = try PeopleRecords.invitee(token, at: now, context.db) else { throw PersonError.invalidToken }
            guard try PeopleRecords.isUsernameAvailable(username, context.db) else { throw PersonError.usernameTaken }
            try PeopleRecords.accept(token, of: id, username: username, hash: hash, at: now, in: context.db)
            let seq = try Journal.append(.personChanged, subject: id, at: now, in: context.db)
            try AuditLog.append(.init(who: .person(id), action: "people.join", result: .done, journalSeq: seq), in: context)
            return try sessions.start(personID: id, by: .invitation, in: context)
        }
        return try await sessions.tokens(tokens)
    }

    private static func newInvitation(for id: String, at now: Date, in db: Database) throws -> Invitation {
        let token = SecretGenerator.token(.invitation)
        let expiresAt = now.addingTimeInterval(invitationLifetime)
        try PeopleRecords.invite(id, by: token, until: expiresAt, in: db)
        return Invitation(personID: id, token: token.reveal(), expiresAt: expiresAt)
    }

    // MARK: Changing and removing

    public struct Change: Sendable {
        public var name: String?
        public var role: String?
        public var canInviteGuests: Bool?
        public var disabled: Bool?

        public init(name: String?, role: String?, canInviteGuests: Bool?, disabled: Bool?) {
            self.name = name
            self.role = role
            self.canInviteGuests = canInviteGuests
            self.disabled = disabled
        }
    }

    public func change(
        _ id: String, _ change: Change, seen: ExpectedVersion = .any, by principal: Principal, origin: RequestOrigin
    ) async throws -> Person {
        let name = try change.name.map(Self.validatedName)
        let role = try change.role.map { text in
            guard let role = Role(named: text) else { throw PersonError.unknownRole }
            return role
        }
        let now = environment.now()
        return try await store.auditedWrite("people.change", on: .person(id), by: principal, origin: origin, at: now) { context in
            // People may change their own name; everything else needs the right to manage people.
            let isOwnName = principal.personID == id && role == nil && change.canInviteGuests == nil && change.disabled == nil
            if !isOwnName { try Self.require(.managePeople, of: principal, in: context.db) }
            guard let person = try PeopleRecords.one(id, context.db) else { throw PersonError.notFound }
            if !isOwnName {
                try Self.requireManaging(person.role, by: principal, in: context.db)
                if let role { try Self.requireManaging(role, by: principal, in: context.db) }
            }
            if role != nil || change.canInviteGuests != nil || change.disabled != nil {
                try Sessions.requireStepUp(principal, at: now, in: context.db)
            }
            guard seen.allows(person.version) else { throw PersonError.stale(person) }
            if let name, name != person.name { try PreviousNames.add(person.name, of: id, in: context.db) }
            try Self.preservingOwner { try PeopleRecords.change(id, name: name, role: role, change, in: context.db) }
            if change.disabled == true { try Sessions.endAll(of: id, reason: "disabled", at: now, in: context.db) }
            if change.disabled != true, !isOwnName { try AccessChanges.record(.person, id, in: context) }
            guard let changed = try PeopleRecords.one(id, context.db) else { throw PersonError.notFound }
            let seq = try Journal.append(
                .personChanged, subject: id, data: RuleChange.data(from: person, to: changed), at: now, in: context.db)
            try AuditLog.append(
                .init(who: .init(principal), action: "people.change", grantID: "role:\(id)", result: .done, journalSeq: seq), in: context)
            return changed
        }
    }

    /// Removes a person from the house; their sessions end in the same commit.
    public func remove(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("people.remove", on: .person(id), by: principal, origin: origin, at: now) { context in
            try Self.require(.managePeople, of: principal, in: context.db)
            guard let person = try PeopleRecords.one(id, context.db) else { throw PersonError.notFound }
            try Self.requireManaging(person.role, by: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            try Self.preservingOwner { try PeopleRecords.remove(id, at: now, in: context.db) }
            try Notices.delete(id, in: context.db)
            try AutomationReferences.removeDepartedPeople(at: now, in: context.db)
            try Sessions.endAll(of: id, reason: "removed", at: now, in: context.db)
            try PersonCredentials.deleteAll(of: id, at: now, in: context.db)
            let seq = try Journal.append(.personChanged, subject: id, data: ["removed": true], at: now, in: context.db)
            try AuditLog.append(
                .init(who: .init(principal), action: "people.remove", grantID: "role:\(id)", result: .done, journalSeq: seq), in: context)
        }
    }

    /// Chooses a new password. The old one must be shown, or else a passkey or a recovery code, just now, in this session.
    public func changePassword(from current: Secret?, to new: Secret, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        let (id, sessionID) = try await store.audited("people.password", by: principal, origin: origin, at: now) {
            try principal.asPerson()
        }
        let verified = try await store.audited("people.password", by: principal, origin: origin, at: now) { () -> String? in
            if let current { return try await sessions.checkPassword(current, of: id, for: "people.password", origin: origin, at: now) }
            try await store.read { try Sessions.requireStepUp(principal, by: \.replacesPassword, at: now, in: $0) }
            return nil
        }
        let person = try await store.read { try PeopleRecords.one(id, $0) }
        let names = [person?.username, person?.name, house.current.name].compactMap { $0 }
        let hash = try await passwords.hash(Self.validatedPassword(new, names: names))
        try await store.write(from: origin, at: now) { context in
            // Hashing takes time: earlier checks are repeated inside the transaction.
            try Sessions.requireOpen(sessionID, in: context.db)
            if verified == nil { try Sessions.requireStepUp(principal, by: \.replacesPassword, at: now, in: context.db) }
            guard try PeopleRecords.changePassword(of: id, from: verified, to: hash, in: context.db) else {
                throw PersonError.wrongPassword
            }
            try Sessions.endAll(of: id, except: sessionID, reason: "password_changed", at: now, in: context.db)
            try AuditLog.append(.init(who: .person(id), action: "people.password", result: .done), in: context)
        }
    }
}

// MARK: Rules

extension People {
    /// Requires that the principal holds `right` now.
    @discardableResult
    static func require(_ right: Right, of principal: Principal, in db: Database) throws -> Person {
        if case .apiToken = principal { throw PersonError.forbiddenToProgram }
        guard case .person(let id, _) = principal, let person = try PeopleRecords.one(id, db) else {
            throw PersonError.forbidden(.noGrant)
        }
        guard person.rights.contains(right) else { throw PersonError.forbidden(.roleLacksRight) }
        return person
    }

    /// Only an owner handles owners and admins.
    static func requireManaging(_ role: Role, by principal: Principal, in db: Database) throws {
        let person = try require(.managePeople, of: principal, in: db)
        guard person.role.mayManage(role) else { throw PersonError.forbidden(.roleLacksRight) }
    }

    /// Returns whether the principal may do for a person what that person may do for themselves.
    static func manages(_ personID: String, _ principal: Principal, in db: Database) throws -> Bool {
        guard let person = try PeopleRecords.one(personID, db) else { return false }
        do {
            try requireManaging(person.role, by: principal, in: db)
            return true
        } catch is PersonError { return false }
    }

    /// Turns the store's refusal to lose the last owner, made by a trigger, into its own error.
    private static func preservingOwner(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.message == "last_owner" {
            throw PersonError.lastOwner
        }
    }

    private static func validatedName(_ name: String) throws -> String {
        do { return try Name.check(name) } catch { throw PersonError.name(error) }
    }

    static func validatedUsername(_ text: String) throws -> String {
        let name = UserName.prepared(text)
        let plain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-@+".unicodeScalars.contains($0)
        }
        guard (1...64).contains(name.count), name.utf8.count <= 256, plain else {
            throw PersonError.username("must have 1 to 64 letters, digits or . _ - @ +")
        }
        return name
    }

    /// - Parameter names: as in `PasswordPolicy.check`.
    /// - Returns: the password in the form in which it is hashed.
    static func validatedPassword(_ password: Secret, names: [String]) throws -> Secret {
        do throws(PasswordPolicy.PolicyError) { return try PasswordPolicy.check(password, names: names) } catch {
            let words =
                switch error {
                case .length: "must have 8 to 128 characters; 15 or more are recommended"
                case .common:
                    "is a common password. Choose another, such as four unrelated words"
                case .derivedFromName:
                    "is too similar to a name. Choose another, such as four unrelated words"
                case .invisibleCharacter: "has an invisible character, such as a tab. Type it again without it"
                }
            throw PersonError.password(words)
        }
    }
}
