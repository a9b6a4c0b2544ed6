import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct TokensListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your tokens with their permissions and end dates.", discussion: "  cardea tokens")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.apiTokens)
        try await context.output.show(look) {
            guard !look.answer.tokens.isEmpty else { return "You have no tokens." }
            let clock = try await context.clock(look)
            let names = try await context.deviceNames()
            let rows = look.answer.tokens.map { token in
                [
                    token.name, TokenText.permissions(token, calling: names), token.expiresAt.map(clock.short) ?? "no end",
                    token.lastUsedAt.map(clock.short) ?? "", token.tokenID,
                ]
            }
            return Table("NAME", "MAY", "UNTIL", "LAST USED", "ID", rows: rows).text(context.output)
        }
    }
}

/// A token in words.
enum TokenText {
    static func permissions(_ token: APITokenAnswer, calling names: [String: String]) -> String {
        let more = token.recordsEvents == true ? ["record events"] : []
        guard let grants = token.grants else { return (["what a \(token.role.rawValue) may"] + more).joined(separator: ", ") }
        return
            (grants.map { grant in
                let does = grant.actions.filter { $0 != Verb.read.rawValue }
                let name = names[grant.deviceID] ?? grant.deviceID
                return "\(name): \((does.isEmpty ? [Verb.read.rawValue] : does).joined(separator: " "))"
            } + more).joined(separator: ", ")
    }
}
