import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct ButtonsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the buttons and their actions.", discussion: "  cardea buttons")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.buttons)
        try await context.output.show(look) {
            guard !look.answer.buttons.isEmpty else {
                return "There are no buttons yet. Add one: cardea buttons add \"Garage\" garage:open"
            }
            let names = try await context.deviceNames()
            let rows = look.answer.buttons.map { button in
                [button.title, ButtonText.action(button, calling: names), ButtonText.status(button), button.buttonID]
            }
            return Table("BUTTON", "DOES", "TAGS", "ID", rows: rows).text(context.output)
        }
    }
}

/// Buttons as text.
enum ButtonText {
    static func action(_ button: ButtonAnswer, calling names: [String: String]) -> String {
        // Its message is shown to people who may change it.
        if let publish = button.publish {
            return "publishes \(publish.message.isEmpty ? "a message" : publish.message) to \(publish.topic)"
        }
        return "\(names[button.action.deviceID] ?? button.action.deviceID) \(button.action.action)"
    }

    static func status(_ button: ButtonAnswer) -> String {
        guard button.enabled else { return "disabled" }
        guard button.tagsEnabled else { return "no" }
        return button.countdown > 0 ? "after \(button.countdown) s" : "yes"
    }
}

extension CommandContext {
    /// The button with the title or id `wanted`, as the house has it now.
    ///
    /// - Parameter command: the command that asks; the full title is required, or the id.
    func button(_ wanted: String, for command: String) async throws -> ButtonAnswer {
        try NameResolver.resolve(
            wanted, among: try await client().buttons.list().buttons, what: "button", ids: { [$0.buttonID] }, name: \.title,
            exactly: "cardea \(command)")
    }
}
