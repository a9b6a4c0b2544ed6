import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct AutomationHistoryCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show the runs of an automation, newest first.",
        discussion: """
              cardea automations history "Everybody out"
            """)

    @Argument(help: "The automation, by id or name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let one = try NameResolver.automation(automation, among: try await context.query(.automations).answer.automations)
        let look = try await context.query(.automationHistory(of: one.automationID))
        try await context.output.show(look) {
            guard !look.answer.runs.isEmpty else { return "\(one.name) has not run yet." }
            let (clock, words) = (try await context.clock(look), AutomationText(names: try await context.deviceNames()))
            return Table("AT", "WHAT", rows: look.answer.runs.map { [clock.short($0.at), words.run($0)] }).text(context.output)
        }
    }
}

struct AutomationTryCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Simulate an automation over the last days. Controls nothing.",
        discussion: """
              cardea automations try "Everybody out" --days 30
            """)

    @Argument(help: "The automation, by id or name.")
    var automation: String
    @Option(help: ArgumentHelp("The number of days, 1 to 30.", valueName: "days"))
    var days: Int = 7
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...30).contains(days) else { throw ValidationError("--days needs 1 to 30.") }
    }

    func run(in context: CommandContext) async throws {
        let one = try await context.automation(automation)
        let answer = try await context.client().automations.dryRun(one.automationID, days: days)
        try await context.output.show(answer) {
            let span = "over \(days == 1 ? "the last day" : "the last \(days) days"), based on \(answer.happenings) events"
            guard answer.total > 0 else { return "\(one.name) would not have run \(span)." }
            let (clock, words) = (try await context.clock(), AutomationText(names: try await context.deviceNames()))
            let head = "\(one.name) would have run \(answer.total == 1 ? "once" : "\(answer.total) times") \(span). Nothing was controlled."
            let rows = answer.runs.suffix(30).map { [clock.short($0.at), words.trigger(one.triggers, $0.trigger), words.run($0)] }
            return head + "\n" + Table("AT", "WHEN", "WHAT", rows: rows).text(context.output)
        }
    }
}

extension AutomationText {
    fileprivate func trigger(_ all: [AutomationTrigger], _ place: Int?) -> String {
        place.flatMap { all.indices.contains($0) ? trigger(all[$0]) : nil } ?? ""
    }
}
