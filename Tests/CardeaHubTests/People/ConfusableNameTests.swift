import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Confusable names", .timeLimit(.minutes(10)))
struct ConfusableNameTests {
    @Test(
        "Confusable texts have the same skeleton (Unicode Technical Standard 39)",
        arguments: [("paypal", "рауpаl"), ("scope", "ѕсоре"), ("Anna", "Аnnа"), ("m", "rn"), ("1", "l"), ("O", "0"), ("ﷺ", "ﷺ"), ("", "")])
    func skeletons(one: String, other: String) {
        #expect(ConfusableNames.skeleton(one) == ConfusableNames.skeleton(other))
    }

    @Test("Distinct texts have different skeletons", arguments: [("anna", "hanna"), ("bob", "rob"), ("Ada", "Eda"), ("お", "オ")])
    func others(one: String, other: String) {
        #expect(ConfusableNames.skeleton(one) != ConfusableNames.skeleton(other))
    }

    @Test(
        "A pass or token cannot use a name confusable with a resident's; pass and token names may repeat",
        arguments: ["Bea", "BEA", "Веа", "B e a", "bea"])
    func taken(name: String) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, _) = try await house.resident("bea", role: "member", by: owner)
        func invite(_ name: String) async throws {
            var draft = house.draft()
            draft.name = name
            _ = try await house.hub.guests.invite(draft, by: owner, call: nil, origin: .house)
        }
        func token(_ name: String) async throws {
            _ = try await house.hub.apiTokens.make(.init(name: name, items: nil, role: nil, expiresAt: nil), by: owner, origin: .house)
        }
        await #expect(throws: Guests.GuestError.self) { try await invite(name) }
        await #expect(throws: APITokens.APITokenError.self) { try await token(name) }
        #expect(try await house.hub.mindFeed.nameProblem(name) != nil)
        for _ in 0..<2 {
            try await invite("Plumber")
            try await token("Display")
        }
        #expect(try await house.hub.mindFeed.nameProblem("Beaker") == nil)
    }
}
