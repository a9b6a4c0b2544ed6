import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHomeAssistant

@Suite("Rings and detections from Home Assistant", .timeLimit(.minutes(5)))
struct HomeAssistantDetectionTests {
    private static let at = "2026-11-22T15:00:00.120+00:00"

    private func occurrence(_ text: String) throws -> HomeAssistantDetection? {
        let message = try #require(JSONValue.read(Array(text.utf8)))
        return HomeAssistantDetection(event: try #require(message["event"]))
    }

    @Test(
        "A doorbell event is a ring under any name, and a detection has the type of its name",
        arguments: [
            ("doorbell", "ring", "ring"), ("doorbell", "doorbell_chime", "ring"), ("doorbell", "single_press", "ring"),
            ("motion", "motion", "motion"), ("motion", "camera_person", "person"), ("motion", "vehicle_detected", "vehicle"),
            ("motion", "wind", "motion"),
        ])
    func kinds(deviceClass: String, word: String, type: String) throws {
        let seen = try occurrence(DoorbellMessages.event(Self.at, was: "unknown", deviceClass: deviceClass, word: word))

        #expect(seen?.type.rawValue == type && seen?.name == "Front bell" && seen?.stamp == Self.at)
    }

    @Test(
        "Past states cause no event",
        arguments: [
            DoorbellMessages.event(at, was: at), DoorbellMessages.event("unavailable", was: at),
            DoorbellMessages.event("unknown", was: "unavailable"),
            DoorbellMessages.event("2026-11-22T14:59:40.000+00:00", was: "unavailable"),
            DoorbellMessages.event("2026-11-22T15:00:30.000+00:00", was: at),
            DoorbellMessages.event(at, was: "unknown", deviceClass: "button"), DoorbellMessages.event("yesterday", was: at),
            DoorbellMessages.event("", was: at),
            DoorbellMessages.event(at, was: "unknown", id: "event.Front/bell"), DoorbellMessages.sensor("on", was: "on"),
            DoorbellMessages.sensor("on", was: "unavailable"),
            DoorbellMessages.sensor("off", was: "on"),
            DoorbellMessages.sensor("on", was: "off", id: "binary_sensor.doorbell_person_occupancy"),
            DoorbellMessages.sensor("on", was: "off", deviceClass: "battery"),
        ])
    func past(text: String) throws {
        #expect(try occurrence(text) == nil)
    }

    @Test(
        "A doorbell binary sensor rings when it turns on",
        arguments: ["binary_sensor.front_doorbell", "binary_sensor.doorbell", "binary_sensor.porch_ding", "binary_sensor.cam_visitor"])
    func sensors(id: String) throws {
        #expect(try occurrence(DoorbellMessages.sensor("on", was: "off", id: id))?.type == .ring)
    }

    @Test("Damaged messages cause no crash")
    func fuzz() throws {
        var random = SeededGenerator.forTest(1)
        let corpus = [DoorbellMessages.event(Self.at, was: "unknown"), DoorbellMessages.sensor("on", was: "off")].map { Array($0.utf8) }
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            guard var bytes = corpus.randomElement(using: &random) else { return }
            for _ in 0...2 { bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random) }
            guard let event = JSONValue.read(bytes)?["event"], let seen = HomeAssistantDetection(event: event) else { continue }
            #expect(
                seen.name.count <= Name.limit && seen.entityID.utf8.count <= 255 && seen.stamp.utf8.count <= 40, "seed \(random.seed)")
        }
    }

    @Test("A ring is reported once with its device's camera, also if it is repeated after a reconnection")
    func once() async throws {
        let fake = FakeHomeAssistant()
        fake.registry.change { $0 = DoorbellMessages.registry }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await house.health("it is connected") { $0.status == .connected }
                let ring = DoorbellMessages.event(Self.at, was: "unknown")

                fake.lines.now.last?.send(ring)
                fake.lines.now.last?.send(DoorbellMessages.event(Self.at, was: "unknown", id: "event.hidden"))
                let told = try await house.events.log.waitUntil("it is told") { !$0.sightings.isEmpty }.sightings
                let lines = fake.lines.now.count
                fake.lines.now.last?.close()
                try await fake.lines.waitUntil("it is back") { $0.count > lines }
                try await house.health("it is connected again") { $0.status == .connected }
                fake.lines.now.last?.send(DoorbellMessages.event(Self.at, was: "unavailable", firedAt: "2026-11-22T15:01:00.000000+00:00"))
                fake.lines.now.last?.send(
                    DoorbellMessages.event("2026-11-22T15:02:00.500+00:00", was: Self.at, firedAt: "2026-11-22T15:02:00.500321+00:00"))
                let all = try await house.events.log.waitUntil("the next one is told") { $0.sightings.count > 1 }.sightings

                #expect(
                    told.first?.id == "event.front_bell \(Self.at)" && told.first?.type == .ring && told.first?.source == "home-assistant")
                #expect(told.first?.camera == IntegrationCamera(kind: .homeAssistant, name: "camera.front"))
                #expect(told.first?.deviceID == "front", "the device of the bell is known by its other entities")
                #expect(
                    told.first?.pictureEndpoint?.target == "/api/camera_proxy/camera.front"
                        && told.first?.pictureEndpoint?.token?.reveal() == "a-long-token")
                #expect(all.map(\.id) == ["event.front_bell \(Self.at)", "event.front_bell 2026-11-22T15:02:00.500+00:00"])
            }
        }
    }
}

