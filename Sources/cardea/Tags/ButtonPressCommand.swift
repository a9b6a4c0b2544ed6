import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonPressCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Do what a button does, by your own right, and wait for what comes of it.",
        discussion: """
            Nothing is ever sent later: without a connection, nothing happens.

              cardea buttons press Garage
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let button = try await context.button(button, for: "buttons press")
        context.output.progress("\(button.title)…")
        var outcome: CommandOutcome
        do { outcome = CommandOutcome(try await client.buttons.press(button.buttonID)) } catch {
            outcome = try CommandOutcome(losing: error)
        }
        if case .waiting(let command) = outcome {
            outcome = try await client.devices.outcome(of: command.commandID, patience: .seconds(60))
        }
        let answer = try CommandOutcomeValidator.requireConfirmed(outcome, words: .plain)
        try await context.output.show(answer) { "\(button.title): done." }
    }
}
