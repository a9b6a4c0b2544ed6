import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Device identity")
struct DeviceIdentityTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func announce(_ roster: inout DiscoveryRegistry, _ config: String, at topic: String) throws {
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic("homeassistant/\(topic)/config", prefix: "homeassistant")))
    }

    /// A lock with these members of its device.
    private func lock(_ uniqueID: String, _ device: String, name: String = "Gate") -> String {
        #"{"name": null, "uniq_id": "\#(uniqueID)", "cmd_t": "\#(uniqueID)/set", "stat_t": "\#(uniqueID)", "dev": {"name": "\#(name)", \#(device)}}"#
    }

    /// The devices of locks, announced one after the other, by the locks' unique ids.
    private func devices(_ configs: [(String, String)], _ names: IDAllocator = IDAllocator()) throws -> [String: String] {
        var roster = DiscoveryRegistry(names: names)
        for (uniqueID, device) in configs { try announce(&roster, lock(uniqueID, device), at: "lock/\(uniqueID)") }
        let pairs = roster.collectChanges(at: now).announced.flatMap { device in device.entities.map { ($0.uniqueID ?? "", device.id) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private func stored(_ id: String, _ attributes: [String: JSONValue], integration: String = MQTTIntegration.name) -> Device {
        Device(
            id: id, name: "Gate", deviceClass: .security, integration: integration, attributes: attributes, stateChangedAt: now,
            entities: [])
    }

    @Test(
        "An identifier is a string, a number or a list; null is no identifier",
        arguments: [
            (#""ids": "7""#, ["identifier:7"]), (#""ids": 7"#, ["identifier:7"]), (#""ids": 0"#, ["identifier:0"]),
            (#""ids": ["a", 7, null, "", "a2"]"#, ["identifier:a", "identifier:7", "identifier:a2"]),
            (#""ids": 20417000001"#, ["identifier:20417000001"]), (#""ids": true"#, ["identifier:True"]),
            (#""ids": [["a", "b"]]"#, ["identifier:u"]), (#""ids": null"#, ["identifier:u"]), (#""ids": []"#, ["identifier:u"]),
            (#""ids": [null], "cns": [["mac", null], ["mac"], "mac", []]"#, ["identifier:u"]),
            (
                #""cns": [["mac", "AA-BB-CC-DD-EE-FF"], ["zigbee", "0xAB"]]"#,
                ["connection:mac:aa:bb:cc:dd:ee:ff", "connection:zigbee:0xAB"]
            ),
        ])
    func forms(device: String, keys: [String]) throws {
        let topic = try #require(DiscoveryTopic("homeassistant/lock/u/config", prefix: "homeassistant"))
        let read = try DiscoveryParser.read(Array(lock("u", device).utf8), at: topic)
        #expect(read.entities.map { $0.device.names.map(\.key) } == [keys])
    }

    @Test("A MAC address is normalised as in Home Assistant")
    func macs() {
        for text in ["AA-BB-CC-DD-EE-0F", "aabbccddee0f", "AABB.CCDD.EE0F", "Aa:bB:CC:dd:ee:0F"] {
            #expect(DeviceIdentifier.mac(text) == "aa:bb:cc:dd:ee:0f")
        }
        for text in ["", "AA", "AA:BB", "AABBCCDDEE0F00", "AA_BB_CC_DD_EE_0F"] { #expect(DeviceIdentifier.mac(text) == text) }
    }

    @Test("One MAC address in four notations is one device, also as an identifier")
    func connections() throws {
        let found = try devices([
            ("a", #""cns": [["mac", "AA-BB-CC-DD-EE-FF"]]"#), ("b", #""cns": [["mac", "aabbccddeeff"]]"#),
            ("c", #""ids": ["x"], "cns": [["mac", "AABB.CCDD.EEFF"]]"#), ("d", #""cns": [["mac", "aa:bb:cc:dd:ee:ff"]]"#),
            ("e", #""ids": "mac:aa:bb:cc:dd:ee:ff""#), ("f", #""ids": "x""#),
        ])
        #expect(Set(["a", "b", "c", "d", "f"].map { found[$0] }) == ["gate"])
        #expect(found["e"]?.hasPrefix("gate-") == true)
    }

    @Test("A device stored with a single name keeps its id in every MAC notation")
    func upgrade() throws {
        let known = [
            stored("front", ["mqtt_identifier": "mac:AA-BB-CC-DD-EE-FF"]), stored("back", ["mqtt_identifier": "lock-7"]),
            stored("side", ["mqtt_identifier": "mac:11:22:33:44:55:66"]),
        ]
        let found = try devices(
            [
                ("a", #""cns": [["mac", "aabbccddeeff"]]"#), ("b", #""ids": ["lock-7", "lock-8"]"#),
                ("c", #""ids": "mac:11:22:33:44:55:66""#), ("d", #""cns": [["mac", "11:22:33:44:55:66"]]"#),
            ], IDAllocator(known: known))
        #expect(found["a"] == "front" && found["b"] == "back" && found["c"] == "side")
        #expect(found["d"]?.hasPrefix("gate") == true, "the identifier is no connection once it has been announced")
    }

    @Test("Two stored devices with one MAC address stay separate after an upgrade")
    func notMerged() throws {
        var known = [
            stored("front", ["mqtt_identifier": "mac:AA-BB-CC-DD-EE-FF"]), stored("back", ["mqtt_identifier": "mac:aa:bb:cc:dd:ee:ff"]),
        ]
        for order in [["a", "b"], ["b", "a"], ["a", "b"]] {
            var roster = DiscoveryRegistry(names: IDAllocator(known: known))
            let configs = ["a": "AA-BB-CC-DD-EE-FF", "b": "aa:bb:cc:dd:ee:ff"]
            for id in order { try announce(&roster, lock(id, #""cns": [["mac", "\#(configs[id] ?? "")"]]"#), at: "lock/\(id)") }
            known = roster.collectChanges(at: now).announced
            let found = Dictionary(known.map { ($0.id, $0.entities.map(\.uniqueID)) }, uniquingKeysWith: { $0 + $1 })
            #expect(found == ["front": ["a"], "back": ["b"]])
        }
    }

    @Test("An announcement with names of two devices belongs to the first and changes no name of the second")
    func links() throws {
        let found = try devices([
            ("a", #""ids": "1""#), ("b", #""ids": "2""#), ("c", #""ids": ["3", "2", "1"]"#), ("d", #""ids": ["1", "2"]"#),
            ("e", #""ids": "3""#), ("f", #""ids": "2""#),
        ])
        #expect(found["a"] == "gate" && found["d"] == "gate")
        #expect(found["b"]?.hasPrefix("gate-") == true && found["c"] == found["b"] && found["e"] == found["b"] && found["f"] == found["b"])
    }

    @Test("A merged device keeps the names of both, also after a new announcement")
    func merged() throws {
        let union: JSONValue = ["identifier:1", "identifier:2", "mac:AA-BB-CC-DD-EE-FF"]
        let kept = stored("gate", ["mqtt_identifier": "1", "mqtt_identifiers": union])
        let gone = stored("gate-2", ["mqtt_identifier": "mac:AA-BB-CC-DD-EE-FF"])
        var roster = DiscoveryRegistry(names: IDAllocator(known: [kept], former: [gone]))
        try announce(&roster, lock("b", #""ids": "2""#), at: "lock/b")
        let first = try #require(roster.collectChanges(at: now).announced.first)
        #expect(first.id == "gate" && first.attributes["mqtt_identifiers"] == union)

        try announce(&roster, lock("c", #""cns": [["mac", "aabbccddeeff"]]"#), at: "lock/c")
        let second = try #require(roster.collectChanges(at: now).announced.first)
        #expect(second.id == "gate" && second.entities.count == 2)
    }

    @Test("The number of names of a device is bounded")
    func bounded() throws {
        var roster = DiscoveryRegistry()
        for number in 0..<100 { try announce(&roster, lock("u", #""ids": ["1", "n\#(number)"]"#), at: "lock/u") }
        let device = try #require(roster.collectChanges(at: now).announced.first)
        #expect(device.id == "gate" && roster.allocator.names(of: "gate").count == IDAllocator.identifierLimit)
    }

    @Test("Device details in the first entity's announcement apply to all its entities")
    func saidOnce() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, lock("a", #""ids": "1", "mf": "Acme""#), at: "lock/a")
        try announce(&roster, #"{"name": "Battery", "uniq_id": "b", "stat_t": "b", "dev": {"ids": "1"}}"#, at: "sensor/b")
        try announce(&roster, #"{"name": null, "uniq_id": "c", "stat_t": "c", "dev": {"ids": "1"}}"#, at: "sensor/c")
        let device = try #require(roster.collectChanges(at: now).announced.first)
        #expect(device.name == "Gate" && device.manufacturer == "Acme" && device.entities.map(\.name) == ["Gate", "Battery", "Gate"])
    }

    @Test("A device links to its hub by any name of the hub, also if announced later, until the hub is removed")
    func via() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, lock("a", #""ids": "1", "via_device": "bridge-2""#), at: "lock/a")
        #expect(roster.collectChanges(at: now).announced.map(\.hubID) == [nil])

        try announce(&roster, lock("b", #""ids": "bridge-1""#, name: "Bridge"), at: "lock/b")
        #expect(roster.collectChanges(at: now).announced.map(\.id) == ["bridge"])
        try announce(&roster, lock("c", #""ids": ["bridge-1", "bridge-2"]"#, name: "Bridge"), at: "lock/c")
        let found = roster.collectChanges(at: now).announced
        #expect(found.map(\.id) == ["bridge", "gate"] && found.map(\.hubID) == [nil, "bridge"])

        var later = DiscoveryRegistry(names: IDAllocator(known: found))
        try announce(&later, lock("a", #""ids": "1", "via_device": "bridge-2""#), at: "lock/a")
        #expect(later.collectChanges(at: now).announced.map(\.hubID) == ["bridge"], "it is known, and not yet announced again")

        try announce(&roster, "", at: "lock/b")
        try announce(&roster, "", at: "lock/c")
        let left = roster.collectChanges(at: now)
        #expect(left.withdrawn == ["bridge"] && left.announced.map(\.hubID) == [nil])
    }
}
