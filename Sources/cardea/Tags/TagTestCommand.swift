import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct TagTestCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Test a button's tap without a tag, with a link that works once.",
        discussion: """
            The action really happens.

              cardea tags test "Hall light"
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let button = try await context.button(button, for: "tags test")
        let link = try await client.tags.add(AddTagBody(kind: .live, buttonID: button.buttonID))
        context.output.progress("\(button.title)…")
        let answer = try await TapRequest.submit(link.url, client)
        try await context.output.show(answer) { "\(button.title): done." }
    }
}
