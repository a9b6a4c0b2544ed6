import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct ConflictsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What was changed here and elsewhere, side by side.",
        discussion: """
            How devices stand never conflicts: the latest word counts. What people wrote waits for you, and is frozen here until then.

              cardea conflicts
              cardea conflicts resolve 5f0c2a91 --mine
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let conflicts = try await context.requiredReplica().conflicts()
        let clock = CommandContext.clock(context.credentials)
        try await context.output.show(Answer(conflicts: try conflicts.map(ConflictAnswer.init))) {
            guard !conflicts.isEmpty else { return "Nothing waits for a decision." }
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
            Of both: cardea conflicts resolve \(id) --merge
            """
    }

    struct Answer: Encodable {
        let conflicts: [ConflictAnswer]
    }
}
