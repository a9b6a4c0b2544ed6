import CardeaHub
import CardeaModel
import CardeaTestSupport
import HTTPTypes
import Testing

@Suite("Version conflicts", .timeLimit(.minutes(10)))
struct VersionConflictsAPITests {
    /// One object of the house: how it is made, and a change that everyone may make to it.
    struct VersionedResource: Sendable, CustomTestStringConvertible {
        var path: String
        /// The body that makes it, and the member with its id; nil for the house, which exists already.
        var made: (body: String, id: String)?
        var method: HTTPRequest.Method = .put
        var change: String

        var testDescription: String { path }
    }

    private static let resources = [
        VersionedResource(path: "/api/v1/house", change: #"{"number_of_floors":3}"#),
        VersionedResource(path: "/api/v1/rooms", made: (#"{"name":"Cellar"}"#, "room_id"), change: #"{"name":"Vault"}"#),
        VersionedResource(
            path: "/api/v1/scenes", made: (#"{"name":"Night","actions":[{"device_id":"hall-light","action":"off"}]}"#, "scene_id"),
            change: #"{"name":"Late","actions":[{"device_id":"hall-light","action":"off"}]}"#),
        VersionedResource(
            path: "/api/v1/maintenance", made: (#"{"title":"Filter","due_on":"2026-12-31"}"#, "task_id"), method: .patch,
            change: #"{"title":"Filters"}"#),
        VersionedResource(
            path: "/api/v1/buttons", made: (#"{"title":"Light","action":{"device_id":"hall-light","action":"on"}}"#, "button_id"),
            change: #"{"title":"Lamp","action":{"device_id":"hall-light","action":"on"}}"#),
        VersionedResource(
            path: "/api/v1/memory", made: (#"{"type":"semantic","content":"The key hangs in the hall"}"#, "memory_id"), method: .patch,
            change: #"{"is_pinned":true}"#),
        VersionedResource(path: "/api/v1/tags/policy", change: #"{"on":false,"control":"never","open":"never"}"#),
    ]

    @Test("A conflict names the person who made the newer change", arguments: resources)
    func who(thing: VersionedResource) async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            var path = thing.path
            if let made = thing.made {
                let id = try #require(try await ask(.post, path, made.body).body[made.id]?.string)
                path += "/\(id)"
            }
            let seen = try #require(try await ask(.get, path).entityTag)
            #expect(try await ask(thing.method, path, thing.change, ifMatch: seen).status == 200)

            let stale = try await ask(thing.method, path, thing.change, ifMatch: seen)

            let me = try await ask(.get, "/api/v1/people/me").body["name"]
            #expect(stale.status == 412 && stale.body["error"]?["details"]?["changed_by"] == me && me != nil)
        }
    }

    @Test("A presence change does not count as the conflicting change")
    func presence() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (resident, _) = try await house.resident("bob", role: "member", by: owner)
            let people = try await ask(.get, "/api/v1/people").body["people"]?.array ?? []
            let id = try #require(people.first { $0["name"] == "bob" }?["person_id"]?.string)
            let seen = try #require(try await ask(.patch, "/api/v1/people/\(id)", #"{"name":"Bob"}"#).entityTag)
            #expect(try await ask(.patch, "/api/v1/people/\(id)", #"{"name":"Robert"}"#, ifMatch: seen).status == 200)
            _ = try await house.hub.people.setPresence(isHome: true, by: resident, origin: .house)

            let stale = try await ask(.patch, "/api/v1/people/\(id)", #"{"name":"Rob"}"#, ifMatch: seen)

            let me = try await ask(.get, "/api/v1/people/me").body["name"]
            #expect(stale.status == 412 && stale.body["error"]?["details"]?["changed_by"] == me && me != nil)
        }
    }

    @Test("A role limited to its own name gets 412 without anyone's name")
    func ownName() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let guest = TestAPIClient(client: client, token: try await house.resident("nobody", role: "guest", by: owner).tokens.access)
            let people = try await TestAPIClient(client: client, token: tokens.access)(.get, "/api/v1/people").body["people"]?.array ?? []
            let id = try #require(people.first { $0["name"] == "nobody" }?["person_id"]?.string)
            let seen = try #require(try await guest(.patch, "/api/v1/people/\(id)", #"{"name":"Nemo"}"#).entityTag)
            #expect(try await guest(.patch, "/api/v1/people/\(id)", #"{"name":"Niemand"}"#, ifMatch: seen).status == 200)

            let stale = try await guest(.patch, "/api/v1/people/\(id)", #"{"name":"No one"}"#, ifMatch: seen)

            #expect(stale.status == 412 && stale.body["error"]?["details"]?["current"]?["name"] == "Niemand")
            #expect(stale.body["error"]?["details"]?["changed_by"] == nil)
        }
    }
}
