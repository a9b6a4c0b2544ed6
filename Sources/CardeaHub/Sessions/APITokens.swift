import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Tokens for programs: the device rights of their maker, or fewer. They end when they are revoked or expire, and when their maker is
/// removed or disabled; they give no access to people, passkeys and tokens.
public struct APITokens: Sendable {
    let store: Store
    let live: SessionCache
    let environment: HubEnvironment

    static let limit = 64

    public enum APITokenError: Error {
        case notFound
        case name(Name.NameError)
        case invalid(field: String, message: String)
        case forbidden(Refusal)
    }

    public struct Draft: Sendable {
        public var name: String
        public var items: [Guests.Draft.Item]?
        public var role: String?
        public var expiresAt: Date?
        public var recordsEvents: Bool

        public init(name: String, items: [Guests.Draft.Item]?, role: String?, expiresAt: Date?, recordsEvents: Bool = false) {
            self.name = name
            self.items = items
            self.role = role
            self.expiresAt = expiresAt
            self.recordsEvents = recordsEvents
        }
    }

    public func all(of principal: Principal) async throws -> [APIToken] {
        let (id, _) = try principal.asPerson()
        return try await store.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT opened(name, 'api_tokens.name', id) AS name, * FROM api_tokens WHERE person_id = ? AND revoked_at IS NULL ORDER BY created_at, id",
                arguments: [id]
            ).map { row in
                var token = try Self.token(row)
                token.lastUsedAt = live.lastUse(of: token.id)
                return token
            }
        }
    }

    /// Makes a token, and shows it this once.
    public func make(_ draft: Draft, by principal: Principal, origin: RequestOrigin) async throws -> (token: APIToken, secret: Secret) {
        let now = environment.now()
        let name: String
        do { name = try Name.check(draft.name) } catch { throw APITokenError.name(error) }
        if let expiresAt = draft.expiresAt, expiresAt <= now {
            throw APITokenError.invalid(field: "expires_at", message: "must be in the future")
        }
        let role = try draft.role.map { text in
            guard let role = Role(named: text) else {
                throw APITokenError.invalid(field: "role", message: "must be owner, admin or member")
            }
            return role
        }
        let (id, secret) = ("token_" + environment.newID(), SecretGenerator.token(.api))
        let token = try await store.auditedWrite("api_token.make", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            let person = try People.require(.controlDevices, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            guard try !ConfusableNames.isResident(name, context.db) else {
                throw APITokenError.invalid(field: "name", message: ConfusableNames.message)
            }
            if draft.recordsEvents { try People.require(.modifySettings, of: principal, in: context.db) }
            let held = try String.fetchAll(
                context.db, sql: "SELECT id FROM api_tokens WHERE person_id = ? AND revoked_at IS NULL", arguments: [personID])
            guard held.count < Self.limit else {
                throw APITokenError.invalid(field: "name", message: "You have \(Self.limit) tokens. Revoke one first.")
            }
            let role = min(role ?? person.role, person.role)
            let items = try draft.items.map { items in
                // A program that only records events needs no device.
                draft.recordsEvents && items.isEmpty ? [] : try Self.resolve(items, heldBy: person.grant, in: context.db)
            }
            let text = try items.map { String(decoding: try JSONEncoder().encode($0.map(StoredItem.init)), as: UTF8.self) }
            try context.db.execute(
                sql: """
                    INSERT INTO api_tokens (id, hash, person_id, name, role, items, created_at, expires_at, records_events)
                    VALUES (?1, ?, ?, sealed(?, 'api_tokens.name', ?1), ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, secret.digest, personID, name, role.rawValue, text, now.milliseconds, draft.expiresAt?.milliseconds,
                    draft.recordsEvents,
                ])
            try AccessChanges.record(.token, id, in: context)
            try AuditLog.append(.init(who: .person(personID), action: "api_token.make", grantID: "token:\(id)", result: .done), in: context)
            return APIToken(
                id: id, name: name, role: role, items: items, recordsEvents: draft.recordsEvents, createdAt: now,
                expiresAt: draft.expiresAt,
                lastUsedAt: nil)
        }
        return (token, secret)
    }

    /// Revokes one of the principal's own tokens. It is refused from the next request on.
    ///
    /// - Parameter orManaged: true to permit tokens of a person whom `principal` manages.
    public func revoke(_ id: String, orManaged: Bool = false, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("api_token.revoke", by: principal, origin: origin, at: now) { context in
            let (personID, _) = try principal.asPerson()
            let maker = try String.fetchOne(
                context.db, sql: "SELECT person_id FROM api_tokens WHERE id = ? AND revoked_at IS NULL", arguments: [id])
            guard let maker, try maker == personID || orManaged && People.manages(maker, principal, in: context.db) else {
                throw APITokenError.notFound
            }
            try context.db.execute(sql: "UPDATE api_tokens SET revoked_at = ? WHERE id = ?", arguments: [now.milliseconds, id])
            try AuditLog.append(
                .init(who: .person(personID), action: "api_token.revoke", grantID: "token:\(id)", result: .done), in: context)
        }
    }
}

// MARK: Rows and rules

extension APITokens {
    /// The grant behind a token, read now: what its maker has lost, the token has lost.
    static func grant(_ id: String, _ db: Database) throws -> Grant? {
        guard let row = try row(id, db), let maker = try PeopleRecords.one(row["person_id"], db) else { return nil }
        return try token(row).grant(of: maker)
    }

    /// - Parameter maker: as they are or were.
    static func grant(_ id: String, as maker: Person, _ db: Database) throws -> Grant? {
        try row(id, db).map { try token($0).grant(of: maker) }
    }

    private static func row(_ id: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT opened(name, 'api_tokens.name', id) AS name, * FROM api_tokens WHERE id = ? AND revoked_at IS NULL",
            arguments: [id])
    }

    static func token(_ row: Row) throws -> APIToken {
        let items = try (row["items"] as String?).map { try JSONDecoder().decode([StoredItem].self, from: Data($0.utf8)).map(\.item) }
        return APIToken(
            // An unknown role holds no rights.
            id: row["id"], name: row["name"], role: Role(rawValue: row["role"]) ?? .guest, items: items,
            recordsEvents: row["records_events"],
            createdAt: Date(milliseconds: row["created_at"]), expiresAt: (row["expires_at"] as Int64?).map(Date.init(milliseconds:)),
            lastUsedAt: nil)
    }

    struct StoredItem: Codable {
        let deviceID: String
        let entityID: String
        let verbs: [Verb]

        init(_ item: Grant.Item) {
            deviceID = item.deviceID
            entityID = item.entityID
            verbs = item.verbs.sorted { $0.rawValue < $1.rawValue }
        }

        var item: Grant.Item { Grant.Item(deviceID: deviceID, entityID: entityID, verbs: Set(verbs)) }
    }

    /// Resolves the selected items to entities and verbs, and refuses those that the maker does not hold.
    private static func resolve(_ items: [Guests.Draft.Item], heldBy maker: Grant, in db: Database) throws -> [Grant.Item] {
        guard (1...32).contains(items.count) else { throw APITokenError.invalid(field: "grants", message: "must have 1 to 32 devices") }
        var resolved: [Grant.Item] = []
        var requests: [Gate.Request] = []
        for (index, item) in items.enumerated() {
            let place = try AliasRecords.resolvePlace(item.deviceID, item.entityID, db)
            guard let device = try DeviceRecords.one(place.deviceID, db) else {
                throw APITokenError.invalid(
                    field: "grants.\(index).device_id",
                    message: "is unknown: \(item.deviceID.prefix(64)). Use the id of a device of this house")
            }
            guard (1...32).contains(item.actions.count) else {
                throw APITokenError.invalid(field: "grants.\(index).actions", message: "must have 1 to 32 actions")
            }
            var done: Set<String> = []
            for entity in device.entities where place.entityID == nil || entity.id == place.entityID {
                var verbs: Set<Verb> = []
                for action in item.actions {
                    guard let verb = GuestGrantResolver.verb(action, on: entity) else { continue }
                    verbs.insert(verb)
                    done.insert(action)
                    requests.append(Gate.Request(verb, on: entity, of: device, isLocal: true))
                }
                if !verbs.isEmpty { resolved.append(Grant.Item(deviceID: device.id, entityID: entity.id, verbs: verbs)) }
            }
            if let unknown = item.actions.first(where: { !done.contains($0) }) {
                throw APITokenError.invalid(
                    field: "grants.\(index).actions", message: "has an action that \(device.name) does not support: \(unknown.prefix(64))")
            }
        }
        do { try Attenuation.check(requests, heldBy: maker) } catch { throw APITokenError.forbidden(error) }
        return resolved
    }
}
