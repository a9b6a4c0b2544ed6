import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct RoomRenameCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a room another name.", discussion: "  cardea rooms rename Study Library")

    @Argument(help: "The room, by id or name.")
    var room: String
    @Argument(help: "Its new name.")
    var name: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let room = try await client.room(room)
        let answer = try await client.rooms.rename(room.roomID, to: name)
        try await sitting.output.show(answer) { "\(room.name) is called \(answer.name) now." }
    }
}
