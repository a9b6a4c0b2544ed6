import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct WatchCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show changes in the house live, until Ctrl-C.",
        discussion: """
            On a terminal, all devices are listed by room, and recent changes are highlighted. Space and b turn the pages, q quits.
            If the hub cannot be reached, the last known state is shown with its age, and the terminal reconnects by itself.

            In a pipe, with --lines, or with NO_COLOR set: first the state of every device, then one line for each change. After a break,
            missed changes are printed too. With --json, each line is an object.

              cardea watch
              cardea watch "front door" hall-light
              cardea watch --json | jq -r 'select(.type == "device").device.name'
            """)

    @Argument(help: "Show only these devices, by id or name.", completion: .devices)
    var devices: [String] = []
    @Flag(help: "Print one line for each change, also on a terminal.")
    var lines = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard context.output.isColoured, !lines else { return try await printLines(client, context) }
        var screen = WatchScreen(
            house: try await initialModel(client, context), output: context.output, listensToKeys: context.prompt.isInteractive)
        try await screen.run(client.eventStream.events())
    }

    private func printLines(_ client: CardeaClient, _ context: CommandContext) async throws {
        let clock = try await context.clock(client)
        var board = WatchLines(output: context.output, zone: clock.zone)
        let wanted = try ids(among: await client.devices.list().devices)
        for await event in client.eventStream.events() {
            if case .interrupted(let error, .zero) = event { throw error }
            for line in try board.receive(event, only: wanted) { context.output.writeLine(line) }
        }
    }

    /// The model before the first event: from stored data if there is any, so that it is shown at once and without the house; else from the
    /// house.
    private func initialModel(_ client: CardeaClient, _ context: CommandContext) async throws -> WatchModel {
        if let replica = try await context.replicaIfAvailable(of: client), let levelAt = try await replica.lastSyncedAt(),
            let house = try await replica.house().value
        {
            let known = try await replica.devices().value
            // An unknown name may be new in the house.
            if let wanted = try? ids(among: known) {
                return WatchModel(
                    name: house.name, zone: CommandContext.zone(house.timeZone), devices: known, asOf: levelAt, only: wanted)
            }
        }
        let house = try await client.house.get()
        let known = try await client.devices.list().devices
        return WatchModel(
            name: house.name, zone: CommandContext.zone(house.timeZone), devices: known, asOf: Date(), only: try ids(among: known))
    }

    private func ids(among known: [DeviceAnswer]) throws -> Set<String> {
        Set(try devices.map { try NameResolver.device($0, among: known).deviceID })
    }
}
