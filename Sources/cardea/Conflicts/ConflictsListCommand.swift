import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct ConflictsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the conflicts, with both versions side by side.",
        discussion: """
            Device states never conflict: the latest report counts. A name or setting changed on both sides waits for your decision and
            cannot be edited here until then.

              cardea conflicts
              cardea conflicts resolve 5f0c2a91 --mine
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.requiredReplica().conflicts()
        let clock = CommandContext.clock(context.credentials)
        try await context.output.show(Answer(conflicts: try conflicts.map(ConflictAnswer.init))) {
            guard !conflicts.isEmpty else { return "There are no conflicts." }
            return try conflicts.map { try Self.text($0, clock, context.output) }.joined(separator: "\n\n")
        }
    }

    private static func text(_ conflict: Conflict, _ clock: HouseClock, _ output: Output) throws -> String {
        let id = conflict.id.prefix(8)
        return """
            \(output.bold(conflict.local.name)) (\(conflict.local.subject.kind.rawValue)), found \(clock.spoken(conflict.foundAt))
            \(try ConflictText(conflict).differences(output.style))
            Keep yours: cardea conflicts resolve \(id) --mine
            Keep theirs: cardea conflicts resolve \(id) --theirs
            Merge both: cardea conflicts resolve \(id) --merge
            """
    }

    struct Answer: Encodable {
        let conflicts: [ConflictAnswer]
    }
}
