import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct JobsCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "List exports and erasures, and their progress.",
        discussion: "  cardea privacy jobs")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.jobs)
        try await context.output.show(look) {
            let clock = try await context.clock(look)
            let rows = look.answer.jobs.map { job in
                [job.kind, job.state, job.state == "running" ? job.step : "", clock.short(job.askedAt), job.personID, job.jobID]
            }
            return look.answer.jobs.isEmpty
                ? "No exports or erasures." : Table("KIND", "STATE", "STEP", "REQUESTED", "PERSON", "ID", rows: rows).text(context.output)
        }
    }
}

extension CardeaClient {
    /// Waits for a job's end, looking at it ever more seldom.
    func waitForEnd(of job: JobAnswer) async throws -> JobAnswer {
        var (job, pause) = (job, Duration.milliseconds(200))
        while job.state == "waiting" || job.state == "running" {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
            job = try await privacy.job(job.jobID)
        }
        if job.state == "failed" { throw CommandLineError.usage(job.problem ?? "The hub could not complete it.") }
        return job
    }
}
