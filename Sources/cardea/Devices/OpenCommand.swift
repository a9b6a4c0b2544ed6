import ArgumentParser
import CardeaClient

struct OpenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a door, and wait for what the door says.",
        discussion: """
            As a resident or by a program's token (CARDEA_TOKEN_FILE), or by a pass where there is neither. Nothing is ever sent later:
            without a connection, the door stays as it is. While somebody in the house is asked, Ctrl-C takes the ask back.

              cardea open front-door
              cardea open                 # by a pass that opens one door
              cardea open garage --pass
            """)

    @Argument(help: "The door, by id or name; a pass for one door needs none.", completion: .doors)
    var door: String?
    @OptionGroup var passOptions: PassOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await passOptions.submit(.open, door, context)
    }
}
