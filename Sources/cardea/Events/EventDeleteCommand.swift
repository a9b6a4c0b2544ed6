import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct EventDeleteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an event and its pictures, permanently. The deletion stays in the audit log.",
        discussion: "  cardea events delete event_0199… --yes")

    @Argument(help: "The event, by id from `cardea events`.")
    var event: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let (id, what) = try await resolveEvent(context)
        try context.prompt.confirm("Delete \(what) permanently?", beforehand: yes)
        let request = OutboxOperation.Request.deleteEvent(id: id, name: what)
        try await context.sendOrQueue(request, waiting: "It is deleted if the house can be reached within a day: \(what).") {
            client, key in
            try await client.events.remove(id, key: key)
            return JSONValue.object(["removed": .string(id)])
        } text: { _ in
            "Deleted: \(what)."
        }
    }

    /// The event's id and a description of it.
    private func resolveEvent(_ context: CommandContext) async throws -> (id: String, what: String) {
        do {
            let seen = try await context.query(.event(event)).answer
            return (seen.id, "\(seen.smartDetectionType.rawValue) at \(seen.cameraName)")
        } catch let problem as ClientError where problem.isHubUnreachable {
            // An event that was not opened alone may be in a stored list.
            guard let seen = try await context.storedEvent(event)?.answer else { throw problem }
            return (seen.id, "\(seen.smartDetectionType.rawValue) at \(seen.cameraName)")
        }
    }
}
