import ArgumentParser
import CardeaAPI
import CardeaClient

struct ButtonRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a button out, and its tags with it.", discussion: "  cardea buttons remove Garage --yes")

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "buttons remove")
        try context.prompt.confirm("Take \(button.title) out? What is written on its tags does nothing any more.", beforehand: yes)
        try await context.client().buttons.remove(button.buttonID, seen: button.version)
        try await context.output.show(button) { "\(button.title) is removed." }
    }
}
