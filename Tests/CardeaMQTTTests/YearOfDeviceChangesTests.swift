import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

/// A house with Zigbee2MQTT and no broker: its announcements go to a registry, and from there to the hub.
private struct ZigbeeHouse {
    let house: TestHouse
    var roster = DiscoveryRegistry()
    /// The devices withdrawn since the last call.
    var withdrawn: [String] = []

    /// A lock as Zigbee2MQTT announces it.
    struct Lock {
        let address: String
        var name: String
        var base = "zigbee2mqtt"

        var topic: String { "homeassistant/lock/\(address)/lock/config" }

        var config: String {
            """
            {"availability": [{"topic": "\(base)/bridge/state", "value_template": "{{ value_json.state }}"}], "availability_mode": "all",
            "command_topic": "\(base)/\(name)/set", "state_topic": "\(base)/\(name)", "value_template": "{{ value_json.state }}",
            "device": {"identifiers": ["zigbee2mqtt_\(address)"], "manufacturer": "Acme", "name": "\(name)",
            "via_device": "zigbee2mqtt_bridge_0x00158d00000000ff"}, "name": null, "object_id": "\(name)",
            "origin": {"name": "Zigbee2MQTT"}, "payload_lock": "LOCK", "payload_unlock": "UNLOCK", "state_locked": "LOCK",
            "state_unlocked": "UNLOCK", "unique_id": "\(address)_lock_\(base)"}
            """
        }
    }

    mutating func receive(_ payload: String, at topic: String) throws {
        roster.apply(Array(payload.utf8), at: try #require(DiscoveryTopic(topic, prefix: "homeassistant")))
    }

    /// Sends the changes to the hub.
    mutating func applyChanges() async throws {
        let changes = roster.collectChanges(at: house.clock.now)
        for device in changes.announced { try await house.hub.devices.announce(device) }
        for id in changes.withdrawn { try await house.hub.devices.withdraw(deviceID: id, integration: MQTTIntegration.name) }
        withdrawn += changes.withdrawn
    }

    mutating func announce(_ locks: Lock...) async throws {
        for lock in locks { try receive(lock.config, at: lock.topic) }
        try await applyChanges()
    }

    mutating func withdraw(_ lock: Lock) async throws {
        try receive("", at: lock.topic)
        try await applyChanges()
    }

    /// The integration restarts, with the hub's present and former devices.
    mutating func restart() async throws {
        try await house.hub.devices.reloadFormer()
        roster = DiscoveryRegistry(names: Self.names(house.hub.devices.all.devices, house.hub.devices.former))
    }

    static func names(_ known: [Device], _ former: [Device]) -> IDAllocator {
        let others = (known + former).filter { $0.integration != MQTTIntegration.name }
        return IDAllocator(
            known: known.filter { $0.integration == MQTTIntegration.name },
            former: former.filter { $0.integration == MQTTIntegration.name },
            reserved: Set(others.flatMap(\.allIDs)))
    }

    /// The ids of each announced lock's device and entity, by the lock's address.
    var ids: [String: [String]] {
        let pairs: [(String, [String])] = house.hub.devices.all.devices.filter { $0.integration == MQTTIntegration.name }.flatMap {
            device in
            device.entities.map { (String(($0.uniqueID ?? "").prefix { $0 != "_" }), [device.id, $0.id]) }
        }
        return Dictionary(pairs, uniquingKeysWith: { $0 + $1 })
    }
}

@Suite("One year of device changes in a Zigbee2MQTT household", .timeLimit(.minutes(10)))
struct YearOfDeviceChangesTests {
    private let gate = "0x00158d0000000001"
    private let shed = "0x00158d0000000002"
    private let other = "0x00158d0000000003"

    @Test("Every device keeps its id and its pass")
    func year() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var zigbee = ZigbeeHouse(house: house)
            var first = ZigbeeHouse.Lock(address: gate, name: "Gate")
            var second = ZigbeeHouse.Lock(address: shed, name: "Shed")
            try await zigbee.announce(first, second)
            let ids = [gate: ["gate", "lock.gate"], shed: ["shed", "lock.shed"]]
            #expect(zigbee.ids == ids)
            let draft = house.draft(device: "gate")
            let pass = try await house.guest(draft, by: owner)
            #expect(!pass.id.isEmpty)
            let backup = (house.hub.devices.all.devices, house.hub.devices.former)

            // Renamed: Zigbee2MQTT withdraws the announcement, and announces the device again.
            try await zigbee.withdraw(first)
            first.name = "Garden gate"
            try await zigbee.announce(first)
            #expect(zigbee.ids == ids && house.hub.devices.device("gate")?.name == "Garden gate")

