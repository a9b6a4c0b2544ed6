import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Registry of announced devices")
struct DiscoveryRegistryTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func announce(_ roster: inout DiscoveryRegistry, _ config: String, at topic: String) throws {
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic(topic, prefix: "homeassistant")))
    }

    @Test("A lock appears under its announced name and is removed by a withdrawal")
    func comesAndGoes() throws {
        var roster = DiscoveryRegistry()

        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        let arrival = roster.collectChanges(at: now)
        let device = try #require(arrival.announced.first)
        #expect(device.id == "back-door")
        #expect(device.name == "Back Door")
        #expect(device.integration == "mqtt")
        #expect(device.deviceClass == .security)
        #expect(device.manufacturer == "Acme")
        #expect(device.attributes["mqtt_identifier"] == "lock-7")
        #expect(device.entities.map(\.id) == ["lock.back_door"])
        #expect(arrival.subscribe == ["home/back_door/available", "home/back_door/state"])

        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        let again = roster.collectChanges(at: now)
        #expect(again.announced.isEmpty && again.subscribe.isEmpty)

        try announce(&roster, "", at: AnnouncedLock.topic)
        let departure = roster.collectChanges(at: now)
        #expect(departure.withdrawn == ["back-door"])
        #expect(departure.unsubscribe == ["home/back_door/available", "home/back_door/state"])
        #expect(roster.entityCount == 0)
    }

    @Test("A device reports the device through which it is connected")
    func bridged() throws {
        var roster = DiscoveryRegistry()
        let bridge = "{\"cmd_t\": \"a\", \"uniq_id\": \"1\", \"name\": null, \"dev\": {\"ids\": \"bridge-1\", \"name\": \"Bridge\"}}"
        let lamp =
            "{\"cmd_t\": \"b\", \"uniq_id\": \"2\", \"name\": null, \"dev\": {\"ids\": \"x\", \"name\": \"Lamp\", \"via_device\": \"bridge-1\"}}"

        try announce(&roster, bridge, at: "homeassistant/switch/bridge/config")
        try announce(&roster, lamp, at: "homeassistant/switch/lamp/config")
        let found = roster.collectChanges(at: now).announced

        #expect(found.map(\.hubID) == [nil, "bridge"])
        #expect(found.map(\.discovery) == ["mqtt_discovery", "mqtt_discovery"])
    }

    @Test(
        "A lamp announced with another white range loses its earlier range",
        arguments: [
            (#""clr_temp_cmd_t": "t""#, "ON"), (#""schema": "json", "sup_clrm": ["color_temp"]"#, #"{"state": "ON"}"#),
        ])
    func whites(lamp: String, word: String) throws {
        var roster = DiscoveryRegistry()
        func told(_ bounds: String) throws -> [JSONValue?] {
            let device = #""uniq_id": "1", "name": null, "dev": {"ids": "x", "name": "Lamp"}"#
            let config = #"{"cmd_t": "c", "stat_t": "s", \#(device), \#(lamp)\#(bounds)}"#
            try announce(&roster, config, at: "homeassistant/light/lamp/config")
            _ = roster.collectChanges(at: now)
            let report = try #require(
                roster.receive(IncomingMessage(topic: "s", payload: Array(word.utf8)), isFresh: true).first, "\(roster.problems)")
            return [report.state.attributes[EntityState.warmestWhite], report.state.attributes[EntityState.coldestWhite]]
        }

        let both = try told(#", "min_k": 2200, "max_k": 4000"#)
        let one = try told(#", "max_k": 6500"#)
        let none = try told("")

        #expect(both == [2200, 4000] && one == [nil, 6500] && none == [nil, nil])
    }

    @Test("A broken announcement is noted, and the earlier device remains")
    func broken() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)

        try announce(&roster, "{\"cmd_t\": ", at: AnnouncedLock.topic)

        #expect(roster["lock.back_door"] != nil)
        #expect(roster.problems[AnnouncedLock.topic]?.contains("not JSON") == true)
    }

    @Test("Two doors of one name keep their two ids after a restart in either order")
    func twins() throws {
        let one = #"{"uniq_id": "a", "cmd_t": "a", "dev": {"ids": ["a"], "name": "Door"}}"#
        let other = #"{"uniq_id": "b", "cmd_t": "b", "dev": {"ids": ["b"], "name": "Door"}}"#
        func house(_ configs: [(String, String)], known: [Device] = []) throws -> [Device] {
            var roster = DiscoveryRegistry(names: IDAllocator(known: known))
            for (name, config) in configs { try announce(&roster, config, at: "homeassistant/lock/\(name)/config") }
            return roster.collectChanges(at: now).announced
        }
        func ids(_ devices: [Device]) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: devices.compactMap { device in
                    device.attributes[MQTTIntegration.identifierAttribute]?.string.map { ($0, device.id) }
                })
        }

        let before = try house([("a", one), ("b", other)])
        let first = ids(before)
        let second = ids(try house([("b", other), ("a", one)], known: before))

        #expect(first["a"] == "door")
        #expect(first["b"]?.hasPrefix("door-") == true)
        #expect(second == first)
    }

    @Test("Two locks of one device and one name keep their ids after a restart, in any order and by any name")
    func twinsInOne() throws {
        func config(_ key: String, name: String) -> String {
            #"{"uniq_id": "\#(key)", "cmd_t": "\#(key)", "name": "\#(name)", "dev": {"ids": ["gate"], "name": "Gate"}}"#
        }
        func house(_ configs: [(String, String)], known: [Device] = []) throws -> Device {
            var roster = DiscoveryRegistry(names: IDAllocator(known: known))
            for (name, config) in configs { try announce(&roster, config, at: "homeassistant/lock/\(name)/config") }
            return try #require(roster.collectChanges(at: now).announced.last)
        }

        let before = try house([("a", config("a", name: "Bolt")), ("b", config("b", name: "Bolt"))])
        let after = try house([("b", config("b", name: "Lower bolt")), ("a", config("a", name: "Bolt"))], known: [before])

        let ids = before.entities.map(\.id)
        #expect(ids.count == 2 && ids[0] == "lock.gate_bolt" && ids[1].hasPrefix("lock.gate_bolt_"))
        // A pass for the upper bolt that opens the lower one after a restart would be the worst fault.
        #expect(after.entities.map(\.id) == [ids[1], ids[0]])
    }

    @Test("An id already used by another device is released, and the device's other ids stay")
    func givenUp() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        let before = try #require(roster.collectChanges(at: now).announced.first)

        roster.release("lock.back_door")
        let renamed = try #require(roster.collectChanges(at: now).announced.first)
        roster.release(before.id)
        let moved = roster.collectChanges(at: now)

        #expect(renamed.id == before.id && renamed.entities.first?.id.hasPrefix("lock.back_door_") == true)
        #expect(moved.announced.first?.id.hasPrefix("back-door-") == true && moved.withdrawn == [before.id])
        #expect(moved.announced.first?.entities.count == 1)
    }

    @Test("An id used by another integration is not reused")
    func reserved() throws {
        var roster = DiscoveryRegistry(names: IDAllocator(reserved: ["back-door", "lock.back_door"]))

        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)

        let device = try #require(roster.collectChanges(at: now).announced.first)
        #expect(device.id.hasPrefix("back-door-"))
        #expect(device.entities.first?.id.hasPrefix("lock.back_door_") == true)
    }

    @Test("Entities are named after their device without repeating its name")
    func entityNames() throws {
        var roster = DiscoveryRegistry()
        let device = #""dev": {"ids": ["x"], "name": "Back Door"}"#
        try announce(&roster, "{\"cmd_t\": \"a\", \"uniq_id\": \"1\", \(device)}", at: "homeassistant/lock/a/config")
        try announce(
            &roster, "{\"stat_t\": \"a\", \"uniq_id\": \"2\", \"name\": \"Battery\", \(device)}", at: "homeassistant/sensor/b/config")
        try announce(
            &roster, "{\"stat_t\": \"a\", \"uniq_id\": \"3\", \"name\": \"Back Door Contact\", \(device)}",
            at: "homeassistant/binary_sensor/c/config")
        try announce(&roster, "{\"stat_t\": \"a\", \"name\": \"Дверь\"}", at: "homeassistant/sensor/d/config")

        let devices = roster.collectChanges(at: now).announced
        #expect(
            devices.first { $0.id == "back-door" }?.entities.map(\.id)
                == ["lock.back_door", "sensor.back_door_battery", "binary_sensor.back_door_contact"])
        #expect(devices.contains { $0.name == "Дверь" })
    }

    @Test("Two announcements of one unique id are one entity, and the second takes over when the first goes")
    func heirs() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, #"{"uniq_id": "u", "cmd_t": "first"}"#, at: "homeassistant/switch/a/config")
        try announce(&roster, #"{"uniq_id": "u", "cmd_t": "second"}"#, at: "homeassistant/switch/b/config")
        #expect(roster.entityCount == 1)
        #expect(roster.problems.count == 1)

        try announce(&roster, "", at: "homeassistant/switch/a/config")

        let entity = try #require(roster.collectChanges(at: now).announced.first?.entities.first)
        let telegrams = roster[entity.id]?.entity.mapping.commandMessages(for: .on, value: nil, transition: nil, in: EntityState())
        #expect(telegrams == [CommandMessage(topic: "second", payload: "ON")])
        #expect(roster.problems.isEmpty)
    }

    @Test("The registry holds at most two thousand entities")
    func flood() throws {
        var roster = DiscoveryRegistry()
        for number in 0..<(DiscoveryRegistry.entityLimit + 50) {
            try announce(&roster, #"{"cmd_t": "c", "name": "n\#(number)"}"#, at: "homeassistant/switch/n\(number)/config")
        }

        #expect(roster.entityCount == DiscoveryRegistry.entityLimit)
        #expect(roster.isFull)
    }

    @Test("A re-announced entity keeps its reported state")
    func renewed() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        _ = roster.receive(IncomingMessage(topic: "home/back_door/state", payload: Array("LOCKED".utf8)), isFresh: true)

        try announce(&roster, AnnouncedLock.config.replacing("L1", with: "L2"), at: AnnouncedLock.topic)

        #expect(roster["lock.back_door"]?.state.value == "locked")
        #expect(roster.collectChanges(at: now).announced.first?.model == "L2")
    }

    @Test("A later subscriber of a topic also gets its retained message")
    func lateListener() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, #"{"name": "A", "stat_t": "shared"}"#, at: "homeassistant/sensor/a/config")
        #expect(roster.collectChanges(at: now).subscribe == ["shared"])

        try announce(&roster, #"{"name": "B", "stat_t": "shared"}"#, at: "homeassistant/sensor/b/config")

        #expect(roster.collectChanges(at: now).subscribe == ["shared"])
        #expect(roster.collectChanges(at: now).subscribe.isEmpty)
        #expect(
            roster.receive(IncomingMessage(topic: "shared", payload: [0x31]), isFresh: false).map(\.entityID) == ["sensor.a", "sensor.b"])
    }
}
