import CardeaHub
import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Door openings and outages in answers", .timeLimit(.minutes(5)))
struct DoorOpeningAnswerTests {
    private func openings(_ reply: Reply) -> [String?] {
        reply.facts.compactMap { finding -> String?? in
            guard case .action(let doing) = finding else { return nil }
            return .some(doing.actor)
        }
    }

    // A pass's opening at 23:10 was once denied with "Sure": the door was already unlocked.
    @Test("A pass used on an unlocked door counts as an opening")
    func unlockedAlready() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 200)
            let command = try await house.run(house.open(as: guest))
            house.clock.advance(by: 200)
            #expect(command.status == .confirmed)

            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let who = try await house.mind.answer("who opened the front door today?", seenBy: visibility)
            #expect(openings(who) == [owner.key, guest.key], "\(who.response)")
            let did = try await house.mind.answer("did any guest open the front door today?", seenBy: visibility)
            #expect(did.response.hasPrefix("Yes") && openings(did) == [guest.key], "\(did.response)")
            let last = try await house.mind.answer("when was the front door last opened?", seenBy: visibility)
            #expect(openings(last) == [guest.key], "\(last.response)")
        }
    }

    @Test("A lost door is unknown until it reports, and the gap lowers the confidence of later answers")
    func lost() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 300)
            try await house.hub.devices.reportAvailability(.unknown, deviceIDs: ["front-door"])
            house.clock.advance(by: 300)

            let lost = try await house.mind.answer("is the front door locked?", seenBy: visibility)
            #expect(lost.confidence == 0 && lost.response.contains("not known; it last reported unlocked"), "\(lost.response)")

            try await house.hub.devices.reportAvailability(.online, deviceIDs: ["front-door"])
            try await house.doorBackend.report("locked", at: "lock.front_door")
            house.clock.advance(by: 300)
            let found = try await house.mind.answer("is the front door locked?", seenBy: visibility)
            #expect(found.confidence == 1 && found.facts.first == .truth(true), "\(found.response)")
            let often = try await house.mind.answer("how often was the front door opened today?", seenBy: visibility)
            #expect(often.facts.first == .count(1) && often.confidence < 0.9, "\(often.response)")
            #expect(often.response.contains("out of reach"), "\(often.response)")
        }
    }
}
