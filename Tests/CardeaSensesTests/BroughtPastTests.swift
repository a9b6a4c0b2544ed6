import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaSenses
import CardeaTestSupport
import Foundation
import Testing

@Suite("A past that was brought is the house's past", .timeLimit(.minutes(5)))
struct BroughtPastTests {
    private func bring(_ lines: [String], to house: TestHouse) async throws -> PastImport.Report {
        let senses = HouseSenses(house.hub.insight)
        let clock = house.clock
        let memory = Remembering(store: house.store, senses: senses, now: { clock.now })
        return try await PastImport(
            readings: house.hub.readings, memory: memory, people: house.hub.people, house: try await senses.house(), at: clock.now
        ).lines(lines)
    }

    private func line(_ house: TestHouse, _ hours: Double, _ rest: String) -> String {
        #"{"timestamp":"\#(house.clock.now.addingTimeInterval(-hours * 3600).formatted(.iso8601))",\#(rest)}"#
    }

    // "Did anyone ring?" found none of it, and "who is home?" knew nothing.
    @Test("Rings are rings, and who came home last is home, unless the house has heard of them since")
    func known() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("ben", role: "member", by: owner)
            _ = try await house.hub.people.say(isHome: false, by: member, origin: .house)
            let report = try await bring(
                [
                    line(house, 5, #""device_id":"front-door","kind":"event","value":"doorbell""#),
                    line(house, 3, #""device_id":"front-door","kind":"event","value":"Somebody rang the bell""#),
                    line(house, 2, #""device_id":"front-door","kind":"event","value":"A courier with a parcel""#),
                    line(house, 6, #""person_id":"owner","kind":"presence","value":"away""#),
                    line(house, 4, #""person_id":"owner","kind":"presence","value":"home""#),
                    line(house, 1, #""person_id":"ben","kind":"presence","value":"home""#),
                ], to: house)
            #expect(report.refused == 0 && report.happenings == 6, "\(report)")

            let sight = Sight(of: try await house.hub.insight.asker(owner))
            let rings = try await house.mind.answer("did anyone ring?", seenBy: sight)
            #expect(rings.events.count == 2, "\(rings.response)")
            #expect(try await house.mind.answer("was there a parcel?", seenBy: sight).events.count == 1)
            let home = try await house.mind.answer("who is home?", seenBy: sight)
            #expect(home.response.lowercased().contains("you are home") && home.events.count == 1, "\(home.response)")
            #expect(try await house.mind.answer("am I home?", seenBy: sight).findings.contains(.truth(true)))
            #expect(try await house.mind.answer("is ben home?", seenBy: sight).findings.contains(.truth(false)))
        }
    }

    @Test("What was done in it is decided again with the rest")
    func replayed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("ben", role: "member", by: owner)
            _ = try await bring(
                (1...4).map {
                    line(house, Double($0) * 20, #""device_id":"back-door","person_id":"ben","kind":"command","value":"unlock""#)
                },
                to: house)
            let person = try await house.hub.insight.asker(owner)
            let draft = WhatIfDraft(
                scenario: "back door", changes: ["device": ["back-door": ["is_security_device": true]]], duration: "7d", metrics: ["access"]
            )
            let answer = try await house.mind.imagining.answer(draft, seenBy: Sight(of: person), preferences: Preferences())
            let access = try #require(answer.result.answers[.access])
            #expect(access.baseline.value == 4, "\(access.words)")
        }
    }
}
