import ArgumentParser

struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Show, set or remove the relay: an address for reaching the house from elsewhere.",
        subcommands: [RelayShowCommand.self, RelaySetCommand.self, RelayRemoveCommand.self], defaultSubcommand: RelayShowCommand.self)
}
