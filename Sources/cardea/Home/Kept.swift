import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// All that the command line keeps between two runs.
struct Kept: Sendable {
    var hub: HubAddress?
    var username: String?
    var house: House?
    private var keptSession: KeptSession?
    private var keptPasses: [KeptPass] = []
    private var keptAsks: [KeptAsk] = []
    private var keptPins: [KeptPins] = []
    private var keptRoutes: [KeptRoutes] = []
    /// Secrets that are kept and could not be had just now, by their names.
    private var closed: [String] = []
    /// Why they could not.
    private(set) var problem: SecretStoreError?

    /// What was last known of the house, for words that need its clock when it does not answer.
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
    var passes: [KeptPass] {
        get { keptPasses }
        set {
            keptPasses = newValue
            if newValue.isEmpty { closed.removeAll { $0.hasPrefix(KeptPass.namePrefix) } }
        }
    }

    /// The key with which this terminal asked for the pass of a code.
    func keyAsking(at hub: HubAddress, with code: Secret) -> GuestKey? {
        keptAsks.first { $0.hub == hub && $0.mark == KeptAsk.mark(code) }.flatMap { GuestKey(kept: $0.key.secret) }
    }

    /// Keeps the key until the house has answered: it is by this key that the house knows who asked.
    mutating func ask(at hub: HubAddress, with code: Secret, key: GuestKey) {
        dropAsk(at: hub)
        keptAsks.append(KeptAsk(hub: hub, mark: KeptAsk.mark(code), key: KeptSecret(key.kept)))
    }

    mutating func dropAsk(at hub: HubAddress) {
        keptAsks.removeAll { $0.hub == hub }
        closed.removeAll { $0 == KeptAsk.name(at: hub) }
    }

    /// The hubs that are known by their keys.
    var pins: PinBook {
        let book = PinBook()
        for kept in keptPins { book.trust(kept.pins, at: kept.hub) }
        return book
    }

    mutating func trust(_ pins: Set<Pin>, at hub: HubAddress) {
        keptPins = keptPins.filter { $0.hub != hub } + [KeptPins(hub: hub, pins: pins)]
    }

    /// The ways to the hubs that are known by their keys.
    var routes: RouteBook {
        let book = RouteBook()
        for kept in keptRoutes { book.set(kept.ways, to: kept.hub) }
        return book
    }

    /// Keeps what became known of the ways to those hubs.
    mutating func keep(_ routes: RouteBook) {
        keptRoutes = keptPins.map { KeptRoutes(hub: $0.hub, ways: routes.ways(to: $0.hub)) }.filter { $0.ways != .init() }
    }

    /// Whether all of it is kept.
    func keeps(_ routes: RouteBook) -> Bool {
        let before = self.routes
        return keptPins.allSatisfy { before.ways(to: $0.hub) == routes.ways(to: $0.hub) }
    }

    /// Whether somebody is signed in somewhere, also where the session cannot be had just now.
    var isSignedIn: Bool { hub.map { keptSession != nil || isSessionClosed(at: $0) } ?? false }

    func session(at hub: HubAddress) -> Session? {
        self.hub == hub ? keptSession?.session : nil
    }

    /// Whether there is a session that could not be had, as from a keyring that is locked.
    func isSessionClosed(at hub: HubAddress) -> Bool { closed.contains(KeptSession.name(at: hub)) }

    /// Whether there are passes that could not be had.
    var hasClosedPasses: Bool { closed.contains { $0.hasPrefix(KeptPass.namePrefix) } }

    /// Signing in at another house leaves the one before.
    mutating func set(_ session: Session?, at hub: HubAddress) {
        if let session {
            if self.hub != hub { (house, username) = (nil, nil) }
            self.hub = hub
            keptSession = KeptSession(session)
        } else if self.hub == hub {
            keptSession = nil
        } else {
            return
        }
        closed.removeAll { $0.hasPrefix(KeptSession.namePrefix) }
    }
}

extension Kept {
    /// What lies in the file: everything but the secrets, of which it only has the names.
    var file: HomeFile {
        HomeFile(
            hub: hub, username: username, house: house, pins: keptPins.isEmpty ? nil : keptPins,
            routes: keptRoutes.isEmpty ? nil : keptRoutes, secrets: names.isEmpty ? nil : names)
    }

    /// The secrets that are at hand, by their names.
    var secrets: [String: Secret] {
        get throws {
            var secrets: [String: Secret] = [:]
            if let hub, let keptSession { secrets[KeptSession.name(at: hub)] = try Secret(sealing: keptSession) }
            for pass in keptPasses { secrets[pass.name] = try Secret(sealing: pass) }
            for ask in keptAsks { secrets[ask.name] = try Secret(sealing: ask) }
            return secrets
        }
    }

    private var names: [String] {
        let known =
            (hub.flatMap { keptSession == nil ? nil : [KeptSession.name(at: $0)] } ?? []) + keptPasses.map(\.name) + keptAsks.map(\.name)
        return closed.filter { !known.contains($0) } + known
    }

