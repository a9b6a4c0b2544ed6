import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct RetentionCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Show how long each kind of data is kept.", discussion: "  cardea privacy retention")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.retention)
        try await context.output.show(look) { Self.text(look.answer, try await context.clock(look), context) }
    }

    static func text(_ answer: RetentionAnswer, _ clock: HouseClock, _ context: CommandContext) -> String {
        Table("KIND", "DAYS", "MAXIMUM", "DELETED", "LAST RUN", rows: answer.retention.map { row($0, clock) }).text(context.output)
    }

    static func row(_ rule: RetentionAnswer.Rule, _ clock: HouseClock) -> [String] {
        [rule.kind, days(rule.days), days(rule.mostDays), "\(rule.dropped)", rule.sweptAt.map(clock.short) ?? "not yet"]
    }

    /// The same words as on the house's privacy page.
    private static func days(_ days: Int) -> String { days >= RetentionKind.unlimitedDays ? "forever" : "\(days)" }
}

struct RetentionKeepCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Set how many days a kind of data is kept. Owners only.",
        discussion: """
            Needs `cardea step-up` first, and is written to the audit log. Older data is deleted the next night, permanently.

              cardea privacy keep events=30 activity=60
            """)

    @Argument(help: ArgumentHelp("A kind and its days: events=30. `cardea privacy retention` lists the kinds.", valueName: "kind=days"))
    var days: [String]
    @OptionGroup var output: OutputOptions

    private func parsedDays() throws -> [String: Int] {
        var wanted: [String: Int] = [:]
        for text in days {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let number = Int(parts[1]) else {
                throw ValidationError("\u{201C}\(text)\u{201D} is not a kind with its days, such as events=30.")
            }
            wanted[parts[0]] = number
        }
        return wanted
    }

    func validate() throws { _ = try parsedDays() }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.privacy.setRetention(try parsedDays())
        try await context.output.show(answer) { RetentionCommand.text(answer, try await context.clock(client), context) }
    }
}
