import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Availability of single entities")
struct EntityAvailabilityTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let device = #""dev": {"ids": "d", "name": "Cellar"}"#

    private func registry(_ configs: [(topic: String, config: String)]) throws -> DiscoveryRegistry {
        var roster = DiscoveryRegistry()
        for (topic, config) in configs {
            roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic("homeassistant/\(topic)/config", prefix: "homeassistant")))
        }
        _ = roster.collectChanges(at: now)
        return roster
    }

    private func receive(_ roster: inout DiscoveryRegistry, _ topic: String, _ text: String, after seconds: TimeInterval = 0)
        -> [EntityReport]
    {
        roster.receive(IncomingMessage(topic: topic, payload: Array(text.utf8), at: now.addingTimeInterval(seconds)), isFresh: true)
    }

    private func pump() throws -> DiscoveryRegistry {
        try registry([
            ("switch/pump", #"{"name": "Pump", "uniq_id": "1", "cmd_t": "c", "stat_t": "s", "avty_t": "pump/there", \#(device)}"#),
            ("sensor/air", #"{"name": "Air", "uniq_id": "2", "stat_t": "a", "avty_t": "hub/there", \#(device)}"#),
        ])
    }

    @Test("An unavailable entity is unknown and has its latest report when it is available again")
    func alone() throws {
        var roster = try pump()
        _ = receive(&roster, "hub/there", "online")
        _ = receive(&roster, "pump/there", "online")
        _ = receive(&roster, "s", "ON")

        let away = receive(&roster, "pump/there", "offline")
        let meanwhile = receive(&roster, "s", "OFF")
        let back = receive(&roster, "pump/there", "online")

        #expect(away.map(\.entityID) == ["switch.cellar_pump"])
        #expect(away.map(\.state.value) == ["unknown"] && away.map(\.isFresh) == [false])
        #expect(meanwhile.map(\.state.value) == ["unknown"] && meanwhile.map(\.isFresh) == [false])
        #expect(back.map(\.state.value) == ["off"] && back.map(\.isFresh) == [false])
        #expect(roster.changedStatuses(isConnected: true) == [.online: ["cellar"]])
    }

    @Test("A returning entity is unknown until it reports; retained messages count as older than live ones")
    func silentReturn() throws {
        var roster = try pump()
        _ = receive(&roster, "hub/there", "online")
        _ = receive(&roster, "pump/there", "online")
        _ = receive(&roster, "s", "ON")
        _ = receive(&roster, "pump/there", "offline")

        #expect(receive(&roster, "pump/there", "online").map(\.state.value) == ["unknown"])
        // Its availability is known already.
        #expect(roster.collectChanges(at: now).subscribe == ["s"])

        #expect(receive(&roster, "s", "ON").map(\.state.value) == ["on"])
        let kept = roster.receive(IncomingMessage(topic: "s", payload: Array("OFF".utf8), at: now), isFresh: false)
        #expect(kept.isEmpty && roster["switch.cellar_pump"]?.reportedState.value == "on")
    }

    @Test("A lost connection makes all states unknown; entities without a state topic stay assumed")
    func lost() throws {
        var roster = try registry([
            ("switch/pump", #"{"name": "Pump", "uniq_id": "1", "cmd_t": "c", "stat_t": "s", \#(device)}"#),
            ("lock/side", #"{"name": "Side", "uniq_id": "2", "cmd_t": "l", \#(device)}"#),
            ("button/bell", #"{"name": "Bell", "uniq_id": "3", "cmd_t": "b", \#(device)}"#),
        ])
        _ = receive(&roster, "s", "ON")
        #expect(roster.currentReports.map(\.state.value) == ["on"])

        roster.markDisconnected()

        #expect(roster.currentReports.isEmpty)
        let assumed = ["switch.cellar_pump", "lock.cellar_side", "button.cellar_bell"].map { roster[$0]?.isAssumed }
        #expect(assumed == [false, true, false])
    }

    @Test("Entities of an offline device keep their state until one of them is available again")
    func together() throws {
        var roster = try pump()
        _ = receive(&roster, "hub/there", "online")
        _ = receive(&roster, "pump/there", "online")
        _ = receive(&roster, "s", "ON")

        #expect(receive(&roster, "hub/there", "offline").map(\.state.value) == ["unknown"])
        #expect(receive(&roster, "pump/there", "offline").isEmpty)
        #expect(roster.changedStatuses(isConnected: true) == [.offline: ["cellar"]])

        let back = receive(&roster, "hub/there", "online")
        #expect(Set(back.map { "\($0.entityID) \($0.state.value)" }) == ["sensor.cellar_air unknown", "switch.cellar_pump unknown"])
    }

    @Test("An unavailable entity stays unavailable over a lost connection until it reports availability")
    func reconnected() throws {
        var roster = try pump()
        _ = receive(&roster, "hub/there", "online")
        _ = receive(&roster, "pump/there", "offline")
        roster.markDisconnected()
        _ = roster.collectChanges(at: now)

        #expect(receive(&roster, "hub/there", "online").isEmpty)
        #expect(roster["switch.cellar_pump"]?.reportedState.value == "unknown")
        #expect(receive(&roster, "pump/there", "online").map(\.state.value) == ["unknown"])
    }

    @Test("An expired value is unknown and keeps its attributes")
    func expired() throws {
        var roster = try registry([("sensor/air", #"{"name": "Air", "stat_t": "a", "exp_aft": 60}"#)])
        _ = receive(&roster, "a", "21")

        #expect(roster.expire(at: now.addingTimeInterval(59)).isEmpty)
        #expect(roster.expire(at: now.addingTimeInterval(60)).map(\.state.value) == ["unknown"])
        #expect(receive(&roster, "a", "22", after: 61).map(\.state.value) == ["22"])
    }

    @Test("A motion sensor with an off delay turns off after it, counted from its last message")
    func offDelay() throws {
        var roster = try registry([("binary_sensor/motion", #"{"name": "Motion", "stat_t": "m", "off_dly": 30}"#)])
        _ = receive(&roster, "m", "ON")
        _ = receive(&roster, "m", "ON", after: 20)

        #expect(roster.expire(at: now.addingTimeInterval(49)).isEmpty)
        #expect(roster.expire(at: now.addingTimeInterval(50)).map(\.state.value) == ["off"])
        #expect(roster.expire(at: now.addingTimeInterval(99)).isEmpty)
    }

    @Test("Button presses are events, and sensor values are not")
    func presses() throws {
        var roster = try registry([
            ("sensor/button", #"{"name": "Action", "stat_t": "b", "val_tpl": "{{ value_json.action }}"}"#),
            ("sensor/air", #"{"name": "Air", "stat_t": "a", "dev_cla": "temperature", "unit_of_meas": "°C"}"#),
            ("event/bell", #"{"name": "Bell", "stat_t": "r", "evt_typ": ["ring"]}"#),
        ])

        #expect(receive(&roster, "b", #"{"action": "single"}"#).map(\.isPress) == [true])
        #expect(receive(&roster, "b", #"{"action": ""}"#).map(\.isPress) == [false])
        #expect(receive(&roster, "a", "21").map(\.isPress) == [false])
        #expect(receive(&roster, "r", #"{"event_type": "ring"}"#).map(\.isPress) == [true])
    }
}
