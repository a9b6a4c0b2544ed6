import ArgumentParser
import CardeaAPI
import CardeaClient

struct JobStopCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop an export that waits or is under way: your own, or as an owner anybody's.",
        discussion: """
            Nothing of it is left. An erasure goes on to its end: half of one would be none.

              cardea privacy stop job_0199…
            """)

    @Argument(help: "The job's id, as `cardea privacy jobs` shows it.")
    var job: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let stopped = try await context.client().privacy.stop(job)
        try await context.output.show(stopped) { "It is stopped, and nothing of it is left." }
    }
}
