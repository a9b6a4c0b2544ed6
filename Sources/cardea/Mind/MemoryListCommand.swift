import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct MemoryListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The memories that fit, the most relevant first.",
        discussion: """
              cardea memory list
              cardea memory list boiler --kind semantic
              cardea memory list --last 30 --device front-door

            Without words it looks back for a week; with words, for as long as the house remembers.
            """)

    @Argument(help: "Words to look for.")
    var words: [String] = []
    @Option(help: ArgumentHelp("episodic happened once, semantic is so, procedural goes so.", valueName: "kind"))
    var kind: MemoryType?
    @Option(help: ArgumentHelp("How many days to look back.", valueName: "days"))
    var last: Int?
    @Option(help: ArgumentHelp("Of one device, by its id.", valueName: "device"))
    var device: String?
    @Option(help: "How many, 1 to 200.")
    var limit = 20
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError("--limit is 1 to 200.") }
        guard (1...9999).contains(last ?? 1) else { throw ValidationError("--last is 1 to 9999 days.") }
    }

    func run(in context: CommandContext) async throws {
        let search = Memories.Filter(
            words: words.isEmpty ? nil : words.joined(separator: " "), type: kind, deviceID: device, last: last.map { Double($0) * 86_400 },
            limit: limit)
        let look = try await context.query(.memories(search))
        try await context.output.show(look) {
            let nothing = "The house remembers nothing of that. To tell it something: cardea memory add \"The bins go out on Tuesday\""
            if look.answer.memories.isEmpty, look.answer.searchedSince == nil { return nothing }
            let clock = try await context.clock(look)
            let border = look.answer.searchedSince.map {
                "\nWhat happened before \(clock.short($0)) was only looked for by the names of devices and people."
            }
            guard !look.answer.memories.isEmpty else { return nothing + (border ?? "") }
            let rows = look.answer.memories.map { memory in
                [
                    clock.short(memory.createdAt), memory.content.replacingOccurrences(of: "\n", with: " "), memory.memoryType,
                    memory.memoryID,
                ]
            }
            return Table("SINCE", "WHAT", "KIND", "ID", rows: rows).text(context.output) + (border ?? "")
        }
    }
}

extension MemoryType: ExpressibleByArgument {}
