import ArgumentParser

struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "What the house remembers: what it was told, what it learned, what happened.",
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
