import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct TokenRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token. Its program loses access at once.",
        discussion: "  cardea tokens revoke \"Kitchen display\"")

    @Argument(help: "The token, by id or name.")
    var token: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let tokens = try await context.query(.apiTokens).answer.tokens
        let token = try NameResolver.resolve(token, among: tokens, what: "token", ids: { [$0.tokenID] }, name: \.name)
        let waiting = "The token for \(token.name) works until the house can be reached. The revocation is then sent first."
        try await context.sendOrQueue(.revokeToken(id: token.tokenID, name: token.name), waiting: waiting) { client, key in
            try await client.apiTokens.revoke(token.tokenID, key: key)
            return token
        } text: { _ in
            "The token for \(token.name) is revoked."
        }
    }
}
