import ArgumentParser
import CardeaClient

/// By what right a door is asked for.
struct PassOptions: ParsableArguments {
    @Flag(help: "Ask by your pass, though you are signed in or CARDEA_TOKEN_FILE is set.")
    var pass = false
    @Flag(help: "If somebody in the house has to say yes first, do not wait for it. They are asked all the same, for two minutes.")
    var noWait = false

    func ask(_ wish: DoorWords.Wish, _ door: String?, _ sitting: Sitting) async throws {
        if pass || (!sitting.asksAsResident && !sitting.kept.passes.isEmpty) {
            try await GuestDoor(wish: wish, waits: !noWait).ask(door, sitting)
        } else {
            try await ResidentDoor(wish: wish).ask(door, sitting)
        }
    }
}
