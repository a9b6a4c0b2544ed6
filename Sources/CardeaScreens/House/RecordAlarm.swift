import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

extension Replica {
    /// What is wrong with the house's record as it was seen from here, as a screen says it; nil where nothing is, or nothing was seen.
    func recordAlarm(at now: Date) async throws -> Problem? {
        let report: TrailReport?
        do {
            report = try await trail()
        } catch ClientError.storage(let words) {
            return Problem(title: "It is not known whether the house's record is what it was", text: words)
        }
        guard let report else { return nil }
        if let alarm = report.alarm { return Problem(alarm, report, await clock(at: now)) }
        return report.alteration.map { Problem(title: "The house's record was altered", text: $0) }
    }
}

extension Replica {
    /// Whether taking the record as it is now ends what is told of it: an entry that was altered stays altered.
    func canAcceptRecord() async throws -> Bool {
        do { return try await trail()?.alarm != nil } catch ClientError.storage { return true }
    }
}

extension TrailReport {
    /// What the house itself found when it looked at every entry, in words; nil where it found nothing.
    fileprivate var alteration: String? {
        guard let brokenAt, let problem else { return nil }
        return """
            Altered at entry \(brokenAt). The house looked at its record: \(problem) Ask who can write the house's files. This is said until \
            the house finds every entry as it was written.
            """
    }
}

extension Problem {
    /// A record that is not what was seen of it before.
    ///
    /// - Parameter clock: the house's, in whose hours it is told.
    fileprivate init(_ alarm: AuditWitness.Alarm, _ report: TrailReport, _ clock: HouseClock) {
        let words = """
            \(alarm.words) Seen from here last: \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where a backup was \
            restored this is to be expected: then take the record as it is now. Else ask who can write the house's files.
            """
        self.init(
            title: "The house's record is not what it was", text: [words, report.alteration].compactMap { $0 }.joined(separator: " "))
    }
}
