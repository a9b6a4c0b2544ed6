import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Ids of re-announced devices")
struct IdentityChangeTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func announce(_ roster: inout DiscoveryRegistry, _ config: String, at topic: String) throws {
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic("homeassistant/\(topic)/config", prefix: "homeassistant")))
    }

    private let device = #"{"ids": ["porch"], "name": "Porch"}"#
    private let lock = #""name": null, "uniq_id": "porch", "cmd_t": "porch/set", "stat_t": "porch/state""#
    private let battery = #""name": "Battery", "uniq_id": "power", "stat_t": "porch/power""#
    private var singleLock: String { "{\(lock), \"dev\": \(device)}" }
    private var singleBattery: String { "{\(battery), \"dev\": \(device)}" }
    private var bundle: String {
        #"{"dev": \#(device), "o": {"name": "acme"}, "cmps": {"l": {"p": "lock", \#(lock)}, "b": {"p": "sensor", \#(battery)}}}"#
    }

    private func state(_ roster: DiscoveryRegistry) -> [String?] {
        ["lock.porch", "sensor.porch_battery"].map { roster[$0]?.state.value }
    }

    private func start() throws -> DiscoveryRegistry {
        var roster = DiscoveryRegistry()
        try announce(&roster, singleLock, at: "lock/porch")
        try announce(&roster, singleBattery, at: "sensor/porch")
        _ = roster.collectChanges(at: now)
        for (topic, word) in [("porch/state", "LOCKED"), ("porch/power", "80")] {
            _ = roster.receive(IncomingMessage(topic: topic, payload: Array(word.utf8)), isFresh: true)
        }
        return roster
    }

    @Test("A device that moves into a bundle and back keeps ids and states and is never withdrawn", arguments: [true, false])
    func migration(settlesBetween: Bool) throws {
        let migrate = #"{"migrate_discovery": true}"#
        let steps = [
            ("lock/porch", migrate), ("sensor/porch", #"{"migr_discvry": true}"#), ("device/porch", bundle), ("lock/porch", ""),
            ("sensor/porch", ""), ("device/porch", migrate), ("lock/porch", singleLock), ("sensor/porch", singleBattery),
            ("device/porch", ""),
        ]
        var roster = try start()
        var withdrawn: [String] = []
        for (topic, config) in steps {
            try announce(&roster, config, at: topic)
            if settlesBetween { withdrawn += roster.collectChanges(at: now).withdrawn }
            #expect(state(roster) == ["locked", "80"], "after \(topic)")
            #expect(roster.report.omissions.isEmpty, "after \(topic)")
        }
        withdrawn += roster.collectChanges(at: now).withdrawn
        #expect(withdrawn.isEmpty && roster.problems.isEmpty && roster.entityCount == 2)
        #expect(roster.byKey.values.map(\.topic).sorted() == ["homeassistant/lock/porch/config", "homeassistant/sensor/porch/config"])
    }

    @Test("A bundle announced before its entities' migration takes them over afterwards")
    func releasedLate() throws {
        var roster = try start()
        try announce(&roster, bundle, at: "device/porch")
        #expect(!roster.problems.isEmpty)
        for topic in ["lock/porch", "sensor/porch"] { try announce(&roster, #"{"migrate_discovery": true}"#, at: topic) }
        #expect(roster.problems.isEmpty && state(roster) == ["locked", "80"])
        #expect(Set(roster.byKey.values.map(\.topic)) == ["homeassistant/device/porch/config"])

        var other = try start()
        try announce(&other, bundle, at: "device/porch")
        for topic in ["lock/porch", "sensor/porch"] { try announce(&other, "", at: topic) }
        #expect(state(other) == ["locked", "80"], "also where they are taken back at once")
    }

    @Test("An entity that is migrated and then withdrawn is removed")
    func releasedForNothing() throws {
        var roster = try start()
        for topic in ["lock/porch", "sensor/porch"] {
            try announce(&roster, #"{"migrate_discovery": true}"#, at: topic)
            try announce(&roster, "", at: topic)
        }
        let withdrawn = roster.collectChanges(at: now).withdrawn
        #expect(roster.entityCount == 0 && withdrawn == ["porch"])
    }

    @Test("A new device with a reused unique id does not inherit the earlier state")
    func heirOfAnother() throws {
        var roster = try start()
        try announce(&roster, #"{\#(lock), "dev": {"ids": ["other"], "name": "Other"}}"#, at: "lock/other")
        try announce(&roster, "", at: "lock/porch")
        #expect(roster["lock.porch"] == nil && roster["lock.other"]?.state.value == "unknown")
        try announce(&roster, singleLock, at: "lock/porch")
        try announce(&roster, "", at: "lock/other")
        #expect(roster["lock.porch"]?.state.value == "unknown" && roster["lock.other"] == nil)
    }

    @Test("An entity whose topic and object id change keeps its id")
    func moved() throws {
        var roster = try start()
        try announce(&roster, singleLock.replacing("porch/set", with: "veranda/set"), at: "lock/node/veranda")
        try announce(&roster, "", at: "lock/porch")
        #expect(roster["lock.porch"]?.entity.mapping.commandTopics == ["veranda/set"] && roster.entityCount == 2)
    }

    @Test("A device with a removed device's name gets another id, also after a restart; the first regains its own")
    func namesake() throws {
        var before = try start()
        for topic in ["lock/porch", "sensor/porch"] { try announce(&before, "", at: topic) }
        let told = try start().settled(at: now)
        let other = singleLock.replacing("\"porch\"", with: "\"stranger\"")
        for names in [before.allocator, IDAllocator(former: told)] {
            var roster = DiscoveryRegistry(names: names)
            try announce(&roster, other, at: "lock/other")
            try announce(&roster, singleLock, at: "lock/porch")
            let found = Dictionary(
                roster.collectChanges(at: now).announced.map { ($0.id, $0.entities.map(\.id)) }, uniquingKeysWith: { first, _ in first })
            let id = "porch-\(Slug.fingerprint("stranger"))"
            #expect(found == ["porch": ["lock.porch"], id: ["lock.\(id.replacing("-", with: "_"))"]])
        }
    }

    @Test("The id of a removed entity is not given to other entities of its device")
    func formerEntity() throws {
        var before = try start()
        try announce(&before, "", at: "sensor/porch")
        var roster = DiscoveryRegistry(names: IDAllocator(known: before.collectChanges(at: now).announced))
        try announce(&roster, singleBattery.replacing("\"power\"", with: "\"other\""), at: "sensor/other")
        #expect(roster["sensor.porch_battery"] == nil && roster.entityCount == 1)
        try announce(&roster, singleBattery, at: "sensor/porch")
        #expect(roster["sensor.porch_battery"]?.entity.uniqueID == "power")
    }

    @Test("Invented devices are forgotten, and devices of an earlier run are kept")
    func flood() throws {
        let known = try start().settled(at: now)
        var names = IDAllocator(known: known)
        var given: Set<String> = []
        func device(_ number: Int) -> AnnouncedDevice {
            AnnouncedDevice(
                names: [DeviceIdentifier.identifier("n\(number)")].compactMap(\.self), name: "Porch", isNamed: true, manufacturer: nil,
                model: nil,
                suggestedArea: nil, softwareVersion: nil, viaDevice: nil)
        }
        for number in 0..<(IDAllocator.idLimit + 100) {
            if let id = names.deviceID(for: device(number)) { given.insert(id) }
            names.trim(to: 1000) { [] }
        }
        #expect(given.count == IDAllocator.idLimit && !given.contains("porch"))
        #expect(names.deviceID(identifiedBy: "porch") == "porch" && names.entityIDs(of: "porch")["lock:porch"] == "lock.porch")
        let again = names.deviceID(for: device(1))
        #expect(names.deviceID(identifiedBy: "n1") == nil && again == nil)
    }
}

extension DiscoveryRegistry {
    /// Its devices, as the hub gets them.
    fileprivate func settled(at now: Date) -> [Device] {
        var roster = self
        roster.changedDevices = Set(devices.keys)
        return roster.collectChanges(at: now).announced
    }
}
