import ArgumentParser
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

struct AuditCheckCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check that the audit log was only extended since the last check.",
        discussion: """
            Exits 1 if the log was cut, rewritten or signed with another key. This is normal after a restore from a backup: check why, then
            accept the log with --accept. Also exits 1 if the hub's own daily check found an altered entry, or if you are no longer allowed
            to see the log, so that nothing was checked.

              cardea audit check
              cardea audit check --accept
            """)

    @Flag(help: "Accept the audit log in its present state.")
    var accept = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        guard let replica = try await context.replica(of: client) else {
            throw CommandLineError.usage("This does not work with a program's token. Sign in: env -u CARDEA_TOKEN_FILE cardea login")
        }
        let stored = try await context.output.showingProgress(for: "Checking the audit log") {
            accept ? try await replica.acceptAudit() : try await replica.checkAudit()
        }
        guard let report = stored else {
            throw CommandLineError.refused("forbidden", "You are not allowed to see the signed audit log. Ask an owner or admin.")
        }
        let clock = CommandContext.clock(context.credentials)
        let withheld = AuditCheckErrors.withheldError(report, clock)
        // A withheld log cannot be accepted either.
        if accept, let withheld { throw withheld }
        if let alarm = report.alarm { throw AuditCheckErrors.alarmError(alarm, report, clock) }
        if let found = AuditCheckErrors.integrityError(report) { throw found }
        if let withheld { throw withheld }
        try await context.output.show(report) {
            """
            The audit log is unchanged since \(clock.spoken(report.since)), apart from new entries: \(report.size) entries, signed \
            \(clock.spoken(report.signedAt)).
            """
        }
    }
}

/// Errors for an audit log that differs from what was seen before.
enum AuditCheckErrors {
    static func alarmError(_ alarm: AuditWitness.Alarm, _ report: AuditWatchReport, _ clock: HouseClock) -> CommandLineError {
        .refused(
            "audit_" + alarm.rawValue,
            """
            \(alarm.message) Last check here: \(report.size) entries, signed \(clock.spoken(report.signedAt)). After a restore from a backup, \
            this is expected: run `cardea audit check --accept`. Otherwise find out who can write to the hub's files.
            """)
    }

    /// The error for an altered entry that the house itself found; nil if it found none.
    static func integrityError(_ report: AuditWatchReport) -> CommandLineError? {
        guard let entry = report.brokenAt, let problem = report.problem else { return nil }
        return .refused(
            "audit_broken", "The hub checked its audit log: \(problem) Find out who can write to the hub's files.",
            details: ["entry": .number(Double(entry))])
    }

    /// The error if the house does not show its audit log, so that nothing was checked; nil if it does.
    static func withheldError(_ report: AuditWatchReport, _ clock: HouseClock) -> CommandLineError? {
        guard let since = report.withheldSince else { return nil }
        return .refused(
            "audit_withheld",
            """
            The audit log was not checked: since \(clock.spoken(since)) you are not allowed to see it. Last check here: \
            \(report.size) entries, signed \(clock.spoken(report.signedAt)). If you are no longer an owner or admin, this is expected. \
            Otherwise ask an owner.
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
            if !problem.isHubUnreachable { output.note("The audit log could not be checked: \(problem.text)") }
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