            // Another base topic: the unique ids change.
            zigbee.withdrawn = []
            (first.base, second.base) = ("z2m", "z2m")
            try await zigbee.announce(second, first)
            #expect(zigbee.ids == ids && zigbee.withdrawn.isEmpty)
            #expect(zigbee.roster["lock.gate"]?.entity.mapping.commandTopics == ["z2m/Garden gate/set"])

            // The lock breaks, and the hub restarts before another one is paired under both its names.
            try await zigbee.withdraw(first)
            try await zigbee.restart()
            var third = ZigbeeHouse.Lock(address: other, name: "Gate", base: "z2m")
            try await zigbee.announce(third, second)
            third.name = "Garden gate"
            try await zigbee.announce(third)
            let replacement = "gate-\(Slug.fingerprint("zigbee2mqtt_\(other)"))"
            let replaced = [shed: ["shed", "lock.shed"], other: [replacement, "lock.\(replacement.replacing("-", with: "_"))"]]
            #expect(zigbee.ids == replaced && house.hub.devices.device("gate") == nil)

            // It is repaired and paired again.
            try await zigbee.restart()
            first.name = "Old gate"
            try await zigbee.announce(third, first, second)
            let all = replaced.merging(ids) { first, _ in first }
            #expect(zigbee.ids == all)

            // An older backup, in any order. A lock that it does not know is named after its name.
            for order in [[third, second, first], [first, third, second]] {
                var restored = DiscoveryRegistry(names: ZigbeeHouse.names(backup.0, backup.1))
                for lock in order {
                    restored.apply(Array(lock.config.utf8), at: try #require(DiscoveryTopic(lock.topic, prefix: "homeassistant")))
                }
                let found = restored.collectChanges(at: house.clock.now).announced.flatMap { device in
                    device.entities.map { [device.id, $0.id] }
                }
                #expect(Set(found) == [["gate", "lock.gate"], ["shed", "lock.shed"], ["garden-gate", "lock.garden_gate"]])
            }
        }
    }

    @Test("A removed device returns under its id, also after a restart, and a namesake does not get it")
    func removed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var zigbee = ZigbeeHouse(house: house)
            let first = ZigbeeHouse.Lock(address: gate, name: "Gate")
            try await zigbee.announce(first)
            try await house.hub.devices.remove("gate", by: owner, origin: .house)
            try await zigbee.restart()
            try await zigbee.announce(ZigbeeHouse.Lock(address: other, name: "Gate"))
            try await zigbee.announce(first)
            #expect(zigbee.ids[gate] == ["gate", "lock.gate"])
            #expect(zigbee.ids[other]?.first == "gate-\(Slug.fingerprint("zigbee2mqtt_\(other)"))")
        }
    }

    @Test("The hub keeps withdrawn and removed devices with their entities and integration")
    func former() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var zigbee = ZigbeeHouse(house: house)
            try await zigbee.announce(.init(address: gate, name: "Gate"), .init(address: shed, name: "Shed"))
            try await zigbee.withdraw(.init(address: shed, name: "Shed"))
            try await house.hub.devices.remove("gate", by: owner, origin: .house)
            try await house.hub.devices.withdraw(deviceID: "back-door", integration: "scripted")
            #expect(house.hub.devices.former.isEmpty)
            try await house.hub.devices.reloadFormer()

            let former = Dictionary(house.hub.devices.former.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            #expect(Set(former.keys) == ["gate", "shed", "back-door"])
            #expect(former["gate"]?.entities.isEmpty == true && former["gate"]?.allIDs == ["gate", "lock.gate"])
            #expect(former["shed"]?.allIDs == ["shed", "lock.shed"] && former["shed"]?.integration == "mqtt")
            #expect(former["back-door"]?.allIDs == ["back-door", "lock.back_door"])
            #expect(former["gate"]?.attributes["mqtt_identifiers"] == .array([.string("identifier:zigbee2mqtt_\(gate)")]))
        }
    }

    @Test("The id of another integration's removed device is not reused")
    func reserved() async throws {
        try await TestHouse.open { house in
            try await house.hub.devices.withdraw(deviceID: "back-door", integration: "scripted")
            var zigbee = ZigbeeHouse(house: house)
            try await zigbee.restart()
            try await zigbee.announce(.init(address: gate, name: "Back door"))
            let id = "back-door-\(Slug.fingerprint("zigbee2mqtt_\(gate)"))"
            #expect(zigbee.ids == [gate: [id, "lock.\(id.replacing("-", with: "_"))"]])
        }
    }
}
