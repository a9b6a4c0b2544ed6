import ArgumentParser
import CardeaAPI
import CardeaClient

struct RoomShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "The things in one room, and how they stand.", discussion: "  cardea rooms show Hall")

    @Argument(help: "The room, by id or name.", completion: .rooms)
    var room: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let room = try await client.room(room)
        let answer = try await client.devices.list(room: room.name)
        try await sitting.output.show(answer) {
            guard !answer.devices.isEmpty else { return "Nothing is in \(room.name) yet." }
            let rows = answer.devices.map { [$0.name, StateWords.summary(of: $0), $0.deviceID] }
            return Table("NAME", "STATE", "ID", rows: rows).text(sitting.output)
        }
    }
}
