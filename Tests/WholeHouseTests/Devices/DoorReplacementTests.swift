import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Lock replacement", .timeLimit(.minutes(10)))
struct DoorReplacementTests {
    private static let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x41])
    private let path = "/api/v1/devices/back-door/replace"
    private let lock = #"{"entity_id":"lock.back_door","replaces":"lock.front_door"}"#

    /// A tag that proves its touches and unlocks the front door, and its chip.
    private func chip(_ ask: TestAPIClient) async throws -> SoftwareTag {
        let button = try await ask(
            .post, "/api/v1/buttons", #"{"title":"Open","action":{"device_id":"front-door","action":"unlock"}}"#)
        let id = try #require(button.body["button_id"]?.string)
        let made = try await ask(
            .post, "/api/v1/tags", #"{"kind":"sun","button_id":"\#(id)","uid":"\#(Hexadecimal.encode(Self.uid))"}"#)
        let (meta, file) = (try #require(made.body["meta_key"]?.string), try #require(made.body["file_key"]?.string))
        return SoftwareTag(uid: Self.uid, meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)))
    }

    private func tap(_ ask: TestAPIClient, _ url: String) async throws -> JSONValue {
        try await ask(.post, "/api/v1/tags/tap", #"{"url":"\#(url)","confirm":true}"#).body
    }

    @Test("Passes, tags, automations and scenes of the replaced lock work with the new one, as does the old id")
    func replaced() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            var chip = try await self.chip(ask)
            #expect(try await self.tap(ask, chip.touch())["accepted"] == true)
            let rule = """
                {"name":"Light","triggers":[{"type":"state","entity_id":"lock.front_door","to":"unlocked"}],
                "conditions":[{"type":"not","condition":{"type":"state","entity_id":"lock.front_door","is":"jammed"}}],
                "actions":[{"type":"control","device_id":"hall-light","action":"on"}]}
                """
            #expect(try await ask(.post, "/api/v1/automations", rule).status == 201)
            let scene = #"{"name":"Night","actions":[{"device_id":"front-door","action":"lock"}]}"#
            #expect(try await ask(.post, "/api/v1/scenes", scene).status == 201)
            #expect(try await ask(.patch, "/api/v1/devices/front-door", #"{"is_security_device":true}"#).status == 200)
            await house.runMind()
            for action in ["unlock", "lock"] {
                house.clock.advance(by: 10)
                let asked = try await ask(.put, "/api/v1/devices/back-door/control", #"{"action":"\#(action)"}"#)
                #expect(asked.status == 200)
                await house.runMind()
            }
            let none = try await ask(.get, "/api/v1/devices/back-door/replaceable")
            #expect(none.status == 200 && none.body["doors"]?.array.isEmpty == true)
            let there = try await ask(.post, self.path, self.lock)
            #expect(there.status == 409 && there.code == "conflict")

            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["front-door"])
            let doors = try await ask(.get, "/api/v1/devices/back-door/replaceable").body["doors"]?.array ?? []
            #expect(doors.map { $0["entity_id"] } == ["lock.front_door"])
            #expect(doors.first?["passes"] == 1 && doors.first?["candidates"] == ["lock.back_door"])
            let answer = try await ask(.post, self.path, self.lock)
            #expect(answer.status == 200)
            #expect(answer.body["device"]?["device_id"] == "back-door" && answer.body["device"]?["is_security_device"] == true)
            #expect(
                ["passes", "buttons", "tags", "automations", "scenes", "programs"].map { answer.body[$0] } == [1, 1, 1, 1, 1, 0])
            await house.runMind()
            house.clock.advance(by: 10)

            let moved = house.doorBackend.backendCommands.count
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
            await house.runMind()
            #expect(try await ask(.put, "/api/v1/devices/back-door/control", #"{"action":"lock"}"#).status == 200)
            house.clock.advance(by: 5)
            #expect(try await self.tap(ask, chip.touch())["accepted"] == true)
            try await waitUntil { house.doorBackend.backendCommands.count == moved + 4 }
            #expect(
                house.doorBackend.backendCommands.dropFirst(moved).map(\.entityID) == [
                    "lock.back_door", "light.hall", "lock.back_door", "lock.back_door",
                ])
            let named = try await ask(
                .put, "/api/v1/devices/front-door/control", #"{"action":"lock","entity_id":"lock.front_door"}"#)
            #expect(named.status == 200 && named.body["entity_id"] == "lock.back_door")
            let history = try await ask(.get, "/api/v1/activity?device_id=back-door").body["entries"]?.array ?? []
            #expect(history.contains { $0["action"] == "device.replace" })
            #expect(history.contains { $0["action"] == "tag.tap" })
            let written = try await ask(.post, "/api/v1/automations", rule.replacingOccurrences(of: "Light", with: "Lamp"))
            #expect(written.status == 201)
            #expect(written.body["triggers"]?.array.first?["entity_id"] == "lock.back_door")
        }
    }

    @Test("A replacement must be a lock with every used action, and needs a step-up")
    func refused() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            _ = try await house.guest(house.draft(), by: owner)
            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")
            let bolt = Entity(id: "lock.bolt", kind: .lock, name: "Bolt", verbs: [.lock])
            try await house.hub.devices.announce(
                Device(
                    id: "bolt", name: "Bolt", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [bolt]))

            let bolted = try await ask(
                .post, "/api/v1/devices/bolt/replace", #"{"entity_id":"lock.bolt","replaces":"lock.front_door"}"#)
            #expect(bolted.status == 409 && bolted.body["error"]?["details"]?["actions"]?.array.count == 1)
            let lamp = try await ask(
                .post, "/api/v1/devices/hall-light/replace", #"{"entity_id":"light.hall","replaces":"lock.front_door"}"#)
            #expect(lamp.status == 409)
            let nothing = try await ask(.post, self.path, #"{"entity_id":"lock.back_door","replaces":"lock.nowhere"}"#)
            #expect(nothing.status == 400)
            #expect(try await ask(.post, self.path, #"{"entity_id":"lock.bolt","replaces":"lock.front_door"}"#).status == 400)
            #expect(try await ask(.post, self.path, #"{"entity_id":"lock.back_door","replaces":"lock.back_door"}"#).status == 400)
            house.clock.advance(by: StepUp.validity + 1)
            #expect(try await ask(.post, self.path, self.lock).code == "step_up_required")
        }
    }
}
