import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The people who live here: who they are, what they may do, how they come in and how they go.
public struct People: Sendable {
    let store: Store
    let passwords: PasswordDesk
    let sessions: Sessions
    let once: OnceOnly
    let live: LiveSessions
    let clock: ClockWatch
    let surroundings: Surroundings
    let house: House

    /// How long an invitation can be accepted: 7 days.
    static let invitationLasts: TimeInterval = 7 * 86_400

    public enum Problem: Error {
        case notFound
        case name(Name.Problem)
        case username(String)
        case usernameTaken
        case password(String)
        case unknownRole
        case lastOwner
        case forbidden(Refusal)
        /// A program's token sets nothing up: nobody can say again by it that it is they.
        case forbiddenToProgram
        case alreadyClaimed
        /// The claim or invitation is not one of ours, was used, or is too old.
        case invalidToken
        case alreadyJoined
        case wrongPassword
        /// Somebody else changed them meanwhile.
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
    public func claim(_ claim: Claim, origin: Origin) async throws -> SessionTokens {
        if house.now.isClaimed { throw Problem.alreadyClaimed }
        let houseName = try Self.checked(claim.houseName)
        let username = try Self.username(claim.username)
        let name = try Self.checked(claim.name ?? username)
        let zone = try claim.timeZone.map { identifier in
            guard let zone = ZoneName.zone(identifier) else { throw Problem.name(.invalidCharacters) }
            return zone.identifier
        }
        let token = TokenKind.claim.token(in: claim.token.reveal()) ?? claim.token
        let isOurs = try await store.read { try PeopleRecords.isClaim(token, $0) }
        guard isOurs == true else {
            if isOurs == nil && house.now.isClaimed { throw Problem.alreadyClaimed }
            let now = surroundings.now()
            try await store.write { try Strangers.refused("house.claim", reason: .invalidToken, origin: origin, at: now, in: $0) }
            throw Problem.invalidToken
        }
        let hash = try await passwords.hash(Self.password(claim.password, names: [username, name, houseName]))
        let (now, id) = (surroundings.now(), "person_" + surroundings.newID())
        let begun = try await store.write { db in
            guard try PeopleRecords.claimHouse(by: token, named: houseName, timeZone: zone, at: now, in: db) else {
                throw Problem.alreadyClaimed
            }
            try PeopleRecords.insert(id: id, username: username, name: name, role: .owner, hash: hash, at: now, in: db)
            let seq = try Journal.append(.houseChanged, subject: id, data: ["claimed": true], at: now, in: db)
            try AuditTrail.append(
                .init(who: .person(id), action: "house.claim", result: .done, journalSeq: seq), origin: origin, at: now, in: db)
            return (tokens: try sessions.begin(personID: id, by: .claim, origin: origin, at: now, in: db), facts: try House.read(db))
        } committed: { [house] in
            house.refresh($0.facts)
        }
        return try await sessions.tokens(begun.tokens)
    }

    // MARK: Who is here

    public func all(seenBy principal: Principal) async throws -> [Person] {
        try await store.read { db in
            try Self.require(.controlDevices, of: principal, in: db)
            return try PeopleRecords.all(db)
        }
    }

    /// Whether somebody may see how the devices stand: all of them.
    public func seesDevices(_ principal: Principal) async throws -> Bool {
        guard case .person(_, let sessionID) = principal else { return false }
        return try await live.person(of: sessionID, at: surroundings.now())?.rights.contains(.controlDevices) == true
    }

    /// Refuses whoever may not change how the house is set up, and puts on record what they wanted.
    public func mustModifySettings(for action: String, by principal: Principal, origin: Origin) async throws {
        try await store.onRecord(action, by: principal, origin: origin, at: surroundings.now()) {
            try await store.read { _ = try Self.require(.modifySettings, of: principal, in: $0) }
        }
    }

    public func person(_ id: String) async throws -> Person? {
        try await store.read { try PeopleRecords.one(id, $0) }
    }

