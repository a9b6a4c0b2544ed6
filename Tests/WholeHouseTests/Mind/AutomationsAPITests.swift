import CardeaAutomations
import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Testing

@Suite("Automations API", .timeLimit(.minutes(10)))
struct AutomationsAPITests {
    private let path = "/api/v1/automations"
    private let out = """
        {"name":"Everybody out","triggers":[{"type":"presence","change":"last_leaves"}],
        "actions":[{"type":"control","device_id":"front-door","action":"lock"},{"type":"control","deviceId":"back-door","action":"lock"},
        {"type":"notify","words":"Everybody has left. The doors are locked."}]}
        """

    @Test("When the last person leaves, the doors are locked and a notification is sent")
    func sentence() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ada, bea) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            func says(_ caller: TestAPIClient, _ isHome: Bool) async throws {
                house.clock.advance(by: 10)
                let answer = try await caller(.put, "/api/v1/people/me/presence", #"{"is_home":\#(isHome)}"#)
                #expect(answer.status == 200 && answer.body["is_home"] == .bool(isHome))
                await house.runMind()
            }
            for door in ["front-door", "back-door"] { _ = try await house.run(house.unlock(door, as: owner)) }
            await house.runMind()

            let made = try await ada(.post, path, out)
            #expect(made.status == 201 && made.entityTag == "\"1\"" && made.body["is_on"] == true && made.body["off_because"] == .null)
            let id = try #require(made.body["automation_id"]?.string)
            try await says(ada, true)
            try await says(bea, true)
            try await says(ada, false)
            #expect(house.doorBackend.backendCommands.count { $0.verb == .lock } == 0)
            try await says(bea, false)

            #expect(house.doorBackend.backendCommands.filter { $0.verb == .lock }.map(\.deviceID) == ["front-door", "back-door"])
            for door in ["front-door", "back-door"] {
                #expect(try await ada(.get, "/api/v1/devices/\(door)").body["entities"]?.array.first?["state"] == "locked")
            }
            try await house.hub.notificationDispatcher.planNotifications()
            let notice = try await ada(.get, "/api/v1/notices").body["notices"]?.array.first
            #expect(notice?["kind"] == "automation" && notice?["words"] == "Everybody has left. The doors are locked.")
            #expect(try await bea(.get, "/api/v1/notices").body["notices"]?.array.isEmpty == true)
            let history = try await ada(.get, "\(path)/\(id)/history")
            let run = try #require(history.body["runs"]?.array.first)
            #expect(run["result"] == "ran" && run["is_dry"] == false && run["event"]?.string?.hasPrefix("happening_") == true)
            #expect(run["outcomes"]?.array.map { $0["status"] } == ["confirmed", "confirmed", "told"])
            let trail = try await ada(.get, "/api/v1/activity?device_id=back-door").body["entries"]?.array.first
            #expect(
                trail?["action"] == "lock" && trail?["result"] == "confirmed"
                    && trail?["who"]?["id"]?.string.map { owner.key.hasSuffix($0) } == true)
            #expect(trail?["via"] == ["kind": "automation", "id": .string(id), "name": "Everybody out"])

            let tried = try await ada(.post, "\(path)/\(id)/dry-run", #"{"days":1}"#)
            #expect(tried.status == 200 && tried.body["total"] == 1)
            #expect(tried.body["runs"]?.array.first?["event"] == run["event"])
            #expect(tried.body["runs"]?.array.first?["outcomes"]?.array.map { $0["status"] } == ["would", "would", "would"])
            #expect(house.doorBackend.backendCommands.count { $0.verb == .lock } == 2)
            // "Is Bea home?", from the mind's events.
            let asked = try await ada(.post, "/api/v1/consciousness/query", #"{"query":"is bea home?"}"#)
            #expect(asked.body["response"]?.string?.hasPrefix("No") == true && asked.body["context"]?["events"]?.array.count == 1)
        }
    }

    @Test("An automation is created, read, changed with If-Match, disabled, and deleted with its history")
    func life() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let made = try await ask(.post, path, out, key: "a-1")
            let again = try await ask(.post, path, out, key: "a-1")
            let id = try #require(made.body["automation_id"]?.string)
            let one = "\(path)/\(id)"

            #expect(again.body["automation_id"] == .string(id))
            #expect(try await ask(.get, path).body["total"] == 1)
            #expect(try await ask(.get, one, ifNoneMatch: "\"1\"").status == 304)
            #expect(made.body["triggers"]?.array == [["type": "presence", "change": "last_leaves"]])
            let changed = try await ask(
                .put, one,
                #"{"name":"Night","is_on":false,"triggers":[{"type":"time","at":"23:00"}],"conditions":[{"type":"home","who":"somebody"}],"actions":[{"type":"control","device_id":"hall-light","action":"off"}]}"#,
                ifMatch: "\"1\"")
            #expect(changed.status == 200 && changed.entityTag == "\"2\"" && changed.body["is_on"] == false)
            #expect(changed.body["triggers"]?.array.first?["weekdays"]?.array.count == 7)
            let stale = try await ask(.put, one, out, ifMatch: "\"1\"")
            #expect(stale.status == 412 && stale.entityTag == "\"2\"")
            #expect(try await ask(.delete, one, ifMatch: "\"1\"").status == 412)
            #expect(try await ask(.delete, one, ifMatch: "\"2\"").status == 204)
            for (method, path) in [(HTTPRequest.Method.get, one), (.get, "\(one)/history"), (.delete, one)] {
                let gone = try await ask(method, path)
                #expect(gone.status == 404 && gone.code == "automation_not_found")
            }
            #expect(try await ask(.post, "\(one)/dry-run", "{}").code == "automation_not_found")
            let kept = try await house.store.read { try Row.fetchAll($0, sql: "SELECT 1 FROM automation_runs").count }
            #expect(kept == 0)
        }
    }

    @Test(
        "An invalid automation is rejected by field",
        arguments: [
            (#"{"name":"x","actions":[]}"#, "triggers"), (#"{"name":"x","triggers":[],"actions":[]}"#, "triggers"),
            (#"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[]}"#, "actions"),
            (#"{"name":"x","triggers":[{"type":"presence","change":"party"}],"actions":[]}"#, "triggers.0.change"),
            (
                #"{"name":"x","triggers":[{"type":"state","entity_id":"lock.cellar","to":"x"}],"actions":[{"type":"notify","words":"x"}]}"#,
                "triggers.0.entity_id"
            ),
            (
                #"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"cellar","action":"on"}]}"#,
                "actions.0"
            ),
            (
                #"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"hall-light","action":"lock"}]}"#,
                "actions.0"
            ),
            (
                #"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"hall-light","action":"toggle"}]}"#,
                "actions.0.action"
            ),
            (
                #"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"hall-light","action":"set_brightness","value":101}]}"#,
                "actions.0.value"
            ),
            (
                #"{"name":"x","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"scene","scene_id":"nobodys"}]}"#,
                "actions.0"
            ),
            (#"{"name":"","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"notify","words":"x"}]}"#, "name"),
        ])
    func wrong(body: String, field: String) async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)

            let refused = try await ask(.post, path, body)

            #expect(refused.status == 400 && refused.code == "validation_error", "\(refused.body)")
            #expect(refused.body["error"]?["details"]?["field"] == .string(field))
        }
    }

    @Test("Without the settings right automations cannot be read, written or tried, and each refusal is audited")
    func roles() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let id = try #require(
                try await TestAPIClient(client: client, token: tokens.access)(.post, path, out).body["automation_id"]?.string)
            for role in ["member", "guest"] {
                let (_, others) = try await house.resident(role, role: role, by: owner)
                let ask = TestAPIClient(client: client, token: others.access)
                for (method, path, body) in [
                    (HTTPRequest.Method.get, path, nil), (.post, path, out), (.get, "\(path)/\(id)", nil), (.put, "\(path)/\(id)", out),
                    (.delete, "\(path)/\(id)", nil), (.get, "\(path)/\(id)/history", nil), (.post, "\(path)/\(id)/dry-run", "{}"),
                ] {
                    let refused = try await ask(method, path, body)
                    #expect(
                        refused.status == 403 && refused.body["error"]?["details"]?["reason"] == "role_lacks_right",
                        "\(role) \(method) \(path)")
                }
            }
            let noted = try await house.hub.activity.entries(.init(result: "refused", limit: 100), seenBy: owner).map(\.action)
            for action in [
                "automation.add", "automation.change", "automation.remove", "automation.try", "look.automations",
                "look.automations.history",
            ] {
                #expect(noted.contains(action), "\(action)")
            }
            #expect(try await house.automations.all().count == 1)
        }
    }

    @Test("Automation changes are sent as events")
    func told() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, path, out).body["automation_id"]?.string)
            _ = try await ask(.delete, "\(path)/\(id)")

            let changes = try await ask(.get, "/api/v1/changes?after=0&limit=500").body["changes"]?.array ?? []
            let mine = changes.filter { $0["type"] == "automation_update" }
            #expect(mine.count == 2 && mine.allSatisfy { $0["data"]?["automation_id"] == .string(id) })
            #expect(mine.last?["data"]?["removed"] == true)
            let actions = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner).map(\.action)
            #expect(actions.contains("automation.add") && actions.contains("automation.remove"))
        }
    }
}
