import ArgumentParser
import CardeaAPI
import CardeaClient

struct JobStopCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Cancel an export that is waiting or running.",
        discussion: """
            You can cancel your own exports; owners can cancel all. Partial files are deleted. An erasure cannot be canceled.

              cardea privacy stop job_0199…
            """)

    @Argument(help: "The job, by id from `cardea privacy jobs`.")
    var job: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let stopped = try await context.client().privacy.stop(job)
        try await context.output.show(stopped) { "The export is canceled, and its files are deleted." }
    }
}
