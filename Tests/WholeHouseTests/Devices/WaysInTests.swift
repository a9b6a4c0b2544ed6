import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Relays marked as entry points", .timeLimit(.minutes(10)))
struct WaysInTests {
    private func relay(_ house: TestHouse) -> Device {
        Device(
            id: "relay", name: "Garage", deviceClass: .appliance, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
            entities: [
                Entity(id: "switch.relay", kind: .switch, name: "Relay", verbs: [.on, .off]),
                Entity(id: "switch.child_lock", kind: .switch, name: "Child lock", category: .config, verbs: [.on, .off]),
                Entity(id: "sensor.relay", kind: .sensor, name: "Signal", category: .diagnostic, verbs: []),
            ])
    }

    private let mark = "/api/v1/devices/relay/entities/switch.relay/way-in"

    private func isMarked(_ house: TestHouse) -> Bool {
        house.hub.devices.device("relay")?.entities.first { $0.id == "switch.relay" }?.opensWayIn == true
    }

    private func entity(_ id: String, in device: JSONValue) -> JSONValue? {
        device["entities"]?.array.first { $0["entity_id"] == .string(id) }
    }

    @Test("The entry point mark is proposed by name, set freely, and removed only with a step-up")
    func life() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await house.hub.devices.announce(self.relay(house))
            house.clock.advance(by: StepUp.validity + 1)

            let before = try await ask(.get, "/api/v1/devices/relay").body
            #expect(self.entity("switch.relay", in: before)?["proposes_way_in"] == true)
            #expect(self.entity("switch.child_lock", in: before)?["proposes_way_in"] == false)
            #expect(self.entity("switch.child_lock", in: before)?["entity_category"] == "config")
            #expect(self.entity("sensor.relay", in: before)?["opens_way_in"] == nil)

            let marked = try await ask(.put, self.mark)
            #expect(marked.status == 200)
            let relay = try #require(self.entity("switch.relay", in: marked.body))
            #expect(relay["opens_way_in"] == true && relay["is_way_in"] == true && relay["proposes_way_in"] == false)
            #expect(relay["actions"]?.array.allSatisfy { $0["risk"] == "open" } == true)
            #expect(self.isMarked(house))

            let early = try await ask(.delete, self.mark)
            #expect(early.status == 403 && early.code == "step_up_required")
            let password = #"{"password":"\#(TestHouse.password.reveal())"}"#
            #expect(try await ask(.post, "/api/v1/auth/step-up", password).status == 200)
            let plain = try await ask(.delete, self.mark)
            #expect(plain.status == 200 && self.entity("switch.relay", in: plain.body)?["opens_way_in"] == false)

            #expect(try await ask(.put, "/api/v1/devices/relay/entities/sensor.relay/way-in").status == 400)
            #expect(try await ask(.put, "/api/v1/devices/relay/entities/switch.other/way-in").status == 400)
            #expect(try await ask(.put, "/api/v1/devices/nowhere/entities/switch.relay/way-in").status == 404)
        }
    }

    @Test("The entry point mark survives announcements and refuses callers without door rights")
    func stays() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ada, bea) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            try await house.hub.devices.announce(self.relay(house))
            #expect(try await ada(.put, self.mark).status == 200)
            try await house.hub.devices.withdraw(deviceID: "relay", integration: "scripted")
            var gone = self.relay(house)
            gone.entities.removeFirst()
            try await house.hub.devices.announce(gone)
            try await house.hub.devices.announce(self.relay(house))
            #expect(self.isMarked(house))

            #expect(try await ada(.patch, "/api/v1/devices/relay", #"{"is_security_device":true}"#).status == 200)
            let refused = try await bea(
                .put, "/api/v1/devices/relay/control", #"{"action":"on","entity_id":"switch.relay"}"#)
            #expect(refused.status == 403 && refused.code == "forbidden")
            let named = try await ada(.put, "/api/v1/devices/relay/control", #"{"action":"on"}"#)
            #expect(named.status == 400 && named.code == "entity_required")
        }
    }

    @Test("A door with changed wiring shows old and new topics, and a step-up confirms it as the same door")
    func changed() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ada, bea) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            func shed(_ topic: String) -> Device {
                let wiring = EntityCommandTopics(opening: ["command_topic": topic], harmless: ["payload_lock": "LOCK"], topics: [topic])
                return Device(
                    id: "shed", name: "Shed", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now,
                    entities: [Entity(id: "lock.shed", kind: .lock, name: "Shed", wiring: wiring, verbs: [.lock, .unlock])])
            }
            try await house.hub.devices.announce(shed("shed/set"))
            try await house.hub.devices.announce(shed("hut/set"))
            house.clock.advance(by: StepUp.validity + 1)

            let seen = try await ada(.get, "/api/v1/devices/shed").body
            #expect(self.entity("lock.shed", in: seen)?["way_in_standing"] == "changed")
            let ways = try await ada(.get, "/api/v1/devices/shed/ways-in")
            let way = try #require(ways.body["ways_in"]?.array.first)
            #expect(way["is_closed"] == true && way["known"]?["command_topic"] == "shed/set")
            #expect(way["changes"]?.array == [["member": "command_topic", "known": "shed/set", "announced": "hut/set"]])
            #expect(way["known"]?["payload_lock"] == "LOCK" && ways.body["answers"] == ["same-door"])
            #expect(try await bea(.get, "/api/v1/devices/shed/ways-in").status == 403)
            #expect(try await bea(.post, "/api/v1/devices/shed/ways-in/same-door", "{}").status == 403)

            let early = try await ada(.post, "/api/v1/devices/shed/ways-in/same-door", "{}")
            #expect(early.status == 403 && early.code == "step_up_required")
            let password = #"{"password":"\#(TestHouse.password.reveal())"}"#
            #expect(try await ada(.post, "/api/v1/auth/step-up", password).status == 200)
            let none = try await ada(.post, "/api/v1/devices/shed/ways-in/none", #"{"entity_ids":["lock.other"]}"#)
            #expect(none.status == 400)
            let same = try await ada(.post, "/api/v1/devices/shed/ways-in/same-door", "{}")
            #expect(same.status == 200 && self.entity("lock.shed", in: same.body)?["way_in_standing"] == nil)
        }
    }

    @Test("Among several switches the device's primary one is the entry point")
    func meant() throws {
        let now = Date(timeIntervalSince1970: 0)
        func plug(_ entities: [Entity]) -> Device {
            Device(id: "plug", name: "Plug", deviceClass: .appliance, integration: "mqtt", stateChangedAt: now, entities: entities)
        }
        func part(_ id: String, _ name: String, _ category: EntityCategory? = nil) -> Entity {
            Entity(id: id, kind: .switch, name: name, category: category, verbs: [.on, .off])
        }
        let config = part("switch.child_lock", "Child lock", .config)

        #expect(try DeviceAction.target(.off, on: nil, of: plug([config, part("switch.plug", "Plug")])).entity.id == "switch.plug")
        let strip = [part("switch.l1", "L1"), part("switch.all", "Plug"), config]
        #expect(try DeviceAction.target(.off, on: nil, of: plug(strip)).entity.id == "switch.all")
        #expect(throws: DeviceAction.ActionError.ambiguous(["switch.l1", "switch.l2"])) {
            try DeviceAction.target(.off, on: nil, of: plug([part("switch.l1", "L1"), part("switch.l2", "L2")]))
        }
    }
}
