import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Testing

@Suite("Twins API", .timeLimit(.minutes(10)))
struct TwinsAPITests {
    @Test("Every device has a twin, and unconfirmed requests are pending, visible to permitted callers")
    func pending() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (_, member) = try await house.resident("Ben", role: "member", by: owner)
            let ben = TestAPIClient(client: client, token: member.access)

            let before = try await ask(.get, "/api/v1/twins")
            #expect(before.status == 200 && before.body["total"] == 4 && before.body["synchronized"] == 4)
            #expect(
                before.body["twins"]?.array.allSatisfy {
                    $0["fidelity_level"] == ($0["device_id"] == "hall-sensor" ? "expert" : "advanced")
                } == true)

            house.doorBackend.set(.silent, at: "light.hall")
            let asked = CommandRequest(
                principal: owner, target: .device(id: "hall-light", entityID: nil, verb: .setBrightness), value: 40, origin: .house)
            let command = try await house.submit(asked)

            let twin = try await ask(.get, "/api/v1/twins/twin_hall-light")
            #expect(twin.status == 200 && twin.body["sync_status"] == "syncing" && twin.body["divergence_score"] != 0)
            let wish = try #require(twin.body["pending"]?.array.first)
            #expect(wish["entity_id"] == "light.hall" && wish["action"] == "set_brightness" && wish["value"] == 40)
            #expect(wish["by"] == .string(owner.key) && twin.body["desired"]?.array.count == 1)
            #expect(twin.body["reported"]?["light.hall"]?["attributes"]?["brightness"] == 10)
            #expect(twin.body["diverging_keys"] == ["light.hall/brightness"])
            #expect(try await ask(.get, "/api/v1/twins?sync_status=syncing").body["twins"]?.array.map { $0["device_id"] } == ["hall-light"])
            // A caller who may not see a command sees the lamp's state, and nothing else.
            let bens = try await ben(.get, "/api/v1/twins/twin_hall-light")
            #expect(bens.body["pending"] == [] && bens.body["desired"] == [] && bens.body["sync_status"] == "synchronized")

            house.clock.advance(by: 11)
            _ = try await house.hub.commands.outcome(of: command)
            house.clock.advance(by: 200)
            let after = try await ask(.get, "/api/v1/twins/twin_hall-light")
            #expect(after.body["pending"] == [] && after.body["desired"] == [], "nobody waits for it any more")
        }
    }

    @Test("A confirmed command stays desired until a manual change")
    func desired() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)

            let done = try await ask(.get, "/api/v1/twins/twin_front-door")
            #expect(done.body["desired"]?.array.map { $0["action"] } == ["unlock"] && done.body["pending"] == [])
            #expect(done.body["sync_status"] == "synchronized" && done.body["desired"]?.array.first?["until"] == .null)

            house.clock.advance(by: 60)
            try await house.doorBackend.report("locked", at: "lock.front_door")
            // Events are drawn as far as the mind has read them.
            await house.mind.poll(isAsked: true)
            let turned = try await ask(.get, "/api/v1/twins/twin_front-door")
            #expect(turned.body["desired"] == [] && turned.body["sync_status"] == "synchronized")
            #expect(turned.body["history"]?["lock.front_door"]?.array.map { $0["state"] } == ["unlocked", "locked"])

            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["front-door"])
            #expect(try await ask(.get, "/api/v1/twins/twin_front-door").body["sync_status"] == "out_of_sync")
        }
    }

    @Test("Twins of another fidelity and planned ones are created, sent, audited and deleted with the right only")
    func making() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (_, member) = try await house.resident("Ben", role: "member", by: owner)
            let ben = TestAPIClient(client: client, token: member.access)

            let basic = try await ask(.post, "/api/v1/twins", #"{"device_id":"hall-light","fidelity_level":"basic"}"#)
            #expect(basic.status == 201 && basic.body["twin_id"] == "twin_hall-light" && basic.body["capabilities"] == ["reported"])
            let plan = try await ask(
                .post, "/api/v1/twins", #"{"device_id":"porch-light","config":{"name":"Porch light","kind":"light"}}"#)
            #expect(plan.status == 201 && plan.body["sync_status"] == "no_real_device")
            let shown = try await ben(.get, "/api/v1/twins/twin_porch-light")
            #expect(shown.body["name"] == "Porch light" && shown.body["type"] == "light" && shown.body["last_sync"] == .null)
            #expect(try await ben(.get, "/api/v1/twins?fidelity_level=basic").body["total"] == 1)
            #expect(try await ben(.get, "/api/v1/twins?device_id=porch-light").body["total"] == 1)

            #expect(try await ben(.post, "/api/v1/twins", #"{"device_id":"hall-light"}"#).status == 403)
            #expect(try await ben(.delete, "/api/v1/twins/twin_hall-light").status == 403)
            for (body, field) in [
                (#"{"device_id":"attic-light"}"#, "device_id"),
                (#"{"device_id":"../x","config":{"name":"X","kind":"light"}}"#, "device_id"),
                (#"{"device_id":"x","config":{"name":"X","kind":"lamp"}}"#, "config.kind"),
                (#"{"device_id":"x","config":{"name":"","kind":"light"}}"#, "config.name"),
                (#"{"device_id":"hall-light","fidelity_level":"perfect"}"#, "fidelity_level"),
                (#"{"device_id":"hall-light","config":{"name":"X","kind":"light"}}"#, "config"),
            ] {
                let bad = try await ask(.post, "/api/v1/twins", body)
                #expect(bad.status == 400 && bad.body["error"]?["details"]?["field"] == .string(field), "\(body)")
            }
            #expect(try await ask(.get, "/api/v1/twins?sync_status=odd").status == 400)
            #expect(try await ask(.get, "/api/v1/twins/twin_attic").status == 404)

            #expect(try await ask(.delete, "/api/v1/twins/twin_hall-light").status == 204)
            #expect(try await ask(.get, "/api/v1/twins/twin_hall-light").body["fidelity_level"] == "advanced", "its own twin stays")
            #expect(try await ask(.delete, "/api/v1/twins/twin_hall-light").status == 409)
            #expect(try await ask(.delete, "/api/v1/twins/twin_porch-light").status == 204)
            #expect(try await ask(.get, "/api/v1/twins/twin_porch-light").status == 404)
            let told = try await house.store.read { db in
                try Row.fetchAll(db, sql: "SELECT subject FROM journal WHERE kind = 'twin_changed' ORDER BY seq").map { $0[0] as String }
            }
            #expect(told == ["twin_hall-light", "twin_porch-light", "twin_hall-light", "twin_porch-light"])
            let removals = try await ask(.get, "/api/v1/audit?action=twin.remove")
            #expect(removals.body["entries"]?.array.map { $0["result"] } == ["done", "done", "refused"])
        }
    }

    @Test("An expert twin shows the thermal constants of its room, or why they are unknown")
    func thermal() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await HeatedRoomFixture.install(house, by: owner)
            for device in ["living-heater", "hall-sensor"] {
                #expect(try await ask(.post, "/api/v1/twins", #"{"device_id":"\#(device)","fidelity_level":"expert"}"#).status == 201)
            }

            let twin = try await ask(.get, "/api/v1/twins/twin_living-heater")
            let thermal = try #require(twin.body["thermal"])
            #expect(thermal["room_id"] == "living-room" && twin.body["thermal_problem"] == .null)
            #expect(twin.body["capabilities"]?.array.contains("prediction") == true)
            // In kilowatt-hours per hour: one of them is half of full heating.
            let perKilowatt = HeatedRoomFixture.rate / HeatedRoomFixture.kilowatts
            for (name, truth) in [("time_constant", HeatedRoomFixture.tau), ("heating_rate", perKilowatt)] {
                let value = try #require(thermal[name]?["value"]?.number)
                #expect(abs(value - truth) < 0.06 * truth, "\(name) \(value)")
            }
            let low = try #require(thermal["time_constant"]?["low"]?.number)
            let high = try #require(thermal["time_constant"]?["high"]?.number)
            #expect(low < high && high < 2 * low)
            #expect(thermal["measured"]?.array.count == 48 && (thermal["fitted"]?.array.count ?? 0) > 40)
            #expect(thermal["forecast"]?.array.count == 24)
            #expect(thermal["forecast"]?.array.allSatisfy { ($0["low"]?.number ?? 9) < ($0["high"]?.number ?? 0) } == true)
            #expect((thermal["one_step_error"]?.number ?? 1) < 0.3)

            let other = try await ask(.get, "/api/v1/twins/twin_hall-sensor")
            #expect(other.body["thermal"] == .null && other.body["thermal_problem"]?.string?.contains("no room") == true)
        }
    }
}
