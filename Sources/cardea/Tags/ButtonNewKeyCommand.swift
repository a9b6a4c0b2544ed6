import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonNewKeyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a new key for the device that verifies a button's messages.",
        discussion: """
            The key is printed once, and the previous key stops working. Needs `cardea step-up` first. docs/firmware.md describes its use.

              cardea buttons key Garage
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons key")
        let made = try await context.client().buttons.newSigningKey(button.buttonID)
        try await context.output.show(made) { "Device: \(made.device)\nKey:    \(made.key)" }
    }
}
