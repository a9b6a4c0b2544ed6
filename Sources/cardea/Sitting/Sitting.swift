import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaClientNIO
import Foundation

/// One run of a command at the house: who asks, over what, and where the answer goes.
struct Sitting: Sendable {
    let file: TokenFile
    /// As it was when the command began.
    let kept: Kept
    let output: Output
    let transport: any Transport
    let prompt: Prompt

    /// The client of whoever is signed in.
    func client() throws -> CardeaClient {
        guard let hub = kept.hub, kept.isSignedIn else { throw Failure.notSignedIn }
        return client(of: hub)
    }

    func client(of hub: HubAddress) -> CardeaClient {
        CardeaClient(hub: hub, transport: transport, sessions: KeptSessionStore(file: file, hub: hub))
    }

    /// The house's clock, from the house.
    func clock(_ client: CardeaClient) async throws -> HouseClock {
        HouseClock(zone: Self.zone(try await client.house.about().timeZone), now: Date())
    }

    /// The house's clock as it was last heard of; this machine's where it never was.
    static func clock(_ kept: Kept) -> HouseClock {
        HouseClock(zone: zone(kept.house?.timeZone ?? kept.passes.last?.pass.timeZone), now: Date())
    }

    static func zone(_ name: String?) -> TimeZone {
        name.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// Remembers who is signed in where, once the tokens are kept.
    func settle(_ client: CardeaClient, username: String) async throws -> HouseAnswer {
        let house = try await client.house.about()
        try await file.update { kept in
            kept.hub = client.hub
            kept.username = username
            kept.house = Kept.House(name: house.name, timeZone: house.timeZone)
        }
        return house
    }
}

/// A command that speaks to the house. Its file holds its options and its `run(in:)`.
protocol HouseCommand: AsyncParsableCommand {
    var output: OutputOptions { get }
    func run(in sitting: Sitting) async throws
}

extension HouseCommand {
    func run() async throws {
        let file = CardeaHome().tokens
        var known = Kept()
        do {
            let kept = try file.read()
            known = kept
            try await withNIOTransport { transport in
                let output = Output(json: output.json)
                try await run(in: Sitting(file: file, kept: kept, output: output, transport: transport, prompt: Prompt()))
            }
        } catch {
            throw Failure(any: error, words: RefusalWords(Sitting.clock(known)))
        }
    }
}
