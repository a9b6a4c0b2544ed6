import ArgumentParser
import CardeaAPI
import CardeaClient

struct NotifySeenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen", abstract: "Mark one notification, or all, as seen. They are then not passed on to another person.",
        discussion: """
              cardea notify seen --all
              cardea notify seen notice_0199…
            """)

    @Argument(help: "The notification, by id from `cardea notify`.")
    var notice: String?
    @Flag(help: "Mark all your notifications as seen.")
    var all = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (notice != nil) != all else { throw ValidationError("Name a notification, or add --all for all of yours.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let notice else {
            let answer = try await client.notices.acknowledgeAll()
            return try await context.output.show(answer) {
                answer.acknowledged == 0 ? "No new notifications." : "Marked as seen: \(answer.acknowledged)."
            }
        }
        let answer = try await client.notices.acknowledge(notice)
        try await context.output.show(answer) { "Seen." }
    }
}
