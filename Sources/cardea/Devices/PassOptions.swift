import ArgumentParser
import CardeaClient

/// Options for the pass or session by which a door is requested.
struct PassOptions: ParsableArguments {
    @Flag(help: "Use your pass even if you are signed in or CARDEA_TOKEN_FILE is set.")
    var pass = false
    @Flag(help: "If a resident must approve first, do not wait for the answer. The request stays open for two minutes.")
    var noWait = false

    func submit(_ wish: DoorCommandText.Direction, _ door: String?, _ context: CommandContext) async throws {
        if pass || (!context.hasResidentAccess && !context.credentials.passes.isEmpty) {
            try await GuestDoorRequest(wish: wish, isWaiting: !noWait).submit(door, context)
        } else {
            try await ResidentDoorRequest(wish: wish).submit(door, context)
        }
    }
}
