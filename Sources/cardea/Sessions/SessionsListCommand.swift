import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct SessionsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Each browser, phone and terminal that is signed in as you.", discussion: "  cardea sessions")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let sessions = try await client.sessions.open()
        try await sitting.output.show(OpenSessionsAnswer(sessions: sessions)) {
            let clock = try await sitting.clock(client)
            let rows = sessions.map { session in
                [
                    session.device + (session.current ? " (this one)" : ""), session.place ?? "",
                    clock.short(session.createdAt), clock.short(session.lastUsedAt), session.sessionID,
                ]
            }
            return Table("WHAT", "FROM", "SIGNED IN", "LAST USED", "ID", rows: rows).text(sitting.output)
        }
    }
}
