import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

extension Replica {
    /// What is wrong with the house's record as it was seen from here, as a screen says it; nil where nothing is, or nothing was seen.
    func auditAlarm(at now: Date) async throws -> UserFacingError? {
        let report: AuditWatchReport?
        do {
            report = try await lastAuditReport()
        } catch ClientError.storage(let words) {
            return UserFacingError(title: "It is not known whether the house's record is what it was", text: words)
        }
        guard let report else { return nil }
        if let alarm = report.alarm { return UserFacingError(alarm, report, await houseClock(at: now)) }
        return report.alterationText.map { UserFacingError(title: "The house's record was altered", text: $0) }
    }
}

extension Replica {
    /// Whether taking the record as it is now ends what is told of it: an entry that was altered stays altered.
    func canAcceptAudit() async throws -> Bool {
        do { return try await lastAuditReport()?.alarm != nil } catch ClientError.storage { return true }
    }
}

extension AuditWatchReport {
    /// What the house itself found when it looked at every entry, in words; nil where it found nothing.
    fileprivate var alterationText: String? {
        guard let brokenAt, let problem else { return nil }
        return """
            Altered at entry \(brokenAt). The house looked at its record: \(problem) Ask who can write the house's files. This is said until \
            the house finds every entry as it was written.
            """
    }
}

extension UserFacingError {
    /// A record that is not what was seen of it before.
    ///
    /// - Parameter clock: the house's, in whose hours it is told.
    fileprivate init(_ alarm: AuditWitness.Alarm, _ report: AuditWatchReport, _ clock: HouseClock) {
        let words = """
            \(alarm.message) Seen from here last: \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where a backup was \
            restored this is to be expected: then take the record as it is now. Else ask who can write the house's files.
            """
        self.init(
            title: "The house's record is not what it was", text: [words, report.alterationText].compactMap { $0 }.joined(separator: " "))
    }
}
