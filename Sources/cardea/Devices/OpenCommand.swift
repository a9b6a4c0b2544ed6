import ArgumentParser
import CardeaClient

struct OpenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a door, and wait for its confirmation.",
        discussion: """
            Uses your session or the program's token (CARDEA_TOKEN_FILE); without either, your pass. The command is never queued:
            without a connection, the door stays as it is. While the request waits for approval, Ctrl-C withdraws it.

              cardea open front-door
              cardea open                 # with a pass that opens one door
              cardea open garage --pass
            """)

    @Argument(help: "The door, by id or name. Not needed with a pass for one door.", completion: .doors)
    var door: String?
    @OptionGroup var passOptions: PassOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await passOptions.submit(.open, door, context)
    }
}
