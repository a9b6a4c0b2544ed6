import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonRegenerateCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "regenerate", abstract: "Make every live link of a button worthless.",
        discussion: """
            Tags stay good; `cardea tags remove` takes one out.

              cardea buttons regenerate Garage
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons regenerate")
        try await context.client().buttons.invalidateLiveLinks(button.buttonID)
        try await context.output.show(button) { "Every link that was made for \(button.title) is worthless now." }
    }
}
