import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct ConflictResolveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Decide what becomes of one.",
        discussion: """
            On a terminal both versions are shown, and you are asked; with --merge, field by field. From a script, say which stays; with --set,
            single fields are otherwise: mine, theirs, or a value of their own.

            What was decided for this side goes to the house at once, or when it can be reached. Changed by somebody else meanwhile, it is
            asked again.

              cardea conflicts resolve 5f0c2a91
              cardea conflicts resolve 5f0c2a91 --mine
              cardea conflicts resolve 5f0c2a91 --theirs --set name=mine --set floor=2
            """)

    enum Side: EnumerableFlag {
        case mine, theirs, merge
    }

    @Argument(help: "The conflict, by its id or a beginning of it.", completion: .conflicts)
    var id: String
    @Flag(exclusivity: .exclusive, help: "Which of the two stays; --merge asks for each field.")
    var side: Side?
    @Option(help: ArgumentHelp("A field that is not as that says: mine, theirs, or a value. May be repeated.", valueName: "field=value"))
    var set: [ParsedFieldChoice] = []
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let replica = try await context.requiredReplica()
        let conflict = try NameResolver.resolveByID(
            id, among: await replica.conflicts(), id: \.id, none: "There is no such conflict. `cardea conflicts` lists them.")
        let decision = try ConflictPrompt(conflict: conflict, prompt: context.prompt, output: context.output).decide(side, set)
        let before = Set(try await replica.outboxEntries().map(\.id))
        guard try await replica.resolve(conflict.id, by: Self.resolution(decision)) else {
            throw CommandLineError.refused("not_found", "It was decided already.")
        }
        let mine = try await replica.outboxEntries().map(\.id).first { !before.contains($0) }
        try await replica.sync()
        if try await replica.conflicts().contains(where: { $0.id == mine }) {
            throw CommandLineError.refused("conflict", "It was changed again meanwhile. Decide anew: `cardea conflicts`.")
        }
        let left = try await replica.outboxEntries().first { $0.id == mine }
        if let left, left.isEnded {
            throw CommandLineError.refused("not_done", QueueEntryText(CommandContext.clock(context.credentials), left).status)
        }
        let isThere = left == nil
        try await context.output.show(JSONValue.object(["resolved": .string(conflict.id), "sent": .bool(isThere)])) {
            guard !decision.isAllTheirs else { return "It stays as it was changed elsewhere." }
            return isThere ? "It is as you decided." : "It goes to the house when it can be reached."
        }
    }

    private static func resolution(_ decision: ConflictDecision) throws -> ConflictResolution {
        do {
            return try decision.resolution
        } catch let problem as ConflictMergeError {
            throw CommandLineError.usage(problem.localizedDescription)
        }
    }
}

/// `name=Library`, `name=mine`
struct ParsedFieldChoice: ExpressibleByArgument {
    let field: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (field, value) = (parts[0], parts[1])
    }
}
