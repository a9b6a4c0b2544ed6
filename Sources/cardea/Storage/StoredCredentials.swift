import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// The data that the command line stores between two runs.
struct StoredCredentials: Sendable {
    var hub: HubAddress?
    var username: String?
    var house: House?
    private var storedSession: StoredSession?
    private var storedPasses: [StoredPass] = []
    private var pairingRequests: [StoredPairingRequest] = []
    private var storedPins: [StoredPins] = []
    private var storedRoutes: [StoredRoutes] = []
    /// The names of stored secrets that are not available at present.
    private var unavailableSecrets: [String] = []
    /// The reason why they could not be loaded.
    private(set) var secretStoreError: SecretStoreError?

    /// The last known name and time zone of the house, for texts that need its clock when it does not answer.
    struct House: Codable, Hashable, Sendable {
        var name: String
        var timeZone: String

        enum CodingKeys: String, CodingKey {
            case name
            case timeZone = "time_zone"
        }
    }

    init() {}

    /// The passes this person was given, the newest last.
    var passes: [StoredPass] {
        get { storedPasses }
        set {
            storedPasses = newValue
            if newValue.isEmpty { unavailableSecrets.removeAll { $0.hasPrefix(StoredPass.namePrefix) } }
        }
    }

    /// The key with which this terminal asked for the pass of a code.
    func pairingKey(at hub: HubAddress, with code: Secret) -> GuestKey? {
        pairingRequests.first { $0.hub == hub && $0.mark == StoredPairingRequest.codeDigest(code) }.flatMap {
            GuestKey(encoded: $0.key.secret)
        }
    }

    /// Stores the key until the house has answered: by this key the house recognises the requester.
    mutating func addPairingRequest(at hub: HubAddress, with code: Secret, key: GuestKey) {
        removePairingRequest(at: hub)
        pairingRequests.append(StoredPairingRequest(hub: hub, mark: StoredPairingRequest.codeDigest(code), key: StoredSecret(key.encoded)))
    }

    mutating func removePairingRequest(at hub: HubAddress) {
        pairingRequests.removeAll { $0.hub == hub }
        unavailableSecrets.removeAll { $0 == StoredPairingRequest.name(at: hub) }
    }

    /// The hubs with pinned keys.
    var pins: PinStore {
        let book = PinStore()
        for stored in storedPins { book.trust(stored.pins, at: stored.hub) }
        return book
    }

    mutating func trust(_ pins: Set<Pin>, at hub: HubAddress) {
        storedPins = storedPins.filter { $0.hub != hub } + [StoredPins(hub: hub, pins: pins)]
    }

    /// The routes to the hubs with pinned keys.
    var routes: RouteStore {
        let book = RouteStore()
        for stored in storedRoutes { book.set(stored.ways, to: stored.hub) }
        return book
    }

    /// Stores the known routes to those hubs.
    mutating func updateRoutes(_ routes: RouteStore) {
        storedRoutes = storedPins.map { StoredRoutes(hub: $0.hub, ways: routes.routes(to: $0.hub)) }.filter { $0.ways != .init() }
    }

    /// Returns whether all routes are stored.
    func containsRoutes(_ routes: RouteStore) -> Bool {
        let before = self.routes
        return storedPins.allSatisfy { before.routes(to: $0.hub) == routes.routes(to: $0.hub) }
    }

    /// True if a session exists, also if its secret is not available at present.
    var isSignedIn: Bool { hub.map { storedSession != nil || isSessionUnavailable(at: $0) } ?? false }

    func session(at hub: HubAddress) -> Session? {
        self.hub == hub ? storedSession?.session : nil
    }

    /// True if there is a session whose secret is unavailable, as in a locked keyring.
    func isSessionUnavailable(at hub: HubAddress) -> Bool { unavailableSecrets.contains(StoredSession.name(at: hub)) }

    /// True if there are passes whose secrets are unavailable.
    var hasUnavailablePasses: Bool { unavailableSecrets.contains { $0.hasPrefix(StoredPass.namePrefix) } }

    /// Signing in at another house leaves the one before.
    mutating func set(_ session: Session?, at hub: HubAddress) {
        if let session {
            if self.hub != hub { (house, username) = (nil, nil) }
            self.hub = hub
            storedSession = StoredSession(session)
        } else if self.hub == hub {
            storedSession = nil
        } else {
            return
        }
        unavailableSecrets.removeAll { $0.hasPrefix(StoredSession.namePrefix) }
    }
}

extension StoredCredentials {
    /// The content of the file: everything but the secrets, of which it has only the names.
    var file: CredentialsFile {
        CredentialsFile(
            hub: hub, username: username, house: house, pins: storedPins.isEmpty ? nil : storedPins,
            routes: storedRoutes.isEmpty ? nil : storedRoutes, secrets: secretNames.isEmpty ? nil : secretNames)
    }

