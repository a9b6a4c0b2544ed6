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

/// A conflict as `--json` prints it.
struct ConflictAnswer: Encodable {
    let id: String
    /// `device`, `room` or `scene`.
    let subject: String
    let subjectID: String
    let name: String
    let foundAt: Date
    /// The thing as it would be with the change made here.
    let mine: JSONValue
    /// The thing as the house has it.
    let theirs: JSONValue
    let differences: [Difference]

    struct Difference: Encodable {
        let member: String
        let mine: JSONValue
        let theirs: JSONValue
    }

    enum CodingKeys: String, CodingKey {
        case id, subject, name, mine, theirs, differences
        case subjectID = "subject_id"
        case foundAt = "found_at"
    }

    init(_ conflict: Conflict) throws {
        id = conflict.id
        subject = conflict.local.subject.kind.rawValue
        subjectID = conflict.local.subject.id
        name = conflict.local.name
        foundAt = conflict.foundAt
        mine = try conflict.localApplied
        theirs = conflict.remote
        differences = try conflict.differences.map { Difference(member: $0.member, mine: $0.mine, theirs: $0.theirs) }
    }
}
