import ArgumentParser
import CardeaAPI
import CardeaClient

struct TokenRevokeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a token. Its program is refused from its next request on.",
        discussion: "  cardea tokens revoke \"Kitchen display\"")

    @Argument(help: "The token, by id or name.")
    var token: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let token = try Named.find(
            token, among: await client.apiTokens.list().tokens, what: "token", ids: { [$0.tokenID] }, name: \.name)
        try await client.apiTokens.revoke(token.tokenID)
        try await sitting.output.show(token) { "The token for \(token.name) is revoked." }
    }
}
