import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonRevokeLinksCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "regenerate", abstract: "Invalidate every live link of a button.",
        discussion: """
            Tags stay valid; `cardea tags remove` removes one.

              cardea buttons regenerate Garage
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons regenerate")
        try await context.client().buttons.invalidateSignedLinks(button.buttonID)
        try await context.output.show(button) { "All links of \(button.title) are now invalid." }
    }
}
