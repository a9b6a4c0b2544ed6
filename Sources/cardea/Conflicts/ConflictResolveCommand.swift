import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSync

struct ConflictResolveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Decide what becomes of one.",
        discussion: """
            Yours goes to the house at once, or when it can be reached. Changed by somebody else meanwhile, it is asked again.

              cardea conflicts resolve 5f0c2a91 --mine
              cardea conflicts resolve 5f0c2a91 --theirs
            """)

    enum Side: EnumerableFlag {
        case mine, theirs
    }

    @Argument(help: "The conflict, by its id or a beginning of it.")
    var id: String
    @Flag(exclusivity: .exclusive, help: "Which of the two stays.")
    var side: Side
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let replica = try await sitting.keptHouse()
        let found = try await replica.conflicts().filter { $0.id.hasPrefix(id.lowercased()) }
        guard found.count == 1, let conflict = found.first else {
            throw Failure.refused(
                "not_found", found.isEmpty ? "There is no such conflict. `cardea conflicts` lists them." : "That may mean more than one.")
        }
        let before = Set(try await replica.queue().map(\.id))
        guard try await replica.resolve(conflict.id, by: side == .mine ? .useLocal : .useRemote) else {
            throw Failure.refused("not_found", "It was decided already.")
        }
        let mine = try await replica.queue().map(\.id).first { !before.contains($0) }
        try await replica.sync()
        if try await replica.conflicts().contains(where: { $0.id == mine }) {
            throw Failure.refused("conflict", "It was changed again meanwhile. Decide anew: `cardea conflicts`.")
        }
        let left = try await replica.queue().first { $0.id == mine }
        if let left, left.isEnded {
            throw Failure.refused("not_done", QueueWords(Sitting.clock(sitting.kept), left).standing)
        }
        let isThere = left == nil
        try await sitting.output.show(JSONValue.object(["resolved": .string(conflict.id), "sent": .bool(isThere)])) {
            switch side {
            case .theirs: "It stays as it was changed elsewhere."
            case .mine: isThere ? "It is as you changed it." : "Yours goes to the house when it can be reached."
            }
        }
    }
}
