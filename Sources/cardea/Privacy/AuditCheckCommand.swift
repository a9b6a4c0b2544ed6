import ArgumentParser
import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

struct AuditCheckCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Whether the record only grew since it was seen from here.",
        discussion: """
            Exits 0 where it did, 1 where it was cut, written anew, or is signed by another key. After a backup was restored that is to be
            expected: look into it, then take the record as it is now.

              cardea audit check
              cardea audit check --accept
            """)

    @Flag(help: "Take the record as it is now for the right one.")
    var accept = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        guard let replica = try await sitting.replica(of: client) else {
            throw Failure.usage("A program's token keeps nothing here. Sign in: env -u CARDEA_TOKEN_FILE cardea login")
        }
        let kept = try await sitting.output.waiting(for: "Looking at the record") {
            accept ? try await replica.acceptTrail() : try await replica.checkTrail()
        }
        guard let report = kept else {
            throw Failure.refused("forbidden", "What the house signs of its record is for whoever runs the house.")
        }
        let clock = Sitting.clock(sitting.kept)
        if let alarm = report.alarm { throw TrailWords.failure(alarm, report, clock) }
        try await sitting.output.show(report) {
            "The record only grew since \(clock.spoken(report.since)): \(report.size) entries, signed \(clock.spoken(report.signedAt))."
        }
    }
}

/// What is said of a record that is not what it was.
enum TrailWords {
    static func failure(_ alarm: AuditWitness.Alarm, _ report: TrailReport, _ clock: HouseClock) -> Failure {
        .refused(
            "audit_" + alarm.rawValue,
            """
            \(alarm.words) Seen from here last: \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where a backup was restored \
            this is to be expected: cardea audit check --accept. Else ask who can write the house's files.
            """)
    }
}

extension Sitting {
    /// Says loudly where the house's record is not what was seen of it here before. The house signs once a minute, so it is not asked more often.
    func watchTrail(_ replica: Replica) async throws {
        let report: TrailReport?
        do {
            report = try await replica.checkTrail(ifOlderThan: 60)
        } catch let problem as ClientError {
            // What was asked for is answered all the same; `cardea audit check` says why.
            if !problem.saysHouseIsAway { output.note("The house's record could not be looked at: \(problem.text)") }
            return
        }
        guard let report, let alarm = report.alarm else { return }
        output.warn(TrailWords.failure(alarm, report, Self.clock(kept)))
    }
}
