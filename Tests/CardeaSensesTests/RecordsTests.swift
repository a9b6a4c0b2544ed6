import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSenses
import CardeaTestSupport
import Foundation
import Testing

@Suite("What was tried at the doors is decided again as it was", .timeLimit(.minutes(5)))
struct RecordsTests {
    @Test(
        "Under the rules as they were every attempt comes out as it is on record: done, refused, used up, from afar, failed and let in late"
    )
    func reproduced() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 60)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            _ = try? await house.submit(house.unlock("back-door", as: member))
            let (guest, id, _) = try await house.guest(house.draft(uses: 2), by: owner)
            for _ in 0..<3 {
                house.clock.advance(by: 60)
                _ = try? await house.run(house.open(as: guest))
            }
            let (near, _, _) = try await house.guest(house.draft(localOnly: true), by: owner)
            house.clock.advance(by: 60)
            _ = try? await house.submit(house.open(as: near, remote: "203.0.113.9"))
            house.clock.advance(by: 60)
            _ = try await house.run(house.open(as: near, remote: "192.168.1.7"))
            house.doors.set(.jams, at: "lock.front_door")
            house.clock.advance(by: 60)
            _ = try await house.run(house.open(as: near))
            house.clock.advance(by: 60)

            let replay = try await HouseSenses(house.hub.insight).replay(since: house.clock.now - 86_400)
            let rows = replay.repeated().rows

            #expect(rows.count == 8 && rows.count { $0.attempt.refusal != nil } == 3)
            #expect(replay.repeated().contradictions.isEmpty && replay.repeated().unknown.isEmpty)
            #expect(rows.allSatisfy { $0.isReproduced == true })
            #expect(replay.rules.usesBefore["guest:\(id)"] == 0)
            let local = try #require(rows.first { $0.attempt.refusal == "forbidden_remote" })
            #expect(local.attempt.isLocal == false && local.attempt.entityID == "lock.front_door")
            // Only what is asked for is looked at.
            #expect(try await HouseSenses(house.hub.insight).replay(since: house.clock.now).attempts.isEmpty)
        }
    }

    @Test("What was asked of a device is told with its value, the oldest first")
    func askings() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doors.set(.silent, at: "light.hall")
            for level in [20.0, 60] {
                house.clock.advance(by: 1)
                let target = CommandAsk.Target.device(id: "hall-light", entityID: nil, verb: .setBrightness)
                _ = try await house.submit(.init(principal: owner, target: target, value: .number(level), origin: .house))
            }
            _ = try await house.run(house.unlock(as: owner))

            let senses = HouseSenses(house.hub.insight)
            let asked = try await senses.askings(of: "hall-light", since: house.clock.now - 60)
            #expect(asked.map(\.value) == [20, 60] && asked.allSatisfy { $0.actor == owner.key && $0.verb == .setBrightness })
            #expect(try await senses.askings(of: nil, since: house.clock.now - 60).count == 3)
        }
    }
}
