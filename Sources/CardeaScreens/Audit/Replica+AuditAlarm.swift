import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

extension Replica {
    /// The alarm for the house's audit log as checked from this device, for a screen to show; nil if nothing is wrong or nothing was
    /// checked.
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
    /// Returns whether accepting the present audit log ends the alarm. An altered entry stays altered, so its alarm remains.
    func canAcceptAudit() async throws -> Bool {
        do { return try await lastAuditReport()?.alarm != nil } catch ClientError.storage { return true }
    }
}

extension AuditWatchReport {
    /// The house's own finding after verifying every entry, in words; nil if it found nothing wrong.
    fileprivate var alterationText: String? {
        guard let brokenAt, let problem else { return nil }
        return """
            Altered at entry \(brokenAt). The house looked at its record: \(problem) Ask who can write the house's files. This is said until \
            the house finds every entry as it was written.
            """
    }
}

extension UserFacingError {
    /// The error for an audit log that differs from what was stored before.
    ///
    /// - Parameter clock: the house's clock, for the times in the text.
    fileprivate init(_ alarm: AuditWitness.Alarm, _ report: AuditWatchReport, _ clock: HouseClock) {
        let words = """
            \(alarm.message) Seen from here last: \(report.size) entries, signed \(clock.spoken(report.signedAt)). Where a backup was \
            restored this is to be expected: then take the record as it is now. Else ask who can write the house's files.
            """
        self.init(
            title: "The house's record is not what it was", text: [words, report.alterationText].compactMap { $0 }.joined(separator: " "))
    }
}
