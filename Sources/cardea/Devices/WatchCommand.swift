import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct WatchCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "The house as it changes, until Ctrl-C.",
        discussion: """
            On a terminal, everything by rooms, drawn anew as it changes; what has just changed stands out. Space and b turn the pages, q ends it.
            Where the hub cannot be reached, what was last known stands there with its age, and the line is taken up again by itself.

            Elsewhere, with --lines, or with NO_COLOR set: first how everything stands, then a line for each thing that changes. What was missed
            in a break is told. With --json, each line is an object.

              cardea watch
              cardea watch "front door" hall-light
              cardea watch --json | jq -r 'select(.type == "device").device.name'
            """)

    @Argument(help: "Only these devices, by id or name.", completion: .devices)
    var devices: [String] = []
    @Flag(help: "A line for each change, also on a terminal.")
    var lines = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        guard sitting.output.isColoured, !lines else { return try await tell(client, sitting) }
        var screen = WatchScreen(
            house: try await begin(client, sitting), output: sitting.output, listensToKeys: sitting.prompt.isInteractive)
        try await screen.run(client.live.events())
    }

    private func tell(_ client: CardeaClient, _ sitting: Sitting) async throws {
        let clock = try await sitting.clock(client)
        var board = WatchBoard(output: sitting.output, zone: clock.zone)
        let wanted = try ids(among: await client.devices.list().devices)
        for await event in client.live.events() {
            if case .interrupted(let error, .zero) = event { throw error }
            for line in try board.take(event, only: wanted) { sitting.output.say(line) }
        }
    }

    /// What is known before anything is told: what was kept of the house, so that it is there at once and without it, else what it says.
    private func begin(_ client: CardeaClient, _ sitting: Sitting) async throws -> WatchedHouse {
        if let replica = try await sitting.replicaIfOpen(of: client), let levelAt = try await replica.levelAt(),
            let house = try await replica.house().value
        {
            let known = try await replica.devices().value
            // What is not known by that name may be new in the house.
            if let wanted = try? ids(among: known) {
                return WatchedHouse(
                    name: house.name, zone: Sitting.zone(house.timeZone), devices: known, asOf: levelAt, only: wanted)
            }
        }
        let house = try await client.house.about()
        let known = try await client.devices.list().devices
        return WatchedHouse(
            name: house.name, zone: Sitting.zone(house.timeZone), devices: known, asOf: Date(), only: try ids(among: known))
    }

    private func ids(among known: [DeviceAnswer]) throws -> Set<String> {
        Set(try devices.map { try Named.device($0, among: known).deviceID })
    }
}
