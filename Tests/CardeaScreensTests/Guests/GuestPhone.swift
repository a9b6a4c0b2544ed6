import CardeaAPI
import CardeaClient
import CardeaScreens
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HummingbirdTesting
import Synchronization

/// A keychain that a test can read and break.
actor ScriptedTokenStore: SecureTokenStore {
    private(set) var token: Secret?
    private(set) var deletions = 0
    private var isBroken = false
    private var successor: Secret?

    /// Stores `token` after the present one has been read once more.
    func replace(by token: Secret) { successor = token }

    func breakDown() { isBroken = true }

    func mend() { isBroken = false }

    func save(_ token: Secret) throws {
        if isBroken { throw CocoaError(.fileWriteNoPermission) }
        self.token = token
    }

    func load() -> Secret? {
        defer { if let successor { (token, self.successor) = (successor, nil) } }
        return token
    }

    func delete() throws {
        if isBroken { throw CocoaError(.fileWriteNoPermission) }
        deletions += 1
        token = nil
    }
}

/// A store for the phone's key: unlocked by touch, and broken on demand.
actor ScriptedGuestKeyStore: GuestKeyStore {
    private(set) var key: GuestKey?
    private let thumb: ScriptedPresenceVerifier
    private var isBroken = false

    init(_ thumb: ScriptedPresenceVerifier) { self.thumb = thumb }

    func breakDown() { isBroken = true }

    func save(_ key: GuestKey) throws { self.key = key }

    func unlock(_ reason: String) async throws -> GuestKey? {
        guard await thumb.confirm(reason) else { return nil }
        if isBroken { throw SecretStoreError.notFound(name: "guest-key") }
        return key
    }

    func delete() { key = nil }
}

/// Scripts whether the person who holds the phone verifies themselves.
final class ScriptedPresenceVerifier: PresenceVerifier {
    private let state = Mutex((confirms: true, asked: [String]()))

    var asked: [String] { state.withLock { $0.asked } }

    func refuse() { state.withLock { $0.confirms = false } }

    func confirm(_ reason: String) async -> Bool {
        state.withLock { state in
            state.asked.append(reason)
            return state.confirms
        }
    }
}

/// A guest's phone, and the owner's who invited them.
@MainActor
struct GuestPhone {
    let owner: TestPhone
    let guest: GuestAnswer
    let tunnel: FaultyTransport
    let client: CardeaClient
    let keychain = ScriptedTokenStore()
    let thumb: ScriptedPresenceVerifier
    /// nil for a phone without a key store.
    let keys: ScriptedGuestKeyStore?
    let pairing: GuestPairingScreen
    let screen: GuestPassScreen

    /// A guest with a link for the front door.
    static func invited(
        to house: TestHouse, over line: any TestClientProtocol, uses: Int = 0, requiresApproval: Bool = false, asksEachTime: Bool = false,
        hasKey: Bool = true
    ) async throws -> GuestPhone {
        let owner = try await TestPhone.signedIn(to: house, over: line)
        let guest = try await owner.client.guests.invite(
            InviteGuestBody(
                name: "Plumber", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                expiresAt: house.clock.now.addingTimeInterval(4 * 3600), maxUses: uses, requiresApproval: requiresApproval,
                asksEachTime: asksEachTime))
        return try GuestPhone(house, line, owner, guest, hasKey: hasKey)
    }

    /// A guest who has paired and looks at their pass.
    static func paired(
        to house: TestHouse, over line: any TestClientProtocol, uses: Int = 0, asksEachTime: Bool = false, hasKey: Bool = true
    ) async throws -> GuestPhone {
        let phone = try await invited(to: house, over: line, uses: uses, asksEachTime: asksEachTime, hasKey: hasKey)
        phone.pairing.input = phone.guest.link ?? ""
        await phone.pairing.submit()
        await phone.screen.load()
        return phone
    }

    private init(_ house: TestHouse, _ line: any TestClientProtocol, _ owner: TestPhone, _ guest: GuestAnswer, hasKey: Bool) throws {
        let tunnel = FaultyTransport(RouterTransport(line))
        let environment = TestPhone.environment(house.clock)
        let connect = { @Sendable (hub: HubAddress) in
            CardeaClient(hub: hub, transport: tunnel, resilience: .none, environment: environment)
        }
        let hub = try HubAddress("localhost")
        let thumb = ScriptedPresenceVerifier()
        let keys = hasKey ? ScriptedGuestKeyStore(thumb) : nil
        (self.thumb, self.keys) = (thumb, keys)
        self.owner = owner
        self.guest = guest
        self.tunnel = tunnel
        client = connect(hub)
        pairing = GuestPairingScreen(hub: hub, tokens: keychain, keys: keys, environment: environment, connect: connect)
        screen = GuestPassScreen(access: client.guestAccess, tokens: keychain, keys: keys, presence: thumb, environment: environment)
    }

    func decide(_ decision: Guests.Decision) async throws {
        _ = try await owner.client.guests.decide(decision, about: guest.guestID)
    }
}
