import CardeaClient
import CardeaModel
import CardeaSync
import Foundation
import Testing

@testable import cardea

@Suite("Audit check in the terminal")
struct AuditCheckErrorsTests {
    private func report(_ more: String = "") throws -> AuditWatchReport {
        let json = #"{"size": 300, "signed_at": 0, "since": 0, "note": "", "key": ""\#(more)}"#
        return try JSONDecoder().decode(AuditWatchReport.self, from: Data(json.utf8))
    }

    @Test("A fault found by the hub fails the check with its entry, and a complete log passes")
    func integrityError() throws {
        #expect(AuditCheckErrors.integrityError(try report()) == nil)
        let problem = "Entry 4711 of the audit log is missing."
        let failure = try #require(AuditCheckErrors.integrityError(try report(#", "broken_at": 4711, "problem": "\#(problem)""#)))
        #expect(failure.status == .refused && failure.code == "audit_broken" && failure.details["entry"] == .number(4711))
        #expect(failure.message == "The hub checked its audit log: \(problem) Find out who can write to the hub's files.")
    }

    @Test("A log that the hub does not show fails the check and never counts as append-only")
    func withheldError() throws {
        let clock = HouseClock(zone: .gmt, now: Date(timeIntervalSinceReferenceDate: 7200))
        #expect(AuditCheckErrors.withheldError(try report(), clock) == nil)
        let failure = try #require(AuditCheckErrors.withheldError(try report(#", "withheld_since": 3600"#), clock))
        #expect(failure.status == .refused && failure.code == "audit_withheld")
        #expect(failure.message.hasPrefix("The audit log was not checked: since "))
        #expect(failure.message.contains("Last check here: 300 entries"))
    }
}
