import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// All that the command line keeps between two runs.
struct Kept: Codable, Sendable {
    var hub: HubAddress?
    var username: String?
    var house: House?
    private var keptSession: KeptSession?
    private var keptPasses: [KeptPass]?
    private var keptPins: [KeptPins]?
    private var keptRoutes: [KeptRoutes]?

    enum CodingKeys: String, CodingKey {
        case hub, username, house
        case keptPins = "pins"
        case keptRoutes = "routes"
        case keptSession = "session"
        case keptPasses = "passes"
    }

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
        get { keptPasses ?? [] }
        set { keptPasses = newValue.isEmpty ? nil : newValue }
    }

    /// The hubs that are known by their keys.
    var pins: PinBook {
        let book = PinBook()
        for kept in keptPins ?? [] { book.trust(kept.pins, at: kept.hub) }
        return book
    }

    mutating func trust(_ pins: Set<Pin>, at hub: HubAddress) {
        keptPins = (keptPins ?? []).filter { $0.hub != hub } + [KeptPins(hub: hub, pins: pins)]
    }

    /// The ways to the hubs that are known by their keys.
    var routes: RouteBook {
        let book = RouteBook()
        for kept in keptRoutes ?? [] { book.set(kept.ways, to: kept.hub) }
        return book
    }

    /// Keeps what became known of the ways to those hubs.
    mutating func keep(_ routes: RouteBook) {
        let kept = (keptPins ?? []).map { KeptRoutes(hub: $0.hub, ways: routes.ways(to: $0.hub)) }.filter { $0.ways != .init() }
        keptRoutes = kept.isEmpty ? nil : kept
    }

    /// Whether all of it is kept.
    func keeps(_ routes: RouteBook) -> Bool {
        let before = self.routes
        return (keptPins ?? []).allSatisfy { before.ways(to: $0.hub) == routes.ways(to: $0.hub) }
    }

    /// Whether somebody is signed in somewhere.
    var isSignedIn: Bool { hub != nil && keptSession != nil }

    func session(at hub: HubAddress) -> Session? {
        self.hub == hub ? keptSession?.session : nil
    }

    /// Signing in at another house leaves the one before.
    mutating func set(_ session: Session?, at hub: HubAddress) {
        if let session {
            if self.hub != hub { (house, username) = (nil, nil) }
            self.hub = hub
            keptSession = KeptSession(session)
        } else if self.hub == hub {
            keptSession = nil
        }
    }
}

/// A pass of this person's, and the house it opens.
struct KeptPass: Codable, Sendable {
    let hub: HubAddress
    let token: KeptSecret
    /// The pass as the house last described it, without its token.
    var pass: GuestPassAnswer
    let takenAt: Date

    enum CodingKeys: String, CodingKey {
        case hub, token, pass
        case takenAt = "taken_at"
    }
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

    var session: Session {
        Session(accessToken: accessToken.secret, refreshToken: refreshToken.secret, expiresAt: expiresAt)
    }
}

/// A secret on its way into the file or out of it.
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
