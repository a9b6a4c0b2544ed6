import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonPressCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Press a button with your own permissions, and wait for the result.",
        discussion: """
            A press is never queued: without a connection, nothing happens.

              cardea buttons press Garage
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
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
