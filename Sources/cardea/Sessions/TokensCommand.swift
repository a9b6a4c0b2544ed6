import ArgumentParser

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens", abstract: "List, make and revoke tokens for programs.",
        subcommands: [TokensListCommand.self, TokenMakeCommand.self, TokenRevokeCommand.self],
        defaultSubcommand: TokensListCommand.self)
}