    /// Somebody as they see themselves: with the unit in which they read temperatures, in one look. Nil for who is of the house no more.
    public func themselves(_ id: String) async throws -> (person: Person, temperatureUnit: TemperatureUnit)? {
        try await store.read { try PeopleRecords.themselves(id, $0) }
    }

    // MARK: Coming in

    public struct Invitation: Sendable, Codable {
        public let personID: String
        let token: String
        public let expiresAt: Date

        public var secret: Secret { Secret(token) }
    }

    /// Lets somebody become one of the house. The person accepts with the token and chooses their own password.
    public func invite(
        name: String, role: String, by principal: Principal, call: CallName?, origin: Origin
    ) async throws -> (invitation: Invitation, isReplay: Bool) {
        let name = try Self.checked(name)
        guard let role = Role(named: role) else { throw Problem.unknownRole }
        let (now, id) = (surroundings.now(), "person_" + surroundings.newID())
        let outcome = try await store.attempt("people.invite", by: principal, origin: origin, at: now) { db in
            try once.run(call, by: principal.key, at: now, in: db) { db in
                try Self.requireManaging(role, by: principal, in: db)
                try Sessions.requireStepUp(principal, at: now, in: db)
                try PeopleRecords.insert(id: id, username: nil, name: name, role: role, hash: nil, at: now, in: db)
                try AccessChanges.note(.person, id, by: principal, at: now, in: db)
                let seq = try Journal.append(.personChanged, subject: id, at: now, in: db)
                try AuditTrail.append(
                    .init(who: .init(principal), action: "people.invite", grantID: "role:\(id)", result: .done, journalSeq: seq),
                    origin: origin, at: now, in: db)
                return try Self.newInvitation(for: id, at: now, in: db)
            }
        }
        return (outcome.answer, outcome.isReplay)
    }

