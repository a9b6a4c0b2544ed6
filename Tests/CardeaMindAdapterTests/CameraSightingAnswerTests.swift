import CardeaHub
import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Answers about camera and doorbell events", .timeLimit(.minutes(5)))
struct CameraSightingAnswerTests {
    private func answer(_ sentence: String, in house: TestHouse, to principal: Principal) async throws -> Reply {
        try await house.mind.answer(sentence, seenBy: RequesterVisibility(of: try await house.hub.mindFeed.requester(principal)))
    }

    private func recordSighting(_ type: String, at source: String, _ words: String?, in house: TestHouse, by owner: Principal) async throws
    {
        let seen = Events.Draft(source: source, type: type, description: words, occurredAt: house.clock.now)
        _ = try await house.hub.events.record(seen, by: owner, call: nil, origin: .house)
    }

    // "Who was at the front door?" was once answered "no camera sees who is there", though the bell there has the door's name.
    @Test("A camera or doorbell is found by its name and by the door in its name")
    func named() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await recordSighting("person", at: "Porch", "A courier with a parcel", in: house, by: owner)
            house.clock.advance(by: 60)
            try await recordSighting("doorbell", at: "Front door camera", nil, in: house, by: owner)
            house.clock.advance(by: 60)

            for question in ["who was at the porch today?", "what did the porch see today?"] {
                let reply = try await answer(question, in: house, to: owner)
                #expect(
                    reply.response.hasSuffix("at the porch: “A courier with a parcel”.") && reply.events.count == 1, "\(reply.response)")
            }
            for question in ["who was at the front door today?", "did anybody ring today?"] {
                let reply = try await answer(question, in: house, to: owner)
                #expect(reply.response.hasSuffix("at the front door camera: a ring of the bell."), "\(reply.response)")
            }
            let nobody = try await answer("who was at the back door today?", in: house, to: owner)
            #expect(nobody.response.hasSuffix("There is one at the front door camera and the porch.") && nobody.confidence == 0)
            #expect(try await answer("is the porch locked?", in: house, to: owner).confidence == 0)
            #expect(try await answer("turn off the porch", in: house, to: owner).suggestions.isEmpty)
        }
    }

    @Test(
        "An event without description is named by its type",
        arguments: ["person", "vehicle", "package", "animal", "motion", "ring", "fox.2"])
    func bare(type: String) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await recordSighting(type, at: "Drive", nil, in: house, by: owner)
            house.clock.advance(by: 60)
            let said = try await answer("what happened today?", in: house, to: owner).response
            let words = [
                "person": "a person", "vehicle": "a vehicle", "package": "a package", "animal": "an animal",
                "motion": "something that moved",
                "ring": "a ring of the bell", "fox.2": "“fox.2”",
            ]
            #expect(said.hasSuffix("at Drive: \(words[type] ?? "").") && !said.contains("“”"), "\(said)")
        }
    }
}
