import ArgumentParser

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens", abstract: "Tokens for programs: list, make, revoke.",
        subcommands: [TokensListCommand.self, TokenMakeCommand.self, TokenRevokeCommand.self],
        defaultSubcommand: TokensListCommand.self)
}
