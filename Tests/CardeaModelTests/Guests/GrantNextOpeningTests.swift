import CardeaModel
import Foundation
import Testing

@Suite("Next opening of a pass")
struct GrantNextOpeningTests {
    private static let now = Date(timeIntervalSince1970: 1_795_269_600)

    /// Tuesdays from 9 to 12 in Berlin; `now` is a Saturday.
    private static func tuesdays() throws -> WeeklySchedule {
        WeeklySchedule(lines: [
            .init(days: [.tue], from: try #require(TimeOfDay("09:00")), to: try #require(TimeOfDay("12:00")))
        ])
    }

    private static func berlin() throws -> TimeZone { try #require(TimeZone(identifier: "Europe/Berlin")) }

    private static func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private static func pass(_ change: (inout Grant) throws -> Void) rethrows -> Grant {
        var grant = Grant(id: "guest_1", scope: .list([]), expiresAt: now.addingTimeInterval(30 * 86_400))
        try change(&grant)
        return grant
    }

    @Test("The next opening is the start, or the first window after it")
    func start() throws {
        let zone = try Self.berlin()
        let soon = Self.now.addingTimeInterval(600)
        #expect(Self.pass { _ in }.nextOpening(after: Self.now, in: zone) == nil)
        #expect(Self.pass { $0.startsAt = soon }.nextOpening(after: Self.now, in: zone) == soon)
        #expect(Self.pass { $0.startsAt = soon }.nextOpening(after: soon, in: zone) == nil)
        let tuesday = try Self.date("2026-11-24T08:00:00Z")
        let weekly = try Self.pass { $0.schedule = try Self.tuesdays() }
        #expect(weekly.nextOpening(after: Self.now, in: zone) == tuesday)
        #expect(weekly.nextOpening(after: tuesday, in: zone) == nil)
        // It starts in the middle of a window.
        let late = try Self.pass {
            $0.schedule = try Self.tuesdays()
            $0.startsAt = tuesday.addingTimeInterval(3600)
        }
        #expect(late.nextOpening(after: Self.now, in: zone) == tuesday.addingTimeInterval(3600))
        // A phone that waits for approval changes nothing.
        #expect(
            try Self.pass {
                $0.schedule = try Self.tuesdays()
                $0.isApproved = false
            }.nextOpening(after: Self.now, in: zone) == tuesday)
    }

    @Test("A revoked, rejected, suspended, used-up or expiring pass has no next opening")
    func never() throws {
        let zone = try Self.berlin()
        let changes: [(inout Grant) -> Void] = [
            { $0.revokedAt = Self.now }, { $0.rejectedAt = Self.now }, { $0.suspendedAt = Self.now },
            { ($0.useLimit, $0.useCount) = (1, 1) }, { $0.expiresAt = Self.now }, { $0.expiresAt = Self.now.addingTimeInterval(86_400) },
        ]
        for change in changes {
            let grant = try Self.pass {
                $0.schedule = try Self.tuesdays()
                change(&$0)
            }
            #expect(grant.nextOpening(after: Self.now, in: zone) == nil)
        }
        // A window that begins at the pass's end does not count.
        let tuesday = try Self.date("2026-11-24T08:00:00Z")
        let short = try Self.pass {
            $0.schedule = try Self.tuesdays()
            $0.expiresAt = tuesday
        }
        #expect(short.nextOpening(after: Self.now, in: zone) == nil)
    }

    @Test("The next opening follows local time over a clock change")
    func clocks() throws {
        let zone = try Self.berlin()
        let nights = WeeklySchedule(lines: [
            .init(days: [.sun], from: try #require(TimeOfDay("02:30")), to: try #require(TimeOfDay("05:00")))
        ])
        for (from, opens) in [("2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"), ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z")] {
            let now = try Self.date(from)
            let grant = Grant(id: "guest_1", scope: .list([]), expiresAt: now.addingTimeInterval(30 * 86_400), schedule: nights)
            #expect(try grant.nextOpening(after: now, in: zone) == Self.date(opens))
        }
    }

    @Test("Random passes around clock changes are closed before the next opening and open at it")
    func agrees() throws {
        var random = SeededGenerator.forTest(34)
        // The hours around a clock change, and a week without one.
        let places = [
            ("Europe/Berlin", "2026-03-28T06:00:00Z"), ("Europe/Berlin", "2026-10-24T06:00:00Z"),
            ("America/New_York", "2026-10-31T12:00:00Z"), ("Australia/Lord_Howe", "2026-10-03T00:00:00Z"),
            ("Asia/Kathmandu", "2026-11-21T00:00:00Z"),
        ]
        let step: TimeInterval = 300
        var met = Set<Bool>()
        for round in 0..<TestRepetitions.of(60, full: 1000) {
            let (name, text) = places[round % places.count]
            let zone = try #require(TimeZone(identifier: name))
            let now = try Self.date(text).addingTimeInterval(Double(Int.random(in: 0..<288, using: &random)) * step)
            let times = try (0..<2).map { _ in try #require(TimeOfDay(minutes: Int.random(in: 0..<288, using: &random) * 5)) }
            let days = Set(Weekday.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
            var grant = Grant(
                id: "guest_1", scope: .list([]), expiresAt: now.addingTimeInterval(Double(Int.random(in: 1...600, using: &random)) * step),
                schedule: WeeklySchedule(lines: [.init(days: days, from: times[0], to: times[1])]))
            if Bool.random(using: &random) {
                grant.startsAt = now.addingTimeInterval(Double(Int.random(in: 0..<200, using: &random)) * step)
            }
            func works(_ moment: Date) -> Bool {
                Gate.validityRefusal(of: grant, at: moment) == nil && grant.schedule?.contains(moment, in: zone) == true
            }
            let next = grant.nextOpening(after: now, in: zone)
            // Every window begins and ends at a multiple of five minutes.
            let moments = (0..<432).map { now.addingTimeInterval(Double($0) * step) }
            let first = moments.first(where: works)
            let expected = first == now ? nil : first
            let isFar = next.map { $0 > moments[431] } ?? false
            met.insert(expected != nil)
            #expect(
                next == expected || expected == nil && first == nil && isFar, "seed \(random.seed), round \(round): \(grant) \(now) \(name)"
            )
            if let next { #expect(works(next), "seed \(random.seed), round \(round)") }
        }
        #expect(met == [true, false])
    }
}
