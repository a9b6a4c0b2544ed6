import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct TagsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tags and the button of each.", discussion: "  cardea tags")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.tags)
        try await context.output.show(look) {
            guard !look.answer.tags.isEmpty else {
                return "There are no tags yet. Lay one on the reader, then run: cardea tags write BUTTON --label \"By the hall mirror\""
            }
            let titles = Dictionary(
                try await context.query(.buttons).answer.buttons.map { ($0.buttonID, $0.title) }, uniquingKeysWith: { first, _ in first })
            let clock = try await context.clock(look)
            let rows = look.answer.tags.map { tag in
                [
                    tag.label ?? "", titles[tag.buttonID] ?? tag.buttonID, TagText.kind(tag.kind),
                    tag.lastUsedAt.map(clock.short) ?? "never",
                    TagText.status(tag, clock), tag.tagID,
                ]
            }
            return Table("TAG", "BUTTON", "KIND", "LAST USED", "STATE", "ID", rows: rows).text(context.output)
        }
    }
}

/// Tags as text.
enum TagText {
    static func kind(_ kind: TagKind) -> String {
        switch kind {
        case .live: "live link"
        case .static: "can be copied"
        case .sun: "enrolled"
        }
    }

    /// Empty if there is nothing to report.
    static func status(_ tag: TagAnswer, _ clock: HouseClock) -> String {
        guard tag.state == .active else { return "being written" }
        let alarm = tag.alarmedAt.map { "copied? \(clock.short($0))" }
        return [alarm, tag.outdated ? "renew it" : nil].compactMap(\.self).joined(separator: ", ")
    }

    static func name(_ tag: TagAnswer) -> String { tag.label ?? tag.tagID }
}

extension CommandContext {
    /// The tag that a person calls `wanted`, as the house has it now.
    func tag(_ wanted: String, for command: String) async throws -> TagAnswer {
        try Self.tag(wanted, for: command, among: try await client().tags.list().tags)
    }

    /// The same of one button's, if another is to take its place; nil if none is given.
    func tagToReplace(_ wanted: String?, of button: ButtonAnswer, for command: String) async throws -> TagAnswer? {
        guard let wanted else { return nil }
        let tags = try await client().tags.list().tags.filter { $0.buttonID == button.buttonID }
        return try Self.tag(wanted, for: "\(command) … --replace", among: tags)
    }

    private static func tag(_ wanted: String, for command: String, among tags: [TagAnswer]) throws -> TagAnswer {
        try NameResolver.resolve(
            wanted, among: tags, what: "tag", ids: { [$0.tagID] }, name: { $0.label ?? "" }, exactly: "cardea \(command)")
    }
}
