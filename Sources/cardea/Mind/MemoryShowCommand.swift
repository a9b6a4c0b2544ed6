import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a memory or an event that an answer is based on.",
        discussion: "  cardea memory show happening_412")

    @Argument(help: "The id, from `memory list`, `ask --evidence` or `mood --evidence`.")
    var id: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.memory(id))
        try await context.output.show(look) {
            let (memory, clock) = (look.answer, try await context.clock(look))
            var lines = [context.output.bold(memory.title), memory.content, ""]
            lines.append("\(memory.memoryType), \(memory.category), \(clock.short(memory.createdAt))")
            if let teller = memory.toldBy { lines.append("Added by \(teller)") }
            if memory.source == "learned" { lines.append("Learned; confidence \(Int((memory.confidence * 100).rounded())) %") }
            if memory.isPinned { lines.append("Pinned: never forgotten automatically") }
            if !memory.tags.isEmpty { lines.append("Tags: \(memory.tags.joined(separator: ", "))") }
            if !memory.relatedDevices.isEmpty { lines.append("Devices: \(memory.relatedDevices.joined(separator: ", "))") }
            return lines.joined(separator: "\n")
        }
    }
}
