import CardeaModel
import Foundation
import Testing

@Suite("Notification delivery rules")
struct NoticeRuleTests {
    /// Saturday, 21 November 2026, 14:00 UTC: three in the afternoon in Berlin.
    private let now = Date(timeIntervalSince1970: 1_795_269_600)

    private func fact(_ kind: NoticeKind, at: Date? = nil, place: String = "porch") -> NotifiableFact {
        NotifiableFact(kind: kind, subject: "event_1", incident: "incident_1", place: place, at: at ?? now)
    }

    private func preferences(_ change: (inout NoticePreferences) -> Void = { _ in }) -> NoticePreferences {
        var preferences = NoticePreferences()
        change(&preferences)
        return preferences
    }

    private func quiet(_ from: String, _ to: String, in zone: String = "Europe/Berlin", critical: Bool = true) throws -> PersonalQuietHours
    {
        PersonalQuietHours(
            hours: QuietHours(from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to))),
            zone: try #require(TimeZone(identifier: zone)),
            letsCriticalThrough: critical)
    }

    @Test(
        "By default approval requests, rings, people, parcels and hub notifications are delivered, and plain motion is not")
    func usual() {
        let told = NoticeKind.allCases.filter { NoticeRule.decide(fact($0), for: preferences(), last: nil, at: now) == .deliver }
        #expect(told == [.ask, .ring, .person, .package, .unusual, .automation, .maintenance, .danger, .work])
    }

    @Test("Notifications of an unwanted kind or source are not delivered, and none if all are off")
    func unwanted() {
        for change in [
            { $0.isOn = false }, { $0.kinds = [.ring] }, { $0.mutedPlaces = ["porch"] },
        ] as [(inout NoticePreferences) -> Void] {
            #expect(NoticeRule.decide(fact(.person), for: preferences(change), last: nil, at: now) == .skip)
        }
        let other = preferences { $0.mutedPlaces = ["garden"] }
        #expect(NoticeRule.decide(fact(.person), for: other, last: nil, at: now) == .deliver)
    }

    @Test("Danger is delivered at any hour to everybody with notifications on, unless that sensor is muted")
    func danger() throws {
        let quiet = try quiet("00:00", "23:59", critical: false)
        let narrow = preferences {
            $0.kinds = []
            $0.quietHours = quiet
        }
        #expect(NoticeRule.decide(fact(.danger), for: narrow, last: nil, at: now) == .deliver)
        #expect(NoticeRule.decide(fact(.ring), for: narrow, last: nil, at: now) == .skip)
        for change in [{ $0.isOn = false }, { $0.mutedPlaces = ["porch"] }] as [(inout NoticePreferences) -> Void] {
            #expect(NoticeRule.decide(fact(.danger), for: preferences(change), last: nil, at: now) == .skip)
        }
    }

    @Test("The end of long work is delivered for any chosen kinds, held in quiet hours, and skipped if off or muted")
    func work() throws {
        let night = try quiet("00:00", "23:59", critical: true)
        #expect(NoticeRule.decide(fact(.work), for: preferences { $0.kinds = [] }, last: nil, at: now) == .deliver)
        #expect(NoticeRule.decide(fact(.work), for: preferences { $0.quietHours = night }, last: nil, at: now) == .storeOnly)
        for change in [{ $0.isOn = false }, { $0.mutedPlaces = ["porch"] }] as [(inout NoticePreferences) -> Void] {
            #expect(NoticeRule.decide(fact(.work), for: preferences(change), last: nil, at: now) == .skip)
        }
    }

    @Test("A visit is delivered once, and again only for a more important event")
    func cooldown() {
        func verdict(_ kind: NoticeKind, after last: NoticeKind, _ seconds: TimeInterval) -> NoticeRule.Verdict {
            NoticeRule.decide(fact(kind), for: preferences(), last: .init(kind: last, at: now.addingTimeInterval(-seconds)), at: now)
        }
        #expect(verdict(.person, after: .person, 299) == .skip)
        #expect(verdict(.person, after: .person, 300) == .deliver)
        #expect(verdict(.ring, after: .person, 1) == .deliver)
        #expect(verdict(.person, after: .ring, 1) == .skip)
        #expect(verdict(.package, after: .person, 1) == .skip)
        // A clock that was set back mutes no one for long: a "later" notification counts as just sent.
        #expect(verdict(.person, after: .person, -3600) == .skip)
    }

    @Test("Quiet hours hold notifications over midnight; requests that wait for an answer are delivered unless turned off")
    func quietHours() throws {
        let night = try quiet("22:00", "07:00")
        func verdict(_ kind: NoticeKind, _ clock: String, _ hours: PersonalQuietHours) throws -> NoticeRule.Verdict {
            let moment = try #require(ISO8601DateFormatter().date(from: "2026-11-21T\(clock):00+01:00"))
            return NoticeRule.decide(fact(kind, at: moment), for: preferences { $0.quietHours = hours }, last: nil, at: moment)
        }
        for (clock, verdict_) in [
            ("21:59", NoticeRule.Verdict.deliver), ("22:00", .storeOnly), ("23:59", .storeOnly), ("00:00", .storeOnly),
            ("06:59", .storeOnly), ("07:00", .deliver),
        ] {
            #expect(try verdict(.ring, clock, night) == verdict_, "\(clock)")
        }
        #expect(try verdict(.ask, "03:00", night) == .deliver)
        #expect(try verdict(.ask, "03:00", try quiet("22:00", "07:00", critical: false)) == .storeOnly)
        // By the sleeper's own time zone: it is ten in the morning in Tokyo when it is two in Berlin.
        #expect(try verdict(.ring, "02:00", try quiet("22:00", "07:00", in: "Asia/Tokyo")) == .deliver)
        #expect(try verdict(.ring, "13:00", try quiet("08:00", "08:00")) == .storeOnly)
    }

    @Test("A notification held at night does not suppress a morning ring, and none is held twice")
    func morning() throws {
        let kept = NoticeRule.PreviousNotice(kind: .ring, at: now.addingTimeInterval(-60), isQuiet: true)
        let asleep = try quiet("14:00", "16:00")
        #expect(NoticeRule.decide(fact(.ring), for: preferences(), last: kept, at: now) == .deliver)
        #expect(NoticeRule.decide(fact(.ring), for: preferences { $0.quietHours = asleep }, last: kept, at: now) == .skip)
    }

    @Test("Quiet hours end at local time over a clock change")
    func clocksChange() throws {
        let night = try quiet("22:00", "07:00")
        // Sunday, 25 October 2026: in Berlin three o'clock occurs twice. 05:59 UTC is 06:59, and 06:00 UTC is 07:00.
        for (text, quiet) in [("2026-10-25T05:59:00Z", true), ("2026-10-25T06:00:00Z", false)] {
            #expect(night.contains(try #require(ISO8601DateFormatter().date(from: text))) == quiet, "\(text)")
        }
    }

    @Test("A late notification is stored and not delivered")
    func late() {
        #expect(NoticeRule.decide(fact(.ring, at: now.addingTimeInterval(-600)), for: preferences(), last: nil, at: now) == .deliver)
        #expect(NoticeRule.decide(fact(.ring, at: now.addingTimeInterval(-601)), for: preferences(), last: nil, at: now) == .storeOnly)
    }

    @Test("An escalated ring ignores chosen kinds and muted places, and respects quiet hours")
    func escalated() throws {
        let chosen = preferences {
            $0.kinds = []
            $0.mutedPlaces = ["porch"]
        }
        #expect(NoticeRule.decide(escalated: fact(.ring), for: chosen, at: now) == .deliver)
        #expect(NoticeRule.decide(escalated: fact(.ring), for: preferences { $0.isOn = false }, at: now) == .skip)
        // The longest time that an approver may have been given is an hour.
        #expect(NoticeRule.decide(escalated: fact(.ring, at: now.addingTimeInterval(-3600)), for: preferences(), at: now) == .deliver)
        #expect(NoticeRule.decide(escalated: fact(.ring, at: now.addingTimeInterval(-4201)), for: preferences(), at: now) == .storeOnly)
        let asleep = try quiet("14:00", "16:00")
        #expect(NoticeRule.decide(escalated: fact(.ring), for: preferences { $0.quietHours = asleep }, at: now) == .storeOnly)
        #expect(NoticeRule.decide(escalated: fact(.ask), for: preferences { $0.quietHours = asleep }, at: now) == .deliver)
    }

    @Test("Every detection type maps to a kind, and all doorbell types to ring")
    func kinds() throws {
        for (word, kind) in [
            ("person", NoticeKind.person), ("ring", .ring), ("doorbell", .ring), ("doorbell_ring", .ring), ("package", .package),
            ("cat", .other),
            ("ask", .other), ("other", .other),
        ] { #expect(NoticeKind(of: try #require(DetectionType(rawValue: word))) == kind, "\(word)") }
    }

    @Test("Invalid preferences are refused by field name")
    func checked() {
        #expect(throws: FieldError.range(field: "cooldown_seconds", 0...86_400)) { try preferences { $0.cooldown = -1 }.check() }
        #expect(throws: FieldError.range(field: "escalation.after_seconds", 30...3600)) {
            try preferences { $0.escalation = Escalation(after: 10, personID: "person_1") }.check()
        }
        #expect(throws: FieldError.tooMany(field: "muted", 200)) {
            try preferences { $0.mutedPlaces = Set((0...200).map(String.init)) }.check()
        }
    }
}
