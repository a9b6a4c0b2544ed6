import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaClientBonjour
import CardeaClientNIO
import Foundation

/// One run of a command at the house: who asks, over what, and where the answer goes.
struct CommandContext: Sendable {
    let credentialStore: CredentialStore
    /// As it was when the command began.
    let credentials: StoredCredentials
    let output: Output
    let transport: ChangeTrackingTransport
    /// The hubs that are known by their keys, also those of this very run.
    let pins: PinStore
    let prompt: Prompt
    /// The ways to those hubs, and what looks for more.
    var routes = RouteStore()
    var finder: (any HubFinder)?
    var environment = ProcessInfo.processInfo.environment
    var interruptHandler = InterruptHandler()

    /// The file with a program's token, where CARDEA_TOKEN_FILE names one.
    private var tokenFile: String? { environment["CARDEA_TOKEN_FILE"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether a program asks, by its token, and nobody who is signed in.
    var usesAPIToken: Bool { tokenFile != nil }

    /// Whether whoever asks is signed in here, or is a program. Else there are the passes.
    var hasResidentAccess: Bool { usesAPIToken || credentials.isSignedIn }

    /// The client of whoever is signed in, or of the token in the file that CARDEA_TOKEN_FILE names.
    func client() throws -> CardeaClient {
        if let tokenFile {
            let named = try environment["CARDEA_HUB"].map { try HubAddress($0) }
            guard let hub = named ?? credentials.hub else { throw CommandLineError.usage("Which house? Set CARDEA_HUB to its address.") }
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

    /// The house's clock as it was last heard of; this machine's where it never was.
    static func clock(_ kept: StoredCredentials) -> HouseClock {
        HouseClock(zone: zone(kept.house?.timeZone ?? kept.passes.last?.pass.timeZone), now: Date())
    }

    static func zone(_ name: String?) -> TimeZone {
        name.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// Remembers who is signed in where, once the tokens are kept.
    func storeSignIn(_ client: CardeaClient, username: String) async throws -> HouseAnswer {
        let house = try await client.house.get()
        let trusted = try await trustedPins(client)
        try await credentialStore.update { kept in
            if let trusted { kept.trust(trusted, at: client.hub) }
            kept.updateRoutes(routes)
            kept.hub = client.hub
            kept.username = username
            kept.house = StoredCredentials.House(name: house.name, timeZone: house.timeZone)
        }
        return house
    }
}

extension CommandContext {
    /// Runs `command`. Where it comes to nothing, why is said as a person will read it.
    func run(_ command: some HouseCommand) async throws(CommandLineError) {
        do {
            try await command.run(in: self)
        } catch {
            throw CommandLineError(
                any: error, words: RefusalText(Self.clock(credentials)), mayHaveChanged: transport.mayHaveChanged, tokenFile: tokenFile)
        }
    }

    /// Keeps where houses were found in this run, so that the next one looks there first.
    func storeRoutes() async {
        guard !credentials.containsRoutes(routes), let now = try? await credentialStore.read(), !now.containsRoutes(routes) else { return }
        do { try await credentialStore.update { $0.updateRoutes(routes) } } catch {
            output.note("Where the house was found could not be kept.")
        }
    }

    /// The keys to know this house by from now on: the one that was given, and the one that would take its place.
    private func trustedPins(_ client: CardeaClient) async throws -> Set<Pin>? {
        guard let given = pins.pins(at: client.hub) else { return nil }
        do {
            guard let backup = try await client.house.certificate().backupPin else { return given }
            return given.union([try Pin(backup)])
        } catch ClientError.api(let error) where error.status == 404 {
            // The key is that of whoever stands before the house, which knows of no other.
            return given
        }
    }
}
