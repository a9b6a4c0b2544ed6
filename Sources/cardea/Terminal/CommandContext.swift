import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaClientBonjour
import CardeaClientNIO
import Foundation

/// One run of a command: the caller's credentials, the connection, and the output.
struct CommandContext: Sendable {
    let credentialStore: CredentialStore
    /// As it was when the command began.
    let credentials: StoredCredentials
    let output: Output
    let transport: ChangeTrackingTransport
    /// The hubs with pinned keys, including those pinned in this run.
    let pins: PinStore
    let prompt: Prompt
    /// The routes to those hubs, and the finder of new ones.
    var routes = RouteStore()
    var finder: (any HubFinder)?
    var environment = ProcessInfo.processInfo.environment
    var interruptHandler = InterruptHandler()

    /// The file with a program's token, from CARDEA_TOKEN_FILE; nil without it.
    private var tokenFile: String? { environment["CARDEA_TOKEN_FILE"].flatMap { $0.isEmpty ? nil : $0 } }

    /// True if the caller is a program with a token, not a signed-in person.
    var usesAPIToken: Bool { tokenFile != nil }

    /// True if the caller is signed in or is a program. Otherwise only guest passes are available.
    var hasResidentAccess: Bool { usesAPIToken || credentials.isSignedIn }

    /// The client of the signed-in person, or of the token in the file named by CARDEA_TOKEN_FILE.
    func client() throws -> CardeaClient {
        if let tokenFile {
            let named = try environment["CARDEA_HUB"].map { try HubAddress($0) }
            guard let hub = named ?? credentials.hub else { throw CommandLineError.usage("Set CARDEA_HUB to the hub's address.") }
            return CardeaClient(hub: hub, transport: transport, sessions: try APITokenFile(path: tokenFile), resilience: .none)
        }
        guard let hub = credentials.hub, credentials.isSignedIn else { throw credentials.notSignedIn }
        return client(of: hub)
    }

    func client(of hub: HubAddress) -> CardeaClient {
        CardeaClient(hub: hub, transport: transport, sessions: HubSessionStore(file: credentialStore, hub: hub), resilience: .none)
    }

    /// The house's clock, from the house.
    func clock(_ client: CardeaClient) async throws -> HouseClock {
        HouseClock(zone: Self.zone(try await client.house.get().timeZone), now: Date())
    }

    /// The house's clock by its last known time zone; this machine's if there is none.
    static func clock(_ stored: StoredCredentials) -> HouseClock {
        HouseClock(zone: zone(stored.house?.timeZone ?? stored.passes.last?.pass.timeZone), now: Date())
    }

    static func zone(_ name: String?) -> TimeZone {
        name.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// Stores the username and the house of the sign-in, once the tokens are stored.
    func storeSignIn(_ client: CardeaClient, username: String) async throws -> HouseAnswer {
        let house = try await client.house.get()
        let trusted = try await trustedPins(client)
        try await credentialStore.update { stored in
            if let trusted { stored.trust(trusted, at: client.hub) }
            stored.updateRoutes(routes)
            stored.hub = client.hub
            stored.username = username
            stored.house = StoredCredentials.House(name: house.name, timeZone: house.timeZone)
        }
        return house
    }
}

extension CommandContext {
    /// Runs `command`. An error is thrown as text for a person.
    func run(_ command: some HouseCommand) async throws(CommandLineError) {
        do {
            try await command.run(in: self)
        } catch {
            throw CommandLineError(
                any: error, words: RefusalText(Self.clock(credentials)), mayHaveChanged: transport.mayHaveChanged, tokenFile: tokenFile)
        }
    }

    /// Stores the routes found in this run, so that the next run tries them first.
    func storeRoutes() async {
        guard !credentials.containsRoutes(routes), let now = try? await credentialStore.read(), !now.containsRoutes(routes) else { return }
        do { try await credentialStore.update { $0.updateRoutes(routes) } } catch {
            output.note("The address of the house could not be stored.")
        }
    }

    /// The keys to pin for this house: the given ones, and its backup key.
    private func trustedPins(_ client: CardeaClient) async throws -> Set<Pin>? {
        guard let given = pins.pins(at: client.hub) else { return nil }
        do {
            guard let backup = try await client.house.certificate().backupPin else { return given }
            return given.union([try Pin(backup)])
        } catch ClientError.api(let error) where error.status == 404 {
            // The given key is that of the proxy in front of the house, which has no certificate of its own.
            return given
        }
    }
}
