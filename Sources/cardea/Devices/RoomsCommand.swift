import ArgumentParser

struct RoomsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rooms", abstract: "The rooms of the house: list, show, rename.",
        subcommands: [RoomsListCommand.self, RoomShowCommand.self, RoomRenameCommand.self],
        defaultSubcommand: RoomsListCommand.self)
}
