import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct SyncCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send queued changes, and fetch what changed in the house.",
        discussion: """
            Commands that show the house sync too. The local copy is stored encrypted in CARDEA_HOME, for times without a connection. Its
            key is in the desktop's keyring if there is one.

              cardea sync
              cardea sync --json | jq .waiting
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let replica = try await context.replica(of: client) else {
            throw CommandLineError.usage("This does not work with a program's token. Sign in: env -u CARDEA_TOKEN_FILE cardea login")
        }
        let report = try await context.output.showingProgress(for: "Syncing with the house") {
            let report = try await replica.sync()
            if report.stopped == nil { try await prefetch(replica) }
            return report
        }
        try context.deletePicturesIfErased(report)
        if report.stopped == nil { try await context.checkAuditLog(replica) }
        let clock = CommandContext.clock(context.credentials)
        let answers = try await replica.lateAnswers()
        try await context.output.show(Answer(report, answers)) {
            ([Self.text(report, clock)] + answers.map { Self.text($0, clock) }).filter { !$0.isEmpty }.joined(separator: "\n")
        }
        // Each answer is shown once.
        try await replica.dismiss(answers)
        if let problem = report.stopped { throw problem }
    }

    /// Prefetches data that is often needed offline, for at most 3 seconds, so that the command does not take long.
    private func prefetch(_ replica: Replica) async throws {
        let reading = Task { for screen in PrefetchedScreen.allCases { try await replica.prefetch(for: screen) } }
        let limit = Task {
            try await Task.sleep(for: .seconds(3))
            reading.cancel()
        }
        defer { limit.cancel() }
        do { try await reading.value } catch is CancellationError {}
    }

    private static func text(_ report: SyncReport, _ clock: HouseClock) -> String {
        var lines: [String] = []
        if report.stopped == nil {
            lines.append(
                "In sync with the house. Sent: \(report.sent). Received: \(report.isFullSync ? "everything" : String(report.changes))."
            )
        } else if let levelAt = report.levelAt {
            lines.append("Last sync \(clock.spoken(levelAt)).")
        }
        if report.waiting > 0 { lines.append("Waiting: \(report.waiting). `cardea queue` lists them.") }
        if report.ended > 0 { lines.append("Not done: \(report.ended). `cardea queue` shows the reasons.") }
        if report.conflicts > 0 { lines.append("Changed here and elsewhere: \(report.conflicts). Decide with `cardea conflicts`.") }
        return lines.joined(separator: "\n")
    }

    /// The late answer to a queued question, with both times.
    private static func text(_ answer: LateAnswer, _ clock: HouseClock) -> String {
        "You asked \(clock.spoken(answer.askedAt)): \(answer.query)\n  Late answer, \(clock.spoken(answer.answeredAt)): \(answer.response)"
    }

    /// The `--json` output.
    struct Answer: Encodable {
        let reached: Bool
        let sent, changes: Int
        let whole: Bool
        let waiting, ended, conflicts: Int
        /// Answers to queued questions, shown once.
        let answers: [LateAnswer]
        @Nullable private(set) var levelAt: Date?

        enum CodingKeys: String, CodingKey {
            case reached, sent, changes, whole, waiting, ended, conflicts, answers
            case levelAt = "level_at"
        }

        init(_ report: SyncReport, _ answers: [LateAnswer]) {
            self.answers = answers
            reached = report.stopped == nil
            sent = report.sent
            changes = report.changes
            whole = report.isFullSync
            waiting = report.waiting
            ended = report.ended
            conflicts = report.conflicts
            levelAt = report.levelAt
        }
    }
}