    /// A new invitation for somebody who has not come in yet; the earlier one ends.
    public func inviteAgain(_ id: String, by principal: Principal, origin: Origin) async throws -> Invitation {
        let now = surroundings.now()
        return try await store.attempt("people.invite", on: .person(id), by: principal, origin: origin, at: now) { db in
            try Self.require(.managePeople, of: principal, in: db)
            guard let person = try PeopleRecords.one(id, db) else { throw Problem.notFound }
            try Self.requireManaging(person.role, by: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            guard person.username == nil else { throw Problem.alreadyJoined }
            try PeopleRecords.endInvitations(of: id, in: db)
            try AccessChanges.note(.person, id, by: principal, at: now, in: db)
            try AuditTrail.append(
                .init(who: .init(principal), action: "people.invite", grantID: "role:\(id)", result: .done), origin: origin, at: now, in: db
            )
            return try Self.newInvitation(for: id, at: now, in: db)
        }
    }

    public func accept(_ token: Secret, username: String, password: Secret, origin: Origin) async throws -> SessionTokens {
        let token = TokenKind.invitation.token(in: token.reveal()) ?? token
        let username = try Self.username(username)
        let now = surroundings.now()
        try clock.requireNotBehind(at: now)
        let invitee = try await store.read { db in
            try PeopleRecords.invitee(token, at: now, db).flatMap { try PeopleRecords.one($0, db) }
        }
        guard let invitee else {
            try await store.write { try Strangers.refused("people.join", reason: .invalidToken, origin: origin, at: now, in: $0) }
            throw Problem.invalidToken
        }
        let password = try Self.password(password, names: [username, invitee.name, house.now.name])
        let hash = try await passwords.hash(password)
        let tokens = try await store.write { db in
            guard let id = try PeopleRecords.invitee(token, at: now, db) else { throw Problem.invalidToken }
            guard try PeopleRecords.isFree(username, db) else { throw Problem.usernameTaken }
            try PeopleRecords.accept(token, of: id, username: username, hash: hash, at: now, in: db)
            let seq = try Journal.append(.personChanged, subject: id, at: now, in: db)
            try AuditTrail.append(
                .init(who: .person(id), action: "people.join", result: .done, journalSeq: seq), origin: origin, at: now, in: db)
            return try sessions.begin(personID: id, by: .invitation, origin: origin, at: now, in: db)
        }
        return try await sessions.tokens(tokens)
    }

    private static func newInvitation(for id: String, at now: Date, in db: Database) throws -> Invitation {
        let token = Minting.token(.invitation)
        let expiresAt = now.addingTimeInterval(invitationLasts)
        try PeopleRecords.invite(id, by: token, until: expiresAt, in: db)
        return Invitation(personID: id, token: token.reveal(), expiresAt: expiresAt)
    }

    // MARK: Changing and going

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
        _ id: String, _ change: Change, seen: SeenVersion = .any, by principal: Principal, origin: Origin
    ) async throws -> Person {
        let name = try change.name.map(Self.checked)
        let role = try change.role.map { text in
            guard let role = Role(named: text) else { throw Problem.unknownRole }
            return role
        }
        let now = surroundings.now()
        return try await store.attempt("people.change", on: .person(id), by: principal, origin: origin, at: now) { db in
            // Anybody may change their own name; all else is somebody else's to give.
            let isOwnName = principal.personID == id && role == nil && change.canInviteGuests == nil && change.disabled == nil
            if !isOwnName { try Self.require(.managePeople, of: principal, in: db) }
            guard let person = try PeopleRecords.one(id, db) else { throw Problem.notFound }
            if !isOwnName {
                try Self.requireManaging(person.role, by: principal, in: db)
                if let role { try Self.requireManaging(role, by: principal, in: db) }
            }
            if role != nil || change.canInviteGuests != nil || change.disabled != nil {
                try Sessions.requireStepUp(principal, at: now, in: db)
            }
            guard seen.allows(person.version) else { throw Problem.stale(person) }
            if let name, name != person.name { try FormerNames.add(person.name, of: id, in: db) }
            try Self.keepingAnOwner { try PeopleRecords.change(id, name: name, role: role, change, in: db) }
            if change.disabled == true { try Sessions.endAll(of: id, reason: "disabled", at: now, in: db) }
            if change.disabled != true, !isOwnName { try AccessChanges.note(.person, id, by: principal, at: now, in: db) }
            guard let changed = try PeopleRecords.one(id, db) else { throw Problem.notFound }
            let seq = try Journal.append(.personChanged, subject: id, data: RuleTurn.data(from: person, to: changed), at: now, in: db)
            try AuditTrail.append(
                .init(who: .init(principal), action: "people.change", grantID: "role:\(id)", result: .done, journalSeq: seq),
                origin: origin, at: now, in: db)
            return changed
        }
    }

