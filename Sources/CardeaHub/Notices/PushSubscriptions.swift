import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The browsers and phones that receive push messages. Each belongs to a session, and ends with it.
public struct PushSubscriptions: Sendable {
    let store: Store
    let sealing: SealingKey
    let environment: HubEnvironment
    /// The rules for where the hub sends to.
    let policy: PushServicePolicy
    /// The key by which push services recognise the house.
    public let identity: P256.Signing.PrivateKey

    public enum SubscriptionError: Error {
        case notFound
        /// A field's name and its requirement, in words that follow the name.
        case field(String, String)
        /// It belongs to another person, who is signed in there.
        case belongsToOther
        /// One person has the maximum number.
        case tooMany
    }

    /// A subscription as its person sees it, without the push address.
    public struct Summary: Hashable, Sendable {
        public let id: String
        public let channel: PushAddress.Channel
        /// The push service, such as `https://updates.push.services.mozilla.com`.
        public let service: String
        public let createdAt: Date
        /// Registered or renewed.
        public let changedAt: Date
        /// True if it belongs to the session that asks.
        public let isCurrent: Bool
    }

    /// Browsers and phones of one person.
    static let limit = 20
    /// One after the other; then it is no use.
    static let failureLimit = 5

    /// The house's own key is made once, and kept sealed: with another, every subscription would be worth nothing.
    init(store: Store, sealing: SealingKey, environment: HubEnvironment, services: PushServicePolicy) async throws {
        (self.store, self.sealing, self.environment, self.policy) = (store, sealing, environment, services)
        let place = "push_identity/1/key"
        let sealed = try await store.write { [sealing] db in
            if let sealed = try Data.fetchOne(db, sql: "SELECT key FROM push_identity") { return sealed }
            let sealed = try sealing.seal(P256.Signing.PrivateKey().rawRepresentation, for: place)
            try db.execute(sql: "INSERT INTO push_identity (only, key) VALUES (1, ?)", arguments: [sealed])
            return sealed
        }
        do { identity = try P256.Signing.PrivateKey(rawRepresentation: sealing.open(sealed, for: place)) } catch {
            throw HouseKeyError.doesNotOpen(table: "push_identity")
        }
    }

    /// As a browser takes it for `applicationServerKey`: base64url of 65 octets.
    public var publicKey: String { Base64URL.encode(identity.publicKey.x963Representation) }

    // MARK: Registering

    /// A browser's subscription, as its Push API gives it.
    public struct BrowserDraft: Sendable {
        public var endpoint: String
        public var key: String
        public var authentication: String

        public init(endpoint: String, key: String, authentication: String) {
            self.endpoint = endpoint
            self.key = key
            self.authentication = authentication
        }
    }

    /// Subscribes the browser that asks. Registering it again keeps the same subscription.
    public func register(_ draft: BrowserDraft, by principal: Principal, origin: RequestOrigin) async throws -> (seen: Summary, isNew: Bool)
    {
        try await requireRegistrationRight(principal, origin)
        let keys = try Self.keys(draft.key, draft.authentication, "subscription.keys")
        let subscription: WebPushSubscription
        do throws(PushServicePolicy.AddressError) {
            subscription = try WebPushSubscription(endpoint: draft.endpoint, keys: keys, services: policy)
        } catch { throw SubscriptionError.field("subscription.endpoint", error.message) }
        return try await register(.browser(subscription), named: subscription.endpoint, service: subscription.service, principal, origin)
    }

    /// The values that an app reports about itself (Seed 003).
    public struct PhoneDraft: Sendable {
        public var token: String
        /// The phone's own name for itself, as at pairing.
        public var deviceID: String
        public var keys: (key: String, authentication: String)?

        public init(token: String, deviceID: String, keys: (key: String, authentication: String)?) {
            self.token = token
            self.deviceID = deviceID
            self.keys = keys
        }
    }

