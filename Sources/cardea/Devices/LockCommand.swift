import ArgumentParser
import CardeaClient

struct LockCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock or close a door, and wait for its confirmation.",
        discussion: """
              cardea lock front-door
              cardea lock garage
            """)

    @Argument(help: "The door, by id or name. Not needed with a pass for one door.", completion: .doors)
    var door: String?
    @OptionGroup var passOptions: PassOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await passOptions.submit(.lock, door, context)
    }
}
