import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MemoryListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List matching memories, the most relevant first.",
        discussion: """
              cardea memory list
              cardea memory list boiler --kind semantic
              cardea memory list --last 30 --device front-door

            Without words, the last week is searched; with words, all memories.
            """)

    @Argument(help: "The words to search for.")
    var words: [String] = []
    @Option(
        help: ArgumentHelp(
            "Show only this kind: episodic (an event), semantic (a fact) or procedural (how something is done).", valueName: "kind"))
    var kind: MemoryType?
    @Option(help: ArgumentHelp("The number of days to search, 1 to 9999.", valueName: "days"))
    var last: Int?
    @Option(help: ArgumentHelp("Show only memories of this device, by id.", valueName: "device"))
    var device: String?
    @Option(help: "The number of memories to show, 1 to 200.")
    var limit = 20
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError("--limit needs 1 to 200.") }
        guard (1...9999).contains(last ?? 1) else { throw ValidationError("--last needs 1 to 9999 days.") }
    }

    func run(in context: CommandContext) async throws {
        let search = Memories.Filter(
            words: words.isEmpty ? nil : words.joined(separator: " "), type: kind, deviceID: device, last: last.map { Double($0) * 86_400 },
            limit: limit)
        let look = try await context.query(.memories(search))
        try await context.output.show(look) {
            let nothing = "No memories match. Add one: cardea memory add \"The bins go out on Tuesday\""
            if look.answer.memories.isEmpty, look.answer.searchedSince == nil { return nothing }
            let clock = try await context.clock(look)
            let border = look.answer.searchedSince.map {
                "\nEvents before \(clock.short($0)) were searched only by the names of devices and people."
            }
            guard !look.answer.memories.isEmpty else { return nothing + (border ?? "") }
            let rows = look.answer.memories.map { memory in
                [
                    clock.short(memory.createdAt), memory.content.replacingOccurrences(of: "\n", with: " "), memory.memoryType,
                    memory.memoryID,
                ]
            }
            return Table("SINCE", "MEMORY", "KIND", "ID", rows: rows).text(context.output) + (border ?? "")
        }
    }
}

extension MemoryType: ExpressibleByArgument {}
