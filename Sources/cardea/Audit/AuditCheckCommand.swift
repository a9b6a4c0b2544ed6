import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

struct AuditCheckCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Whether the record only grew since it was seen from here.",
        discussion: """
            Exits 0 where it did, 1 where it was cut, written anew, or is signed by another key. After a backup was restored that is to be
            expected: look into it, then take the record as it is now. Exits 1 too where the house, which looks at every entry once a day,
            found one that is not as it was written, and where the house does not show you its record any more, so that nothing was looked
            at.

              cardea audit check
              cardea audit check --accept
            """)

    @Flag(help: "Take the record as it is now for the right one.")
    var accept = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let replica = try await context.replica(of: client) else {
            throw CommandLineError.usage("A program's token keeps nothing here. Sign in: env -u CARDEA_TOKEN_FILE cardea login")
        }
        let kept = try await context.output.showingProgress(for: "Looking at the record") {
            accept ? try await replica.acceptAudit() : try await replica.checkAudit()
        }
        guard let report = kept else {
            throw CommandLineError.refused("forbidden", "What the house signs of its record is for whoever runs the house.")
        }
        let clock = CommandContext.clock(context.credentials)
        let withheld = AuditCheckErrors.withheldError(report, clock)
        // A withheld log cannot be accepted either.
        if accept, let withheld { throw withheld }
        if let alarm = report.alarm { throw AuditCheckErrors.alarmError(alarm, report, clock) }
        if let found = AuditCheckErrors.integrityError(report) { throw found }
        if let withheld { throw withheld }
        try await context.output.show(report) {
            "The record only grew since \(clock.spoken(report.since)): \(report.size) entries, signed \(clock.spoken(report.signedAt))."
        }
    }
}

/// Errors for an audit log that differs from what was seen before.
enum AuditCheckErrors {
    static func alarmError(_ alarm: AuditWitness.Alarm, _ report: AuditWatchReport, _ clock: HouseClock) -> CommandLineError {
        .refused(
            "audit_" + alarm.rawValue,
            """
            \(alarm.message) Seen from here last: \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where a backup was restored \
            this is to be expected: cardea audit check --accept. Else ask who can write the house's files.
            """)
    }

    /// The error for an altered entry that the house itself found; nil if it found none.
    static func integrityError(_ report: AuditWatchReport) -> CommandLineError? {
        guard let entry = report.brokenAt, let problem = report.problem else { return nil }
        return .refused(
            "audit_broken", "The house looked at its record: \(problem) Ask who can write its files.",
            details: ["entry": .number(Double(entry))])
    }

    /// The error if the house does not show its audit log, so that nothing was checked; nil if it does.
    static func withheldError(_ report: AuditWatchReport, _ clock: HouseClock) -> CommandLineError? {
        guard let since = report.withheldSince else { return nil }
        return .refused(
            "audit_withheld",
            """
            The house's record was not looked at: since \(clock.spoken(since)) the house does not show it to you. Seen from here last: \
            \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where you do not run the house any more this is to be expected. \
            Else ask who does.
            """)
    }
}

extension CommandContext {
    /// Warns the person at the terminal if the house's audit log differs from what was stored here before. The house signs an incomplete
    /// segment once a minute, so it is not asked more often. `Replica.checkAuditAfterSync` is separate: it belongs to `sync`, checks at
    /// most once an hour, and only reports.
    func checkAuditLog(_ replica: Replica) async throws {
        let report: AuditWatchReport?
        do {
            report = try await replica.checkAudit(ifOlderThan: 60)
        } catch let problem as ClientError {
            // The request is answered anyway; `cardea audit check` gives the reason.
            if !problem.isHubUnreachable { output.note("The house's record could not be looked at: \(problem.text)") }
            return
        }
        guard let report else { return }
        if let alarm = report.alarm {
            output.warn(AuditCheckErrors.alarmError(alarm, report, Self.clock(credentials)))
        } else if let found = AuditCheckErrors.integrityError(report) {
            output.warn(found)
        } else if let since = report.withheldSince, abs(Date().timeIntervalSince(since)) < Self.withheldNoticePeriod,
            let withheld = AuditCheckErrors.withheldError(report, Self.clock(credentials))
        {
            output.note(withheld.message)
        }
    }

    /// Seconds for which every command mentions that the house no longer shows its audit log. Later only `cardea audit check` does.
    private static let withheldNoticePeriod: TimeInterval = 86_400
}
