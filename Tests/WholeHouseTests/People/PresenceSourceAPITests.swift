import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Presence sources API", .timeLimit(.minutes(5)))
struct PresenceSourceAPITests {
    private static let path = "/api/v1/people/me/presence/source"

    @Test("A person lists, links and unlinks a presence source, is home by it, and others do not see whose it is")
    func link() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let ben = TestAPIClient(client: client, token: try await house.resident("ben", role: "member", by: who).tokens.access)
            let home = Person.Presence(isHome: true, since: house.clock.now.addingTimeInterval(-60))
            house.hub.integrations.add(
                ScriptedPresenceBackend([
                    PresenceSource(key: "key-of-ben", entityID: "person.ben", name: "Ben Elm", presence: home),
                    PresenceSource(key: "key-of-the-car", entityID: "device_tracker.car", name: "Car", presence: nil),
                ]))
            let (car, person): (JSONValue, JSONValue) = (
                ["integration": "persons", "entity_id": "device_tracker.car", "name": "Car"],
                ["integration": "persons", "entity_id": "person.ben", "name": "Ben Elm"]
            )

            let before = try await ben(.get, Self.path)
            let linked = try await ben(.put, Self.path, #"{"entity_id":"person.ben"}"#)
            let me = try await ben(.get, "/api/v1/people/me")
            let taken = try await owner(.put, Self.path, #"{"entity_id":"person.ben"}"#)
            let unknown = try await owner(.put, Self.path, #"{"entity_id":"person.nobody"}"#)
            let owners = try await owner(.get, Self.path)
            let people = try await owner(.get, "/api/v1/people")
            let unlinked = try await ben(.delete, Self.path)
            let after = try await ben(.get, Self.path)

            #expect(before.body == ["candidates": [person, car]])
            #expect(linked.status == 200 && linked.body["linked"]?["entity_id"] == "person.ben")
            #expect(linked.body["linked"]?["name"] == "Ben Elm" && linked.body["linked"]?["integration"] == "persons")
            #expect(me.body["is_home"] == true)
            #expect(taken.status == 409 && taken.code == "conflict")
            #expect(unknown.status == 400 && unknown.body["error"]?["details"]?["field"] == "entity_id")
            #expect(owners.body == ["candidates": [car]])
            let shown = try String(decoding: JSONEncoder().encode(people.body), as: UTF8.self)
            #expect(!shown.contains("person.ben") && !shown.contains("key-of-ben"))
            #expect(unlinked.status == 204)
            #expect(after.body == before.body)
        }
    }
}
