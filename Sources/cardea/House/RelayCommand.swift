import ArgumentParser

struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "An address that leads to the house from elsewhere, tried when it is not nearby.",
        subcommands: [RelayShowCommand.self, RelaySetCommand.self, RelayRemoveCommand.self], defaultSubcommand: RelayShowCommand.self)
}
