import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Entities that are away while their device is there")
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

    @Test("An entity that goes away alone is unknown, and stands as it told meanwhile when it is back")
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

    @Test("An entity that comes back is unknown until it tells; the broker is asked for what it keeps, and that is older than a live word")
    func silentReturn() throws {
        var roster = try pump()
        _ = receive(&roster, "hub/there", "online")
        _ = receive(&roster, "pump/there", "online")
        _ = receive(&roster, "s", "ON")
        _ = receive(&roster, "pump/there", "offline")

        #expect(receive(&roster, "pump/there", "online").map(\.state.value) == ["unknown"])
        // Not whether it is there: that was heard.
        #expect(roster.collectChanges(at: now).subscribe == ["s"])

        #expect(receive(&roster, "s", "ON").map(\.state.value) == ["on"])
        let kept = roster.receive(IncomingMessage(topic: "s", payload: Array("OFF".utf8), at: now), isFresh: false)
        #expect(kept.isEmpty && roster["switch.cellar_pump"]?.reportedState.value == "on")
    }

    @Test("Over a lost connection nothing that was told before stands; what has no state topic is assumed")
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

    @Test("An entity of a device that is offline as a whole keeps its state, until another one of the device is back")
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

    @Test("An entity that was away stays so over a lost connection, until it says that it is there")
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

    @Test("A value whose time is over is unknown, and keeps its attributes")
    func expired() throws {
        var roster = try registry([("sensor/air", #"{"name": "Air", "stat_t": "a", "exp_aft": 60}"#)])
        _ = receive(&roster, "a", "21")

        #expect(roster.expire(at: now.addingTimeInterval(59)).isEmpty)
        #expect(roster.expire(at: now.addingTimeInterval(60)).map(\.state.value) == ["unknown"])
        #expect(receive(&roster, "a", "22", after: 61).map(\.state.value) == ["22"])
    }

    @Test("A motion sensor that never says off is off after its delay, counted from its last message")
    func offDelay() throws {
        var roster = try registry([("binary_sensor/motion", #"{"name": "Motion", "stat_t": "m", "off_dly": 30}"#)])
        _ = receive(&roster, "m", "ON")
        _ = receive(&roster, "m", "ON", after: 20)

        #expect(roster.expire(at: now.addingTimeInterval(49)).isEmpty)
        #expect(roster.expire(at: now.addingTimeInterval(50)).map(\.state.value) == ["off"])
        #expect(roster.expire(at: now.addingTimeInterval(99)).isEmpty)
    }

    @Test("Presses of a button are presses, and values of a sensor are none")
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
