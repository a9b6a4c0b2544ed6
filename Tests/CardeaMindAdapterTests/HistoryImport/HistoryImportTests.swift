import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaTestSupport
import Foundation
import Testing

@Suite("History import", .timeLimit(.minutes(5)))
struct HistoryImportTests {
    private func importLines(_ lines: [String], to house: TestHouse) async throws -> HistoryImporter.Report {
        let houseReader = HubHouseReader(house.hub.mindFeed)
        let clock = house.clock
        let memory = HouseEventStore(store: house.store, houseReader: houseReader, now: { clock.now })
        return try await HistoryImporter(
            readings: house.hub.readings, memory: memory, people: house.hub.people, house: try await houseReader.house(), at: clock.now
        ).importLines(lines)
    }

    private func line(_ house: TestHouse, _ hours: Double, _ rest: String) -> String {
        #"{"timestamp":"\#(house.clock.now.addingTimeInterval(-hours * 3600).formatted(.iso8601))",\#(rest)}"#
    }

    // "Did anyone ring?" found none of it, and "who is home?" knew nothing.
    @Test("Imported rings count as rings, and imported presence applies unless the hub has newer data")
    func known() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("ben", role: "member", by: owner)
            _ = try await house.hub.people.setPresence(isHome: false, by: member, origin: .house)
            let report = try await importLines(
                [
                    line(house, 5, #""device_id":"front-door","kind":"event","value":"doorbell""#),
                    line(house, 3, #""device_id":"front-door","kind":"event","value":"Somebody rang the bell""#),
                    line(house, 2, #""device_id":"front-door","kind":"event","value":"A courier with a parcel""#),
                    line(house, 6, #""person_id":"owner","kind":"presence","value":"away""#),
                    line(house, 4, #""person_id":"owner","kind":"presence","value":"home""#),
                    line(house, 1, #""person_id":"ben","kind":"presence","value":"home""#),
                ], to: house)
            #expect(report.refused == 0 && report.events == 6, "\(report)")

            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let rings = try await house.mind.answer("did anyone ring?", seenBy: visibility)
            #expect(rings.events.count == 2, "\(rings.response)")
            #expect(try await house.mind.answer("was there a parcel?", seenBy: visibility).events.count == 1)
            let home = try await house.mind.answer("who is home?", seenBy: visibility)
            #expect(home.response.lowercased().contains("you are home") && home.events.count == 1, "\(home.response)")
            #expect(try await house.mind.answer("am I home?", seenBy: visibility).facts.contains(.truth(true)))
            #expect(try await house.mind.answer("is ben home?", seenBy: visibility).facts.contains(.truth(false)))
        }
    }

    @Test("Imported commands are included in access replay")
    func replayed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("ben", role: "member", by: owner)
            _ = try await importLines(
                (1...4).map {
                    line(house, Double($0) * 20, #""device_id":"back-door","person_id":"ben","kind":"command","value":"unlock""#)
                },
                to: house)
            let person = try await house.hub.mindFeed.requester(owner)
            let draft = WhatIfRequest(
                scenario: "back door", changes: ["device": ["back-door": ["is_security_device": true]]], duration: "7d", metrics: ["access"]
            )
            let answer = try await house.mind.whatIf.answer(draft, seenBy: RequesterVisibility(of: person), preferences: Preferences())
            let access = try #require(answer.result.answers[.access])
            #expect(access.baseline.value == 4, "\(access.words)")
        }
    }

    // Home Assistant's records of hours in which the hub ran beside it were once imported again: the door had been unlocked twice, and
    // people came home twice.
    @Test(
        "An imported event that the hub recorded itself is no duplicate, despite a clock offset",
        arguments: [-1.7, 1.7])
    func overlapsWithOwn(off: Double) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            func past(_ seconds: Double, _ rest: String) -> String { line(house, (seconds - off) / 3600, rest) }
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 20)
            try await house.doorBackend.report("locked", at: "lock.front_door")
            _ = try await house.hub.people.setPresence(isHome: true, by: owner, origin: .house)
            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["hall-light"])
            house.clock.advance(by: 60)

            let report = try await importLines(
                [
                    past(80, #""device_id":"front-door","person_id":"owner","kind":"command","value":"unlock""#),
                    past(80, #""entity_id":"lock.front_door","kind":"state","value":"unlocked""#),
                    past(60, #""entity_id":"lock.front_door","kind":"state","value":"locked""#),
                    past(60, #""person_id":"owner","kind":"presence","value":"home""#),
                    past(60, #""device_id":"hall-light","kind":"status","value":"offline""#),
                    // An hour before, nobody else has it on record.
                    past(3680, #""device_id":"front-door","person_id":"owner","kind":"command","value":"unlock""#),
                ], to: house)

            #expect(report.refused == 0 && report.events == 1, "\(report)")
            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let came = HouseEventFilter(actors: [owner.key], kinds: [.presence])
            #expect(try await house.mind.eventStore.events(came, seenBy: visibility).count == 1)
            let doors = HouseEventFilter(devices: ["front-door"], kinds: [.state], newestFirst: false)
            let said = try await house.mind.eventStore.events(doors, seenBy: visibility)
            #expect(said.suffix(2).map(\.fact) == [.state("unlocked"), .state("locked")])
            #expect(said.filter { $0.fact == .state("unlocked") }.count == 1)
        }
    }

    // The house's own history began with an open door. An earlier opening of a minute was taken for the same one, and the closing in
    // between was then no event.
    @Test(
        "A door change shortly before the hub's own records is imported, in either order",
        arguments: [0, 2_000])
    func shortlyBeforeOwn(linesBetween: Int) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.clock.advance(by: 3600)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            house.clock.advance(by: 60)
            func past(_ seconds: Double, _ word: String) -> String {
                line(house, (seconds + 60) / 3600, #""entity_id":"lock.front_door","kind":"state","value":"\#(word)""#)
            }

            let report = try await importLines(
                [past(0, "unlocked"), past(240, "unlocked")] + Array(repeating: "{}", count: linesBetween) + [past(180, "locked")],
                to: house)

            #expect(report.refused == linesBetween && report.events == 2, "\(report)")
            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let doors = HouseEventFilter(devices: ["front-door"], kinds: [.state], newestFirst: false)
            let said = try await house.mind.eventStore.events(doors, seenBy: visibility)
            #expect(said.suffix(3).map(\.fact) == [.state("unlocked"), .state("locked"), .state("unlocked")])
        }
    }

    @Test(
        "Reimport with rounded times and entity names adds nothing but new events")
    func overlapsWithEarlier() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let start = house.clock.now.addingTimeInterval(-86_400)
            func told(_ seconds: Double, _ rest: String) -> String {
                let moment = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(start.addingTimeInterval(seconds))
                return #"{"timestamp":"\#(moment)",\#(rest)}"#
            }
            func past(_ part: Double, door: String) -> [String] {
                [
                    told(part, #"\#(door),"person_id":"owner","kind":"command","value":"unlock""#),
                    told(2 + part, #"\#(door),"kind":"state","value":"unlocked""#),
                    told(30 + part, #"\#(door),"kind":"event","value":"doorbell""#),
                    told(35 + part, #"\#(door),"kind":"event","value":"A zeppelin over the garden""#),
                    told(40 + part, #"\#(door),"kind":"state","value":"locked""#),
                    told(50 + part, #""person_id":"owner","kind":"presence","value":"away""#),
                    told(60 + part, #""device_id":"hall-light","kind":"status","value":"offline""#),
                ]
            }
            // Pressed again after five seconds, it rang again.
            let again = told(35.4, #""device_id":"front-door","kind":"event","value":"doorbell""#)

            #expect(try await importLines(past(0.4, door: #""device_id":"front-door""#) + [again], to: house).events == 8)
            #expect(try await importLines(past(0, door: #""entity_id":"lock.front_door""#), to: house).events == 0)
            // A person who was away must come home before leaving again.
            let later = [
                told(600, #""person_id":"owner","kind":"presence","value":"away""#),
                told(900, #""person_id":"owner","kind":"presence","value":"home""#),
            ]
            #expect(try await importLines(later, to: house).events == 1)

            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let rings = HouseEventFilter(kinds: [.seen], newestFirst: false)
            #expect(try await house.mind.eventStore.events(rings, seenBy: visibility).count == 3)
        }
    }
}
