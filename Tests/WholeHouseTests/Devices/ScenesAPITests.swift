import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Batch control and scenes API", .timeLimit(.minutes(10)))
struct ScenesAPITests {
    @Test("A batch is answered per item, under any accepted key name", arguments: HubTransport.allCases)
    func batch(harness: HubTransport) async throws {
        try await harness.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            house.doorBackend.set(.jams, at: "lock.back_door")
            let body = """
                {"devices":[{"device_id":"front-door","action":"unlock"},{"id":"back-door","action":"unlock"},
                {"deviceId":"hall-light","action":"set_brightness","value":101},{"device_id":"hall-light","action":"toggle"},
                {"device_id":"cellar","action":"on"}]}
                """

            let answer = try await ask(.post, "/api/v1/devices/batch-control", body, key: "b-1")
            let again = try await ask(.post, "/api/v1/devices/batch-control", body, key: "b-1")

            #expect(answer.status == 200 && answer.body["batch_id"]?.string?.hasPrefix("batch_") == true)
            let results = answer.body["results"]?.array ?? []
            #expect(results.map { $0["status"] } == ["confirmed", "failed", "refused", "refused", "refused"])
            #expect(
                results.map { $0["code"] } == [
                    nil, "action_execution_failed", "validation_error", "unsupported_action", "device_not_found",
                ])
            #expect(results[2]["message"]?.string?.contains("0 to 100") == true)
            #expect(results[0]["new_state"]?["state"] == "unlocked" && results[0]["command_id"] != nil)
            #expect(again.body["batch_id"] == answer.body["batch_id"] && again.headers[.init("Idempotent-Replayed") ?? .accept] == "true")
            #expect(house.doorBackend.backendCommands.count == 2)
            let reused = try await ask(
                .post, "/api/v1/devices/batch-control", #"{"devices":[{"id":"hall-light","action":"on"}]}"#, key: "b-1")
            #expect(reused.status == 422)
            for bad in [
                "{}", #"{"devices":[]}"#, #"{"devices":[{"action":"on"}]}"#, #"{"devices":[{"id":"a","device_id":"b","action":"on"}]}"#,
                #"{"devices":[{"id":"a","action":"on","force":true}]}"#, #"{"devices":[{"id":"a","action":"on","transition_time":-1}]}"#,
                #"{"devices":[{"id":"a","action":"set_tilt","value":1},{"id":"a","action":"set_tilt","value":2}]}"#,
            ] {
                let refused = try await ask(.post, "/api/v1/devices/batch-control", bad)
                #expect(refused.status == 400 && refused.code == "validation_error", "\(bad) \(refused.body)")
            }
            house.doorBackend.set(.silent, at: "lock.front_door")
            let later = try await ask(
                .post, "/api/v1/devices/batch-control", #"{"devices":[{"id":"front-door","action":"lock"}]}"#, prefer: "respond-async")
            #expect(later.status == 202 && later.body["results"]?.array.first?["status"] == "dispatching")
        }
    }

    @Test("A scene is created, read, changed with If-Match, run and deleted")
    func life() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let night = """
                {"name":"Good night","icon":"🌙","actions":[{"device_id":"front-door","action":"lock"},
                {"device_id":"hall-light","action":"off","transition_time":1500}]}
                """

            let made = try await ask(.post, "/api/v1/scenes", night, key: "s-1")
            let again = try await ask(.post, "/api/v1/scenes", night, key: "s-1")
            let id = try #require(made.body["scene_id"]?.string)
            let path = "/api/v1/scenes/\(id)"

            #expect(made.status == 201 && made.entityTag == "\"1\"" && made.body["version"] == 1 && again.body["scene_id"] == .string(id))
            #expect(made.body["actions"]?.array.last?["transition_time"] == 1500)
            #expect(try await ask(.get, "/api/v1/scenes").body["total"] == 1)
            #expect(try await ask(.get, path, ifNoneMatch: "\"1\"").status == 304)
            let ran = try await ask(.post, path + "/run")
            #expect(ran.status == 200 && ran.body["results"]?.array.map { $0["status"] } == ["confirmed", "confirmed"])
            #expect(house.doorBackend.backendCommands.first { $0.deviceID == "hall-light" }?.transition == 1.5)
            let changed = try await ask(
                .put, path, #"{"name":"Night","actions":[{"id":"hall-light","action":"off"}]}"#, ifMatch: "\"1\"")
            #expect(changed.status == 200 && changed.entityTag == "\"2\"" && changed.body["icon"] == .null)
            let stale = try await ask(.put, path, night, ifMatch: "\"1\"")
            #expect(stale.status == 412 && stale.code == "precondition_failed" && stale.entityTag == "\"2\"")
            #expect(stale.body["error"]?["details"]?["current"]?["name"] == "Night")
            #expect(try await ask(.delete, path, ifMatch: "\"1\"").status == 412)
            #expect(try await ask(.delete, path, ifMatch: "\"9\", \"2\"").status == 204)
            let gone = try await ask(.get, path)
            #expect(gone.status == 404 && gone.code == "scene_not_found")
            #expect(try await ask(.post, path + "/run").status == 404)
        }
    }

    @Test("An invalid scene is rejected with the place of the error")
    func refused() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for (body, field) in [
                (#"{"name":" ","actions":[{"id":"hall-light","action":"on"}]}"#, "name"),
                (#"{"name":"A","icon":"\u202e","actions":[{"id":"hall-light","action":"on"}]}"#, "icon"),
                (#"{"name":"A","actions":[]}"#, "actions"),
                (#"{"name":"A","actions":[{"id":"hall-light","action":"on"},{"id":"cellar","action":"on"}]}"#, "actions.1"),
                (#"{"name":"A","actions":[{"id":"hall-light","action":"unlock"}]}"#, "actions.0"),
                (#"{"name":"A","actions":[{"id":"hall-light","action":"toggle"}]}"#, "actions.0"),
                (#"{"name":"A","actions":[{"id":"hall-light","action":"set_brightness","value":"much"}]}"#, "actions.0"),
            ] {
                let answer = try await ask(.post, "/api/v1/scenes", body)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["field"] == .string(field), "\(answer.body)")
            }

            let (_, member) = try await house.resident("Ben", role: "member", by: owner)
            let ben = TestAPIClient(client: client, token: member.access)
            let door = #"{"name":"Home","actions":[{"id":"front-door","action":"unlock"},{"id":"hall-light","action":"on"}]}"#
            let forbidden = try await ben(.post, "/api/v1/scenes", door)
            #expect(forbidden.status == 403 && forbidden.body["error"]?["details"]?["reason"] == "role_lacks_right")

            // A scene gives its runner no extra permission.
            let id = try #require(try await ask(.post, "/api/v1/scenes", door).body["scene_id"]?.string)
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let ran = try await ben(.post, "/api/v1/scenes/\(id)/run")
            let results = ran.body["results"]?.array ?? []
            #expect(ran.status == 200 && results.map { $0["status"] } == ["refused", "confirmed"])
            #expect(results.first?["details"]?["reason"] == "security_device")
            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["hall-light"])
            let entries = try await house.hub.activity.entries(.init(), seenBy: owner).map(\.action)
            #expect(entries.contains("scene.add"))
        }
    }
}
