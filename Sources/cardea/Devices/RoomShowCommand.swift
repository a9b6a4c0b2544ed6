import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct RoomShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the devices in a room and their states.", discussion: "  cardea rooms show Hall")

    @Argument(help: "The room, by id or name.", completion: .rooms)
    var room: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let room = try await context.room(room)
        let look = try await context.query {
            try await $0.devices.list(room: room.name)
        } stored: {
            try await $0.devices().map { devices in
                DevicesAnswer(devices: devices.filter { $0.roomID == room.roomID }, filtersApplied: ["room": room.name])
            }
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.devices.isEmpty else { return "\(room.name) has no devices yet." }
            let clock = try await context.clock(look)
            let rows = answer.devices.map { [$0.name, StateText.summary(of: $0, clock), $0.deviceID] }
            return Table("NAME", "STATE", "ID", rows: rows).text(context.output)
        }
    }
}
