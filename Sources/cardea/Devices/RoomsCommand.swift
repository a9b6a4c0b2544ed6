import ArgumentParser

struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms", abstract: "List, show and rename rooms.",
        subcommands: [RoomsListCommand.self, RoomShowCommand.self, RoomRenameCommand.self],
        defaultSubcommand: RoomsListCommand.self)
}
