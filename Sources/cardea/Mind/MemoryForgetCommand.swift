import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryForgetCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a memory, or stop learning a habit.", discussion: "  cardea memory forget memory_0198c2")

    @Argument(help: "The id, from `memory list`.")
    var id: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let memoryID = id
        try await context.sendOrQueue(
            .forgetMemory(id: memoryID), waiting: "The memory is forgotten if the house can be reached within a day."
        ) {
            client, key in
            try await client.mind.memories.remove(memoryID, key: key)
            return ["memory_id": memoryID]
        } text: { _ in
            "Forgotten."
        }
    }
}