    /// Subscribes the app on the phone that asks.
    public func register(_ draft: PhoneDraft, by principal: Principal, origin: RequestOrigin) async throws -> (seen: Summary, isNew: Bool) {
        try await requireRegistrationRight(principal, origin)
        let keys = try draft.keys.map { try Self.keys($0.key, $0.authentication, "keys") }
        guard let phone = ApplePushSubscription(token: draft.token, keys: keys) else {
            throw SubscriptionError.field("device_token", "must have 64 to 200 hexadecimal digits")
        }
        let isTheirs = try await store.read { db in
            let (_, sessionID) = try principal.asPerson()
            return try Bool.fetchOne(
                db, sql: "SELECT 1 FROM phones WHERE session_id = ? AND device_hash = ?",
                arguments: [sessionID, Secret(draft.deviceID).digest])
        }
        guard isTheirs == true else { throw SubscriptionError.field("device_id", "must be the device_id with which this phone was paired") }
        return try await register(.apple(phone), named: phone.token, service: "apns", principal, origin)
    }

    /// Requires the right to see events: without it there is nothing to notify about.
    private func requireRegistrationRight(_ principal: Principal, _ origin: RequestOrigin) async throws {
        try await store.audited("push.register", by: principal, origin: origin, at: environment.now()) {
            try await store.read { _ = try People.require(.controlDevices, of: principal, in: $0) }
        }
    }

    private static func keys(_ key: String, _ authentication: String, _ field: String) throws(SubscriptionError) -> PushKeys {
        do throws(PushKeys.KeyError) { return try PushKeys(key: key, authentication: authentication) } catch {
            switch error {
            case .key: throw .field("\(field).p256dh", "must be a P-256 key in base64url")
            case .authentication: throw .field("\(field).auth", "must be 16 bytes in base64url")
            }
        }
    }

    private func register(
        _ address: PushAddress, named name: Secret, service: String, _ principal: Principal, _ origin: RequestOrigin
    ) async throws -> (seen: Summary, isNew: Bool) {
        let now = environment.now()
        let newID = "push_" + environment.newID()
        return try await store.auditedWrite("push.register", by: principal, origin: origin, at: now) { [sealing] context in
            let (personID, sessionID) = try principal.asPerson()
            try People.require(.controlDevices, of: principal, in: context.db)
            var before = try Row.fetchOne(
                context.db, sql: "\(Self.select) WHERE p.hash = ?", arguments: [now.milliseconds, name.digest])
            if let other = before, other["person_id"] != personID {
                if other["is_living"] { throw SubscriptionError.belongsToOther }
                // The previous person gets no more notifications there, including queued ones.
                try context.db.execute(sql: "DELETE FROM push_subscriptions WHERE id = ?", arguments: [other["id"] as String])
                before = nil
            }
            let id: String = before?["id"] ?? newID
            let stored = try StoredAddress(address).sealed(by: sealing, for: id)
            if let before {
                try context.db.execute(
                    sql: """
                        UPDATE push_subscriptions SET person_id = ?, session_id = ?, sealed = ?, changed_at = ?, failures = 0 WHERE id = ?
                        """, arguments: [personID, sessionID, stored, now.milliseconds, before["id"] as String])
            } else {
                let count = try Int.fetchOne(
                    context.db, sql: "SELECT count(*) FROM push_subscriptions WHERE person_id = ?", arguments: [personID])
                guard count ?? 0 < Self.limit else { throw SubscriptionError.tooMany }
                // A session is one browser or one phone: its earlier subscription is obsolete.
                try context.db.execute(
                    sql: "DELETE FROM push_subscriptions WHERE session_id = ? AND way = ?",
                    arguments: [sessionID, address.channel.rawValue])
                try context.db.execute(
                    sql: """
                        INSERT INTO push_subscriptions (id, person_id, session_id, way, hash, sealed, service, created_at, changed_at)
                        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
                        """,
                    arguments: [id, personID, sessionID, address.channel.rawValue, name.digest, stored, service, now.milliseconds])
                try AuditLog.append(.init(who: .person(personID), action: "push.register", result: .done), in: context)
            }
            guard let row = try Row.fetchOne(context.db, sql: "\(Self.select) WHERE p.id = ?", arguments: [now.milliseconds, id]) else {
                throw SubscriptionError.notFound
            }
            return (Self.summary(row, from: sessionID), before == nil)
        }
    }

