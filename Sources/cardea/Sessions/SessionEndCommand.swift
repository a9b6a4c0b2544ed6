import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct SessionEndCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End one of your sessions, or all but this one.",
        discussion: """
            Ending all others asks for a step-up, unless you signed in just now. What was set up in them goes on: `cardea access` lists it.

              cardea sessions end "Firefox on Linux"
              cardea sessions end --others
            """)

    @Argument(help: "The session, by id or by what is signed in.")
    var session: String?
    @Flag(help: "Every session of yours but this one.")
    var others = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (session != nil) != others else { throw ValidationError("Say which session, or --others for all but this one.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let session else {
            let ended = try await client.sessions.endOthers()
            let words =
                ended == 0
                ? "There was no other session." : ended == 1 ? "One other session is ended." : "\(ended) other sessions are ended."
            let left = try await client.access.changes().changes.count
            let more =
                left == 0 ? "" : "\nWhat you set up in the last 30 days goes on. Look through it with `cardea access`: \(left) in all."
            return try await context.output.show(RevokedAnswer(revoked: ended)) { words + more }
        }
        let meant = try NameResolver.resolve(
            session, among: await client.sessions.open(), what: "session", ids: { [$0.sessionID] }, name: \.device)
        guard !meant.current else { throw CommandLineError.usage("That is this terminal's own session. To end it, run `cardea logout`.") }
        try await client.sessions.end(meant.sessionID)
        try await context.output.show(meant) { "\(meant.device) is signed out." }
    }
}
