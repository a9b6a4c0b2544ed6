import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct TokensListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your tokens, what each may, and until when.", discussion: "  cardea tokens")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.apiTokens.list()
        try await sitting.output.show(answer) {
            guard !answer.tokens.isEmpty else { return "No program has a token of yours." }
            let clock = try await sitting.clock(client)
            let names = try await client.deviceNames()
            let rows = answer.tokens.map { token in
                [
                    token.name, TokenWords.may(token, calling: names), token.expiresAt.map(clock.short) ?? "no end",
                    token.lastUsedAt.map(clock.short) ?? "", token.tokenID,
                ]
            }
            return Table("NAME", "MAY", "UNTIL", "LAST USED", "ID", rows: rows).text(sitting.output)
        }
    }
}

/// A token in words.
enum TokenWords {
    static func may(_ token: APITokenAnswer, calling names: [String: String]) -> String {
        guard let grants = token.grants else { return "what a \(token.role.rawValue) may" }
        return grants.map { grant in
            let does = grant.actions.filter { $0 != Verb.read.rawValue }
            let name = names[grant.deviceID] ?? grant.deviceID
            return "\(name): \((does.isEmpty ? [Verb.read.rawValue] : does).joined(separator: " "))"
        }.joined(separator: ", ")
    }
}
