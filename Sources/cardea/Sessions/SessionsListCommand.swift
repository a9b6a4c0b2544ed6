import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct SessionsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the browsers, phones and terminals signed in as you.", discussion: "  cardea sessions")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.sessions)
        try await context.output.show(look) {
            let clock = try await context.clock(look)
            let rows = look.answer.sessions.map { session in
                [
                    session.device + (session.current ? " (this one)" : ""), session.place ?? "",
                    clock.short(session.createdAt), clock.short(session.lastUsedAt), session.sessionID,
                ]
            }
            return Table("DEVICE", "FROM", "SIGNED IN", "LAST USED", "ID", rows: rows).text(context.output)
        }
    }
}