    /// The secrets that are at hand, by their names.
    var secrets: [String: Secret] {
        get throws {
            var secrets: [String: Secret] = [:]
            if let hub, let storedSession { secrets[StoredSession.name(at: hub)] = try Secret(sealing: storedSession) }
            for pass in storedPasses { secrets[pass.name] = try Secret(sealing: pass) }
            for ask in pairingRequests { secrets[ask.name] = try Secret(sealing: ask) }
            return secrets
        }
    }

    private var secretNames: [String] {
        let known =
            (hub.flatMap { storedSession == nil ? nil : [StoredSession.name(at: $0)] } ?? []) + storedPasses.map(\.name)
            + pairingRequests.map(\.name)
        return unavailableSecrets.filter { !known.contains($0) } + known
    }

    /// Combines a file with its secrets.
    ///
    /// - Parameter open: returns the secret with a given name.
    init(_ file: CredentialsFile, open: (String) async throws(SecretStoreError) -> Secret) async throws {
        (hub, username, house) = (file.hub, file.username, file.house)
        (storedPins, storedRoutes) = (file.pins ?? [], file.routes ?? [])
        for name in file.secrets ?? [] {
            let secret: Secret
            do {
                secret = try await open(name)
            } catch {
                unavailableSecrets.append(name)
                secretStoreError = secretStoreError ?? error
                continue
            }
            if name.hasPrefix(StoredSession.namePrefix) {
                storedSession = try secret.decoded()
            } else if name.hasPrefix(StoredPairingRequest.namePrefix) {
                pairingRequests.append(try secret.decoded())
            } else {
                storedPasses.append(try secret.decoded())
            }
        }
    }

    /// Converts the older file `tokens.json`, which contains the tokens themselves.
    init(_ before: LegacyTokensFile) {
        (hub, username, house, storedPins) = (before.hub, before.username, before.house, before.pins ?? [])
        (storedSession, storedPasses) = (before.session, before.passes ?? [])
    }
}

/// `home.json`.
struct CredentialsFile: Codable, Sendable {
    var hub: HubAddress?
    var username: String?
    var house: StoredCredentials.House?
    var pins: [StoredPins]?
    var routes: [StoredRoutes]?
    /// The names of the secrets that belong to it: a session, and passes, the newest last.
    var secrets: [String]?
}

/// `tokens.json`, as it once was.
struct LegacyTokensFile: Decodable, Sendable {
    let hub: HubAddress?
    let username: String?
    let house: StoredCredentials.House?
    let pins: [StoredPins]?
    let session: StoredSession?
    let passes: [StoredPass]?
}

/// A pass that this terminal requested and that awaits a resident's approval: one for each house, the latest.
struct StoredPairingRequest: Codable, Sendable {
    let hub: HubAddress
    /// SHA-256 of its code, base64url.
    let mark: String
    let key: StoredSecret

    static let namePrefix = "ask "

    static func name(at hub: HubAddress) -> String { "\(namePrefix)\(hub)" }

    /// The name of the secret.
    var name: String { Self.name(at: hub) }

    static func codeDigest(_ code: Secret) -> String { Base64URL.encode(code.digest) }
}

/// The pinned keys of one hub.
struct StoredPins: Codable, Sendable {
    let hub: HubAddress
    let pins: Set<Pin>
}

/// The routes to one hub: its last local address and its relays.
struct StoredRoutes: Codable, Sendable {
    let hub: HubAddress
    let ways: RouteStore.KnownRoutes
}

struct StoredSession: Codable, Sendable {
    let accessToken: StoredSecret
    let refreshToken: StoredSecret
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresAt = "expires_at"
    }

    init(_ session: Session) {
        accessToken = StoredSecret(session.accessToken)
        refreshToken = StoredSecret(session.refreshToken)
        expiresAt = session.expiresAt
    }

    static let namePrefix = "session "

    /// The name of the secret: one for each house.
    static func name(at hub: HubAddress) -> String { "\(namePrefix)\(hub)" }

    var session: Session {
        Session(accessToken: accessToken.secret, refreshToken: refreshToken.secret, expiresAt: expiresAt)
    }
}

extension Secret {
    /// Something with secrets in it, as one of them.
    fileprivate init(sealing value: some Encodable) throws {
        self.init(String(decoding: try WireFormat.encode(value), as: UTF8.self))
    }

    fileprivate func decoded<Value: Decodable>() throws -> Value {
        do {
            return try WireFormat.read(Value.self, from: Data(reveal().utf8))
        } catch {
            throw ClientError.storage("The stored tokens are damaged. Sign in, and accept your passes again.")
        }
    }
}
