import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonKeyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "A new key for the device that a button publishes to, by which it checks what it is told.",
        discussion: """
            It is shown this once; the one before is worth nothing any more. Wants `cardea step-up`. `docs/firmware.md` says what it is for.

              cardea buttons key Garage
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons key")
        let made = try await context.client().buttons.newSigningKey(button.buttonID)
        try await context.output.show(made) { "Device: \(made.device)\nKey:    \(made.key)" }
    }
}