/// Home Assistant's messages when a doorbell rings.
enum DoorbellMessages {
    static func event(
        _ state: String, was: String, id: String = "event.front_bell", deviceClass: String = "doorbell", word: String = "ring",
        firedAt: String = "2026-11-22T15:00:00.120734+00:00"
    ) -> String {
        #"""
        {"type": "event", "id": 2, "event": {"event_type": "state_changed", "time_fired": "\#(firedAt)", "data": {"entity_id": "\#(id)",
        "old_state": {"entity_id": "\#(id)", "state": "\#(was)"}, "new_state": {"entity_id": "\#(id)", "state": "\#(state)",
        "attributes": {"event_types": ["\#(word)"], "event_type": "\#(word)", "device_class": "\#(deviceClass)",
        "friendly_name": "Front bell"}}}}}
        """#
    }

    static func sensor(
        _ state: String, was: String, id: String = "binary_sensor.front_doorbell", deviceClass: String = "occupancy"
    ) -> String {
        #"""
        {"type": "event", "id": 2, "event": {"event_type": "state_changed", "time_fired": "2026-11-22T15:00:00.120734+00:00",
        "data": {"entity_id": "\#(id)", "old_state": {"state": "\#(was)"}, "new_state": {"entity_id": "\#(id)", "state": "\#(state)",
        "last_changed": "2026-11-22T15:00:00.120700+00:00", "attributes": {"device_class": "\#(deviceClass)"}}}}}
        """#
    }

    /// A bell with a camera and a battery, and a hidden bell.
    static let registry = [
        "config/device_registry/list": #"[{"id": "d1", "name": "Front", "identifiers": []}]"#,
        "config/entity_registry/list": #"""
        [{"entity_id": "event.front_bell", "id": "1", "device_id": "d1"}, {"entity_id": "camera.front", "id": "2", "device_id": "d1"},
         {"entity_id": "sensor.front_battery", "id": "3", "device_id": "d1"},
         {"entity_id": "event.hidden", "id": "4", "hidden_by": "user"}]
        """#,
        "get_states": #"""
        [{"entity_id": "sensor.front_battery", "state": "80", "attributes": {}},
         {"entity_id": "event.front_bell", "state": "2026-11-22T14:00:00.000+00:00", "attributes": {"device_class": "doorbell"}}]
        """#,
    ]
}