    /// What a file and its secrets say together.
    ///
    /// - Parameter open: gives the secret of a name.
    init(_ file: HomeFile, open: (String) async throws(SecretStoreError) -> Secret) async throws {
        (hub, username, house) = (file.hub, file.username, file.house)
        (keptPins, keptRoutes) = (file.pins ?? [], file.routes ?? [])
        for name in file.secrets ?? [] {
            let secret: Secret
            do {
                secret = try await open(name)
            } catch {
                closed.append(name)
                problem = problem ?? error
                continue
            }
            if name.hasPrefix(KeptSession.namePrefix) {
                keptSession = try secret.opened()
            } else if name.hasPrefix(KeptAsk.namePrefix) {
                keptAsks.append(try secret.opened())
            } else {
                keptPasses.append(try secret.opened())
            }
        }
    }

    /// What lay in `tokens.json`, with its tokens, before there was a store for them.
    init(_ before: TokensBefore) {
        (hub, username, house, keptPins) = (before.hub, before.username, before.house, before.pins ?? [])
        (keptSession, keptPasses) = (before.session, before.passes ?? [])
    }
}

/// `home.json`.
struct HomeFile: Codable, Sendable {
    var hub: HubAddress?
    var username: String?
    var house: Kept.House?
    var pins: [KeptPins]?
    var routes: [KeptRoutes]?
    /// The names of the secrets that belong to it: a session, and passes, the newest last.
    var secrets: [String]?
}

/// `tokens.json`, as it once was.
struct TokensBefore: Decodable, Sendable {
    let hub: HubAddress?
    let username: String?
    let house: Kept.House?
    let pins: [KeptPins]?
    let session: KeptSession?
    let passes: [KeptPass]?
}

/// A pass of this person's, and the house it opens.
struct KeptPass: Codable, Sendable {
    let hub: HubAddress
    let token: KeptSecret
    /// The pass as the house last described it, without its token.
    var pass: GuestPassAnswer
    let takenAt: Date
    /// The key that the pass is bound to; nil for one that is bound to none, or whose key is guarded.
    var key: KeptSecret?
    /// The name of the guarded key, which is given out for a PIN.
    var guardedKey: String?

    enum CodingKeys: String, CodingKey {
        case hub, token, pass, key
        case guardedKey = "guarded_key"
        case takenAt = "taken_at"
    }

    static let namePrefix = "pass "

    /// Under which it lies among the secrets.
    var name: String { "\(Self.namePrefix)\(hub) \(pass.guestID)" }
}

/// A pass that this terminal asked for, of which somebody in the house has to say yes: one for each house, the latest.
struct KeptAsk: Codable, Sendable {
    let hub: HubAddress
    /// SHA-256 of its code, base64url.
    let mark: String
    let key: KeptSecret

    static let namePrefix = "ask "

    static func name(at hub: HubAddress) -> String { "\(namePrefix)\(hub)" }

    /// Under which it lies among the secrets.
    var name: String { Self.name(at: hub) }

    static func mark(_ code: Secret) -> String { Base64URL.encode(code.digest) }
}

/// The keys by which one hub is known.
struct KeptPins: Codable, Sendable {
    let hub: HubAddress
    let pins: Set<Pin>
}

/// Where one hub was found, and the relays that lead to it.
struct KeptRoutes: Codable, Sendable {
    let hub: HubAddress
    let ways: RouteBook.Ways
}

struct KeptSession: Codable, Sendable {
    let accessToken: KeptSecret
    let refreshToken: KeptSecret
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresAt = "expires_at"
    }

    init(_ session: Session) {
        accessToken = KeptSecret(session.accessToken)
        refreshToken = KeptSecret(session.refreshToken)
        expiresAt = session.expiresAt
    }

    static let namePrefix = "session "

    /// Under which it lies among the secrets: one for each house.
    static func name(at hub: HubAddress) -> String { "\(namePrefix)\(hub)" }

    var session: Session {
        Session(accessToken: accessToken.secret, refreshToken: refreshToken.secret, expiresAt: expiresAt)
    }
}

/// A secret within another that is kept as a whole.
struct KeptSecret: Codable, Sendable {
    let secret: Secret

    init(_ secret: Secret) { self.secret = secret }

    init(from decoder: any Decoder) throws {
        secret = Secret(try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secret.reveal())
    }
}

extension Secret {
    /// Something with secrets in it, as one of them.
    fileprivate init(sealing value: some Encodable) throws {
        self.init(String(decoding: try Wire.encode(value), as: UTF8.self))
    }

    fileprivate func opened<Value: Decodable>() throws -> Value {
        do {
            return try Wire.read(Value.self, from: Data(reveal().utf8))
        } catch {
            throw ClientError.storage("What is kept of your tokens cannot be understood. Sign in, and take your passes again.")
        }
    }
}
