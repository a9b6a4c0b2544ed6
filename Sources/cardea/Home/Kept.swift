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

    enum CodingKeys: String, CodingKey {
        case hub, username, house
        case keptPins = "pins"
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
    /// The key that the pass is bound to; nil for one that is bound to none, or whose key is guarded.
    var key: KeptSecret?
    /// The name of the guarded key, which is given out for a PIN.
    var guardedKey: String?

    enum CodingKeys: String, CodingKey {
        case hub, token, pass, key
        case guardedKey = "guarded_key"
        case takenAt = "taken_at"
    }
}

/// The keys by which one hub is known.
struct KeptPins: Codable, Sendable {
    let hub: HubAddress
    let pins: Set<Pin>
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
