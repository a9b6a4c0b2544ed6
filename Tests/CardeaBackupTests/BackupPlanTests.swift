import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaBackup

@Suite("Backup schedule and retention")
struct BackupPlanTests {
    /// Saturday, 21 November 2026, 14:00 UTC.
    private let noon = Date(timeIntervalSince1970: 1_795_269_600)

    private func clock(_ date: Date, _ zone: TimeZone) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false))
    }

    @Test("A daily backup is due in the quiet hours in local time")
    func daily() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let (night, siesta) = (
            try QuietHours(from: #require(TimeOfDay("22:00")), to: #require(TimeOfDay("06:30"))),
            try QuietHours(from: #require(TimeOfDay("13:00")), to: #require(TimeOfDay("15:00")))
        )
        let plan = BackupPlan()

        #expect(clock(plan.next(after: noon, at: noon, quiet: nil, zone: zone), zone) == "2026-11-22T03:15:00")
        #expect(clock(plan.next(after: noon, at: noon, quiet: night, zone: zone), zone) == "2026-11-22T03:15:00")
        #expect(clock(plan.next(after: noon, at: noon, quiet: siesta, zone: zone), zone) == "2026-11-22T13:00:00")
    }

    @Test("A first backup and an hourly backup do not wait for the quiet hours")
    func first() {
        #expect(BackupPlan().next(after: nil, at: noon, quiet: nil, zone: .gmt) < noon)
        #expect(BackupPlan(hours: 6).next(after: noon, at: noon, quiet: nil, zone: .gmt) == noon.addingTimeInterval(6 * 3600))
    }

    @Test("Fourteen backups are kept for at most thirty days, and the latest always")
    func rotation() {
        let days = (0..<40).map { (name: "\($0)", at: noon.addingTimeInterval(Double(-$0) * 86_400)) }
        #expect(Set(BackupPlan.outdated(days, at: noon)) == Set((14..<40).map(String.init)))

        let weeks = (0..<8).map { (name: "\($0)", at: noon.addingTimeInterval(Double(-$0) * 7 * 86_400)) }
        #expect(Set(BackupPlan.outdated(weeks, at: noon)) == ["5", "6", "7"])

        let old = [(name: "a", at: noon.addingTimeInterval(-90 * 86_400)), (name: "b", at: noon.addingTimeInterval(-60 * 86_400))]
        #expect(BackupPlan.outdated(old, at: noon) == ["a"])
        // A clock that ran a year ahead for a night leaves files dated next year. Each new backup once counted as the oldest and was
        // deleted at once.
        let future = (0..<14).map { (name: "f\($0)", at: noon.addingTimeInterval(Double(365 * 24 + $0) * 3600)) }
        #expect(BackupPlan.outdated(future + [(name: "new", at: noon)], at: noon) == ["f0"])
        // With a doubtful clock, old backups stay.
        #expect(BackupPlan.outdated(old, at: noon, sure: noon.addingTimeInterval(-70 * 86_400)) == [])
    }

    @Test("Only file names of the hub's own format count as backups")
    func names() {
        let name = BackupScheduler.name(noon)
        #expect(name == "cardea-20261121T140000Z.backup")
        #expect(BackupScheduler.date(of: name) == noon)
        for other in ["cardea-.backup", "house.backup", "cardea-20261121T140000Z", "notes.txt", "cardea-yesterday.backup"] {
            #expect(BackupScheduler.date(of: other) == nil)
        }
    }
}
