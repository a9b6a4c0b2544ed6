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

    func run(in sitting: Sitting) async throws {
        let button = try await sitting.button(button, for: "buttons remove")
        try sitting.prompt.confirm("Take \(button.title) out? What is written on its tags does nothing any more.", beforehand: yes)
        try await sitting.client().buttons.remove(button.buttonID, seen: button.version)
        try await sitting.output.show(button) { "\(button.title) is removed." }
    }
}
