import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct RoomRenameCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a room.", discussion: "  cardea rooms rename Study Library")

    @Argument(help: "The room, by id or name.", completion: .rooms)
    var room: String
    @Argument(help: "The new name.")
    var name: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        do {
            // Earlier local changes are sent first.
            if let replica = try await context.replicaIfAvailable(of: client),
                try await replica.outboxEntries().contains(where: { !$0.isEnded })
            {
                try await replica.sync()
            }
            let room = try await client.room(room)
            let answer = try await client.rooms.rename(room.roomID, to: name)
            try await context.output.show(answer) { "\(room.name) is now called \(answer.name)." }
        } catch let problem as ClientError where problem.isNoConnection {
            guard let replica = try await context.replicaIfAvailable(of: client), try await replica.lastSyncedAt() != nil else {
                throw problem
            }
            try await storeEdit(in: replica, context)
        }
    }

    /// Without the house: the new name is visible here at once, and sent when the house can be reached.
    private func storeEdit(in replica: Replica, _ context: CommandContext) async throws {
        let room = try NameResolver.room(room, among: await replica.rooms().value)
        let entry: OutboxEntry
        do {
            entry = try await replica.edit(
                .init(change: .room(room.roomID, RoomBody(room, named: name)), seen: room.version, name: room.name))
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
        try await context.showQueued(entry) { "\(room.name) is renamed to \(name) when the house can be reached." }
    }
}
