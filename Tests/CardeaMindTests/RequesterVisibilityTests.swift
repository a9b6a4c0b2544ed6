import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Answers are limited to what the asker may see")
struct RequesterVisibilityTests {
    private static let opened = HouseEvent(
        id: "happening_1", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "person:ada",
        fact: .command(.unlock, .confirmed, refusal: nil))

    @Test("Other people's actions are visible only with full visibility; own actions always are")
    func doings() {
        #expect(RequesterVisibility(key: "person:bea").redacted(Self.opened) == nil)
        #expect(RequesterVisibility(key: "person:ada").redacted(Self.opened) == Self.opened)
        #expect(RequesterVisibility(key: "person:bea", seesEverybody: true).redacted(Self.opened) == Self.opened)
    }

    @Test("A door state is visible without the right to see guests, but its actor is hidden")
    func bareState() {
        let open = HouseEvent(
            id: "happening_2", at: .distantPast, deviceID: "front-door", entityID: "lock.front_door", actor: "guest:plumber",
            fact: .state("unlocked"))

        #expect(RequesterVisibility(key: "person:bea").redacted(open)?.actor == nil)
        #expect(RequesterVisibility(key: "person:bea", seesGuests: true).redacted(open) == open)
        #expect(RequesterVisibility(key: "person:bea", devices: ["hall-light"]).redacted(open) == nil)
    }
}
