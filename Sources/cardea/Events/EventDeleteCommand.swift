import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct EventDeleteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an event and its pictures, for good. That you did stays on record.",
        discussion: "  cardea events delete event_0199… --yes")

    @Argument(help: "The event, by the id that the list shows.")
    var event: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let meant = try await client.events.one(event)
        let what = "\(meant.smartDetectionType.rawValue) at \(meant.cameraName)"
        try sitting.prompt.confirm("Delete \(what) for good?", beforehand: yes)
        try await client.events.remove(meant.id)
        try await sitting.output.show(JSONValue.object(["removed": .string(meant.id)])) { "It is deleted: \(what)." }
    }
}
