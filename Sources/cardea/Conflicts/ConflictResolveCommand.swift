import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct ConflictResolveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Resolve a conflict.",
        discussion: """
            On a terminal, both versions are shown and you choose one; with --merge, for each field. In a script, give --mine or --theirs;
            --set overrides single fields with mine, theirs or a value.

            Your decision is sent at once, or when the house can be reached. If the value changes again before that, you are asked again.

              cardea conflicts resolve 5f0c2a91
              cardea conflicts resolve 5f0c2a91 --mine
              cardea conflicts resolve 5f0c2a91 --theirs --set name=mine --set floor=2
            """)

    enum Side: EnumerableFlag {
        case mine, theirs, merge
    }

    @Argument(help: "The conflict, by id or the beginning of it.", completion: .conflicts)
    var id: String
    @Flag(exclusivity: .exclusive, help: "Keep your version or theirs; --merge asks for each field.")
    var side: Side?
    @Option(help: ArgumentHelp("Set one field to mine, theirs or a value. Can be repeated.", valueName: "field=value"))
    var set: [ParsedFieldChoice] = []
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let replica = try await context.requiredReplica()
        let conflict = try NameResolver.resolveByID(
            id, among: await replica.conflicts(), id: \.id, none: "There is no such conflict. `cardea conflicts` lists them.")
        let decision = try ConflictPrompt(conflict: conflict, prompt: context.prompt, output: context.output).decide(side, set)
        let before = Set(try await replica.outboxEntries().map(\.id))
        guard try await replica.resolve(conflict.id, by: Self.resolution(decision)) else {
            throw CommandLineError.refused("not_found", "This conflict is already resolved.")
        }
        let mine = try await replica.outboxEntries().map(\.id).first { !before.contains($0) }
        try await replica.sync()
        if try await replica.conflicts().contains(where: { $0.id == mine }) {
            throw CommandLineError.refused("conflict", "The value changed again. Decide again: `cardea conflicts`.")
        }
        let left = try await replica.outboxEntries().first { $0.id == mine }
        if let left, left.isEnded {
            throw CommandLineError.refused("not_done", QueueEntryText(CommandContext.clock(context.credentials), left).status)
        }
        let isThere = left == nil
        try await context.output.show(JSONValue.object(["resolved": .string(conflict.id), "sent": .bool(isThere)])) {
            guard !decision.isAllTheirs else { return "Resolved: their version stays." }
            return isThere ? "Resolved: your decision is saved." : "Resolved. Your decision is sent when the house can be reached."
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
