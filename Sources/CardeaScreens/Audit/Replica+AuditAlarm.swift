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
            return UserFacingError(title: "The stored checkpoint of the audit log could not be read", text: words)
        }
        guard let report else { return nil }
        if let alarm = report.alarm { return UserFacingError(alarm, report, await houseClock(at: now)) }
        return report.alterationText.map { UserFacingError(title: "The audit log was altered", text: $0) }
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
            Altered at entry \(brokenAt). The house verified its log: \(problem) Find out who can write the house's files. This warning stays \
            until the house verifies every entry.
            """
    }
}

extension UserFacingError {
    /// The error for an audit log that differs from what was stored before.
    ///
    /// - Parameter clock: the house's clock, for the times in the text.
    fileprivate init(_ alarm: AuditWitness.Alarm, _ report: AuditWatchReport, _ clock: HouseClock) {
        let words = """
            \(alarm.message) Last check here: \(report.size) entries, signed \(clock.spoken(report.signedAt)). After a restore from a \
            backup this is expected: then accept the log. Otherwise find out who can write the house's files.
            """
        self.init(
            title: "The audit log does not match the last check",
            text: [words, report.alterationText].compactMap { $0 }.joined(separator: " "))
    }
}