    // MARK: Listing

    /// One's own, newest first.
    public func all(of principal: Principal) async throws -> [Summary] {
        let (personID, sessionID) = try principal.asPerson()
        let now = environment.now()
        return try await store.read { db in
            try Row.fetchAll(
                db, sql: "\(Self.select) WHERE p.person_id = ? ORDER BY p.created_at DESC, p.id", arguments: [now.milliseconds, personID]
            ).filter { $0["is_living"] }.map { Self.summary($0, from: sessionID) }
        }
    }

    /// Takes one of one's own off.
    public func remove(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        try await remove("p.id = ?", origin, principal) { _ in id }
    }

    /// Takes off the phone that asks.
    public func removeOwn(by principal: Principal, origin: RequestOrigin) async throws {
        try await remove("p.session_id = ? AND p.way = 'apns'", origin, principal) { $0 }
    }

    private func remove(
        _ condition: String, _ origin: RequestOrigin, _ principal: Principal,
        _ argument: @escaping @Sendable (_ sessionID: String) -> String
    ) async throws {
        let now = environment.now()
        try await store.auditedWrite("push.remove", by: principal, origin: origin, at: now) { context in
            let (personID, sessionID) = try principal.asPerson()
            let row = try Row.fetchOne(
                context.db, sql: "\(Self.select) WHERE \(condition) AND p.person_id = ?",
                arguments: [now.milliseconds, argument(sessionID), personID])
            guard let row else { throw SubscriptionError.notFound }
            try context.db.execute(sql: "DELETE FROM push_subscriptions WHERE id = ?", arguments: [row["id"] as String])
            try AuditLog.append(.init(who: .person(personID), action: "push.remove", result: .done), in: context)
        }
    }

    private static let select = """
        SELECT p.*, s.ended_at IS NULL AND s.expires_at > ? AS is_living FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
        """

    private static func summary(_ row: Row, from sessionID: String) -> Summary {
        Summary(
            id: row["id"], channel: PushAddress.Channel(rawValue: row["way"]) ?? .browser, service: row["service"],
            createdAt: Date(milliseconds: row["created_at"]), changedAt: Date(milliseconds: row["changed_at"]),
            isCurrent: row["session_id"] == sessionID)
    }

    /// Decrypts a stored address.
    func open(_ sealed: Data, _ way: PushAddress.Channel, of id: String) throws -> PushAddress? {
        try StoredAddress(sealed: sealed, by: sealing, for: id).address(way, policy)
    }
}

/// The address of a subscription as it is stored: sealed as a whole.
private struct StoredAddress: Codable {
    /// The endpoint, or Apple's token.
    let name: String
    let key: Data?
    let authentication: Data?

    init(_ address: PushAddress) {
        switch address {
        case .browser(let browser):
            name = browser.endpoint.reveal()
            (key, authentication) = (browser.keys.key, browser.keys.authentication)
        case .apple(let phone):
            name = phone.token.reveal()
            (key, authentication) = (phone.keys?.key, phone.keys?.authentication)
        }
    }

    init(sealed: Data, by sealing: SealingKey, for id: String) throws {
        self = try JSONDecoder().decode(Self.self, from: sealing.open(sealed, for: Self.sealingLabel(id)))
    }

    func sealed(by sealing: SealingKey, for id: String) throws -> Data {
        try sealing.seal(JSONEncoder().encode(self), for: Self.sealingLabel(id))
    }

    /// - Returns: nil if the household no longer sends to that service.
    func address(_ way: PushAddress.Channel, _ services: PushServicePolicy) throws -> PushAddress? {
        let keys: PushKeys? = if let key, let authentication { try PushKeys(key: key, authentication: authentication) } else { nil }
        switch way {
        case .browser: return keys.flatMap { try? WebPushSubscription(endpoint: name, keys: $0, services: services) }.map { .browser($0) }
        case .apple: return ApplePushSubscription(token: name, keys: keys).map { .apple($0) }
        }
    }

    private static func sealingLabel(_ id: String) -> String { "push_subscriptions/\(id)/sealed" }
}
