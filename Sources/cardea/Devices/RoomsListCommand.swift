import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct RoomsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the rooms and the number of devices in each.", discussion: "  cardea rooms")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.rooms.list()
        } stored: {
            try await $0.rooms().map { RoomsAnswer(rooms: $0) }
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.rooms.isEmpty else { return "There are no rooms yet." }
            let devices = try await context.devices(look)
            let rows = answer.rooms.map { room in
                [room.name, String(devices.count { $0.roomID == room.roomID }), String(room.floor), room.roomID]
            }
            return Table("NAME", "DEVICES", "FLOOR", "ID", rows: rows).text(context.output)
        }
    }
}

extension CardeaClient {
    /// The room with this name or id.
    func room(_ wanted: String) async throws -> RoomDescriptionAnswer {
        try NameResolver.room(wanted, among: await rooms.list().rooms)
    }
}

extension NameResolver {
    static func room(_ wanted: String, among rooms: [RoomDescriptionAnswer]) throws -> RoomDescriptionAnswer {
        try resolve(wanted, among: rooms, what: "room", ids: { [$0.roomID] }, name: \.name)
    }
}
