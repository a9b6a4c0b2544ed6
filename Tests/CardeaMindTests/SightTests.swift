import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Whoever asks is told what they may see")
struct SightTests {
    private static let opened = Happening(
        id: "happening_1", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "person:ada",
        fact: .asked(.unlock, .confirmed, refusal: nil))

    @Test("What others did is for whoever runs the house; one's own is one's own")
    func doings() {
        #expect(Sight(key: "person:bea").view(Self.opened) == nil)
        #expect(Sight(key: "person:ada").view(Self.opened) == Self.opened)
        #expect(Sight(key: "person:bea", seesEverybody: true).view(Self.opened) == Self.opened)
    }

    @Test("That the door stands open is no secret among those who live here; whose doing it was may be")
    func bareState() {
        let open = Happening(
            id: "happening_2", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "guest:plumber",
            fact: .state("unlocked"))

        #expect(Sight(key: "person:bea").view(open)?.actor == nil)
        #expect(Sight(key: "person:bea", seesGuests: true).view(open) == open)
        #expect(Sight(key: "person:bea", devices: ["hall-light"]).view(open) == nil)
    }
}
