import ArgumentParser
import CardeaAPI
import CardeaClient

struct NotifySeenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen", abstract: "Say that you have seen one notice, or all of them: nobody else is told in your place.",
        discussion: """
              cardea notify seen --all
              cardea notify seen notice_0199…
            """)

    @Argument(help: "The notice, by the id that the list shows.")
    var notice: String?
    @Flag(help: "All that you were told.")
    var all = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (notice != nil) != all else { throw ValidationError("Say which notice, or --all for every one of yours.") }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let notice else {
            let answer = try await client.notices.acknowledgeAll()
            return try await context.output.show(answer) {
                answer.acknowledged == 0 ? "Nothing was new." : "Seen: \(answer.acknowledged)."
            }
        }
        let answer = try await client.notices.acknowledge(notice)
        try await context.output.show(answer) { "Seen." }
    }
}
