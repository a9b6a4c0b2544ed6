import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct AutomationsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the automations and their actions.", discussion: "  cardea automations")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.automations)
        try await context.output.show(look) {
            guard !look.answer.automations.isEmpty else {
                return """
                    There are no automations yet. Add one: cardea automations add "Everybody out" --when last-leaves \
                    --do front-door:lock --tell "Everybody has left."
                    """
            }
            let words = AutomationText(names: try await context.deviceNames())
            let rows = look.answer.automations.map { one in
                [one.name, AutomationText.status(one), words.triggers(one), words.actions(one), one.automationID]
            }
            return Table("NAME", "IS", "WHEN", "DOES", "ID", rows: rows).text(context.output)
        }
    }
}

struct AutomationShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an automation in full.",
        discussion: """
            With --json, the output is a file for `automations add --file`.

              cardea automations show "Everybody out"
            """)

    @Argument(help: "The automation, by id or name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let all = try await context.query(.automations)
        let one = try NameResolver.automation(automation, among: all.answer.automations)
        try await context.output.show(QueryResult(one, asOf: all.asOf)) {
            let words = AutomationText(names: try await context.deviceNames())
            var lines = ["\(context.output.bold(one.name)), \(AutomationText.status(one))"]
            lines += one.triggers.map { "  when \(words.trigger($0))" }
            lines += one.conditions.map { "  if \(words.condition($0))" }
            lines += one.actions.map { "  \(words.action($0))" }
            lines.append("Its runs: cardea automations history \(one.automationID)")
            return lines.joined(separator: "\n")
        }
    }
}

extension NameResolver {
    static func automation(
        _ wanted: String, among automations: [AutomationAnswer], exactly command: String? = nil
    ) throws -> AutomationAnswer {
        try resolve(
            wanted, among: automations, what: "automation", ids: { [$0.automationID] }, name: \.name,
            exactly: command.map { "cardea automations \($0)" })
    }
}

extension CommandContext {
    /// The automation with the name or id `wanted`; if the house cannot be reached, from stored data.
    func automation(_ wanted: String, for command: String? = nil) async throws -> AutomationAnswer {
        try NameResolver.automation(wanted, among: try await query(.automations).answer.automations, exactly: command)
    }
}
