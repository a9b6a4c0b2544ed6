import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a button and its tags.", discussion: "  cardea buttons remove Garage --yes")

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons remove")
        try context.prompt.confirm("Remove \(button.title)? Its tags stop working.", beforehand: yes)
        try await context.client().buttons.remove(button.buttonID, seen: button.version)
        try await context.output.show(button) { "\(button.title) is removed." }
    }
}
