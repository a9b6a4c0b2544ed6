import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct SessionEndCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End a session, or all sessions but this one.",
        discussion: """
            Ending all others needs `cardea step-up` first, unless you have just signed in. Automations, tokens and passes made in them
            stay: `cardea access` lists them.

              cardea sessions end "Firefox on Linux"
              cardea sessions end --others
            """)

    @Argument(help: "The session, by id or name.")
    var session: String?
    @Flag(help: "End all your sessions but this one.")
    var others = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (session != nil) != others else { throw ValidationError("Name a session, or add --others for all but this one.") }
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
                left == 0 ? "" : "\nThings that you set up in the last 30 days still work: \(left). Check them with `cardea access`."
            return try await context.output.show(RevokedAnswer(revoked: ended)) { words + more }
        }
        let meant = try NameResolver.resolve(
            session, among: await client.sessions.open(), what: "session", ids: { [$0.sessionID] }, name: \.device)
        guard !meant.current else { throw CommandLineError.usage("This is the session of this terminal. To end it, run `cardea logout`.") }
        try await client.sessions.end(meant.sessionID)
        try await context.output.show(meant) { "\(meant.device) is signed out." }
    }
}
