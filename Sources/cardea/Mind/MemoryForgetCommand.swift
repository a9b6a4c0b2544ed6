import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryForgetCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget a memory, or learn a habit no more.", discussion: "  cardea memory forget memory_0198c2")

    @Argument(help: "Its id, as memory list names it.")
    var id: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        try await sitting.client().mind.memories.forget(id)
        try await sitting.output.show(["memory_id": id]) { "Forgotten." }
    }
}
