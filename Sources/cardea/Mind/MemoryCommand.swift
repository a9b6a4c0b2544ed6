import ArgumentParser

struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "List, show, add, edit and forget the house's memories.",
        discussion: """
              cardea memory
              cardea memory list boiler
              cardea memory add "The boiler was serviced in May" --tag heating
              cardea memory forget memory_0198c2
            """,
        subcommands: [
            MemoryListCommand.self, MemoryShowCommand.self, MemoryAddCommand.self, MemoryEditCommand.self, MemoryForgetCommand.self,
        ], defaultSubcommand: MemoryListCommand.self)
}
