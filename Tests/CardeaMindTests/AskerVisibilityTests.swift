import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Whoever asks is told what they may see")
struct AskerVisibilityTests {
    private static let opened = HouseEvent(
        id: "happening_1", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "person:ada",
        fact: .command(.unlock, .confirmed, refusal: nil))

    @Test("What others did is for whoever runs the house; one's own is one's own")
    func doings() {
        #expect(AskerVisibility(key: "person:bea").redacted(Self.opened) == nil)
        #expect(AskerVisibility(key: "person:ada").redacted(Self.opened) == Self.opened)
        #expect(AskerVisibility(key: "person:bea", seesEverybody: true).redacted(Self.opened) == Self.opened)
    }

    @Test("That the door stands open is no secret among those who live here; whose doing it was may be")
    func bareState() {
        let open = HouseEvent(
            id: "happening_2", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "guest:plumber",
            fact: .state("unlocked"))

        #expect(AskerVisibility(key: "person:bea").redacted(open)?.actor == nil)
        #expect(AskerVisibility(key: "person:bea", seesGuests: true).redacted(open) == open)
        #expect(AskerVisibility(key: "person:bea", devices: ["hall-light"]).redacted(open) == nil)
    }
}
