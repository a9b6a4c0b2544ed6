import ArgumentParser
import CardeaClient

struct LockCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock or shut a door, and wait for what the door says.",
        discussion: """
              cardea lock front-door
              cardea lock garage
            """)

    @Argument(help: "The door, by id or name; a pass for one door needs none.", completion: .doors)
    var door: String?
    @OptionGroup var passOptions: PassOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await passOptions.submit(.lock, door, context)
    }
}