    /// Takes somebody out of the house; their sessions end in the same commit.
    public func remove(_ id: String, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("people.remove", on: .person(id), by: principal, origin: origin, at: now) { db in
            try Self.require(.managePeople, of: principal, in: db)
            guard let person = try PeopleRecords.one(id, db) else { throw Problem.notFound }
            try Self.requireManaging(person.role, by: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            try Self.keepingAnOwner { try PeopleRecords.remove(id, at: now, in: db) }
            try Notices.forget(id, in: db)
            try AutomationMentions.leaveOut(at: now, in: db)
            try Sessions.endAll(of: id, reason: "removed", at: now, in: db)
            try Credentials.forget(of: id, at: now, in: db)
            let seq = try Journal.append(.personChanged, subject: id, data: ["removed": true], at: now, in: db)
            try AuditTrail.append(
                .init(who: .init(principal), action: "people.remove", grantID: "role:\(id)", result: .done, journalSeq: seq),
                origin: origin, at: now, in: db)
        }
    }

    /// Chooses a new password. The old one must be shown, or else a passkey or a recovery code, just now, in this session.
    public func changePassword(from current: Secret?, to new: Secret, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        let (id, sessionID) = try await store.onRecord("people.password", by: principal, origin: origin, at: now) {
            try principal.asPerson()
        }
        let verified = try await store.onRecord("people.password", by: principal, origin: origin, at: now) { () -> String? in
            if let current { return try await sessions.check(current, of: id, for: "people.password", origin: origin, at: now) }
            try await store.read { try Sessions.requireStepUp(principal, by: \.replacesPassword, at: now, in: $0) }
            return nil
        }
        let person = try await store.read { try PeopleRecords.one(id, $0) }
        let names = [person?.username, person?.name, house.now.name].compactMap { $0 }
        let hash = try await passwords.hash(Self.password(new, names: names))
        try await store.write { db in
            // Hashing takes its time: what was true before it is asked again where it counts.
            try Sessions.requireOpen(sessionID, in: db)
            if verified == nil { try Sessions.requireStepUp(principal, by: \.replacesPassword, at: now, in: db) }
            guard try PeopleRecords.changePassword(of: id, from: verified, to: hash, in: db) else { throw Problem.wrongPassword }
            try Sessions.endAll(of: id, except: sessionID, reason: "password_changed", at: now, in: db)
            try AuditTrail.append(.init(who: .person(id), action: "people.password", result: .done), origin: origin, at: now, in: db)
        }
    }
}

// MARK: Rules

extension People {
    /// Refuses whoever does not hold `right` now.
    @discardableResult
    static func require(_ right: Right, of principal: Principal, in db: Database) throws -> Person {
        if case .apiToken = principal { throw Problem.forbiddenToProgram }
        guard case .person(let id, _) = principal, let person = try PeopleRecords.one(id, db) else {
            throw Problem.forbidden(.noGrant)
        }
        guard person.rights.contains(right) else { throw Problem.forbidden(.roleLacksRight) }
        return person
    }

    /// Only an owner handles owners and admins.
    static func requireManaging(_ role: Role, by principal: Principal, in db: Database) throws {
        let person = try require(.managePeople, of: principal, in: db)
        guard person.role.mayManage(role) else { throw Problem.forbidden(.roleLacksRight) }
    }

    /// The store's own trigger refuses to lose the last owner; here it gets its name.
    /// Whether somebody may do for a person what that person may do for themselves.
    static func manages(_ personID: String, _ principal: Principal, in db: Database) throws -> Bool {
        guard let person = try PeopleRecords.one(personID, db) else { return false }
        do {
            try requireManaging(person.role, by: principal, in: db)
            return true
        } catch is Problem { return false }
    }

    private static func keepingAnOwner(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.message == "last_owner" {
            throw Problem.lastOwner
        }
    }

    private static func checked(_ name: String) throws -> String {
        do { return try Name.check(name) } catch { throw Problem.name(error) }
    }

    static func username(_ text: String) throws -> String {
        let name = UserName.prepared(text)
        let plain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-@+".unicodeScalars.contains($0)
        }
        guard (1...64).contains(name.count), name.utf8.count <= 256, plain else {
            throw Problem.username("A user name has 1 to 64 letters, digits and any of . _ - @ +")
        }
        return name
    }

    /// - Parameter names: as in `NewPassword.check`.
    /// - Returns: the password in the form in which it is hashed.
    static func password(_ password: Secret, names: [String]) throws -> Secret {
        do throws(NewPassword.Problem) { return try NewPassword.check(password, names: names) } catch {
            let words =
                switch error {
                case .length: "A password has 8 to 128 characters; 15 or more are advised."
                case .common:
                    "This is one of the passwords that are tried first. Choose another one, such as four words that do not belong together."
                case .ofName: "This is little more than a name. Choose another one, such as four words that do not belong together."
                case .unseen: "A character that cannot be seen is in this password, such as a tab. Type it again without that."
                }
            throw Problem.password(words)
        }
    }
}
