import CardeaHub
import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("List of omitted announcements")
struct AnnouncementOmissionTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func announce(_ roster: inout DiscoveryRegistry, _ config: String, at topic: String) throws {
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic(topic, prefix: "homeassistant")))
    }

    private func omissions(_ config: String, at topic: String) throws -> [AnnouncementReport.Omission] {
        var roster = DiscoveryRegistry()
        try announce(&roster, config, at: topic)
        return roster.report.omissions
    }

    @Test(
        "An unsupported platform is listed with its reason",
        arguments: [
            ("humidifier", "The hub does not show humidifiers."), ("vacuum", "The hub does not show vacuum cleaners."),
            ("siren", "The hub does not show sirens."), ("number", "The hub does not show numbers to set."),
            ("teleporter", "The hub does not know the platform “teleporter”."),
        ])
    func platforms(component: String, reason: String) throws {
        let topic = "homeassistant/\(component)/den/config"
        let single = try omissions(#"{"cmd_t": "c", "name": "Den", "dev": {"ids": "d", "name": "Dryer"}}"#, at: topic)
        let bundle = try omissions(
            #"{"dev": {"ids": "d", "name": "Dryer"}, "cmps": {"a": {"p": "\#(component)", "cmd_t": "c"}}}"#,
            at: "homeassistant/device/den/config")

        #expect(single == [.init(topic: topic, component: component, reason: reason, device: "Dryer")])
        #expect(bundle == [.init(topic: "homeassistant/device/den/config", component: component, reason: reason, device: "Dryer")])
    }

    @Test("A broken announcement is listed with its topic, and the earlier device remains")
    func broken() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        try announce(&roster, #"{"cmd_t": "#, at: AnnouncedLock.topic)

        #expect(roster["lock.back_door"] != nil)
        #expect(
            roster.report.omissions == [
                .init(topic: AnnouncedLock.topic, component: "lock", reason: "The announcement is not JSON.", device: "Back Door")
            ])

        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)
        #expect(roster.report.omissions.isEmpty && roster.problems.isEmpty)
    }

    @Test("Components without a platform or members are listed; removed components are not")
    func components() throws {
        let reasons = try omissions(
            #"{"dev": {"ids": "d"}, "cmps": {"a": 7, "b": {"cmd_t": "c"}, "c": {"p": "switch"}, "d": {"p": "switch", "cmd_t": "c"}}}"#,
            at: "homeassistant/device/den/config"
        ).map(\.reason)

        #expect(reasons == ["The component “a” is not a JSON object.", "The component “b” has no platform."])
        #expect(try omissions("[1]", at: "homeassistant/lock/x/config").map(\.reason) == ["The announcement is not a JSON object."])
        #expect(
            try omissions("{}", at: "homeassistant/device/x/config").map(\.reason)
                == ["The announcement has no device or no components."])
    }

    @Test("Entities with an unsupported template or one that reads another entity are listed")
    func entities() throws {
        var roster = DiscoveryRegistry()
        let topic = "homeassistant/sensor/a/config"
        try announce(
            &roster, #"{"stat_t": "s", "name": "Air", "uniq_id": "u", "val_tpl": "{{ states('lock.other') }}"}"#, at: topic)
        try announce(&roster, #"{"stat_t": "s", "name": "Air", "uniq_id": "u"}"#, at: "homeassistant/sensor/b/config")

        let omissions = roster.report.omissions
        #expect(omissions.map(\.topic) == [topic, "homeassistant/sensor/b/config"])
        #expect(omissions.first?.reason.contains("value_template") == true)
        #expect(omissions.last?.reason == "Another announcement has the same unique id, so this one is not shown.")
    }

    @Test("The hub's own announcements are not listed, and a withdrawn announcement is removed from the list")
    func forgotten() throws {
        let own = #"{"uniq_id": "\#(DiscoveryEncoder.idPrefix)x", "cmd_t": "c"}"#
        #expect(try omissions(own, at: "homeassistant/humidifier/x/config").isEmpty)

        var roster = DiscoveryRegistry()
        let topic = "homeassistant/vacuum/x/config"
        try announce(&roster, #"{"cmd_t": "c"}"#, at: topic)
        #expect(roster.report.omissions.count == 1)
        #expect(roster.announcements[topic] != nil)
        try announce(&roster, "", at: topic)
        #expect(roster.report.omissions.isEmpty)
        #expect(roster.announcements[topic] == nil)
    }

    @Test("The page shows each device with its entities and announcement topics")
    func devices() throws {
        var roster = DiscoveryRegistry()
        try announce(&roster, AnnouncedLock.config, at: AnnouncedLock.topic)

        let device = try #require(roster.report.devices.first)
        #expect(device.deviceID == "back-door" && device.name == "Back Door")
        #expect(device.entities == [.init(entityID: "lock.back_door", component: "lock", topic: AnnouncedLock.topic)])
    }

    @Test("A bundle of more than 256 components and 64 KiB is read whole")
    func large() throws {
        var roster = DiscoveryRegistry()
        let components = (0..<600).map {
            #""c\#($0)": {"p": "sensor", "stat_t": "s/\#($0)", "name": "Value \#($0)", "uniq_id": "u\#($0)"}"#
        }
        let padding = String(repeating: "x", count: 100_000)
        let config =
            #"{"dev": {"ids": "d", "name": "Meter"}, "o": {"name": "\#(padding)"}, "cmps": {\#(components.joined(separator: ", "))}}"#
        try announce(&roster, config, at: "homeassistant/device/meter/config")

        #expect(roster.entityCount == 600)
        #expect(!roster.isFull)
    }

    @Test("A bundle above the entity limit is cut, and the cut is reported")
    func tooMany() throws {
        var roster = DiscoveryRegistry()
        let components = (0..<(DiscoveryRegistry.entityLimit + 1)).map {
            #""c\#($0)": {"p": "sensor", "stat_t": "s", "uniq_id": "u\#($0)"}"#
        }
        try announce(
            &roster, #"{"dev": {"ids": "d"}, "cmps": {\#(components.joined(separator: ", "))}}"#, at: "homeassistant/device/d/config")

        #expect(roster.entityCount == DiscoveryRegistry.entityLimit)
        #expect(roster.isFull)
    }

    @Test("The list holds at most 2000 omissions and reports that there are more")
    func bounded() throws {
        var roster = DiscoveryRegistry()
        let components = (0..<1500).map { #""c\#($0)": {"p": "siren", "cmd_t": "c"}"# }.joined(separator: ", ")
        for name in ["a", "b"] {
            try announce(&roster, #"{"dev": {"ids": "\#(name)"}, "cmps": {\#(components)}}"#, at: "homeassistant/device/\(name)/config")
        }

        #expect(roster.report.omissions.count == 2000)
        #expect(roster.report.isCut)

        try announce(&roster, "", at: "homeassistant/device/b/config")
        #expect(roster.report.omissions.count == 1500)
        #expect(!roster.report.isCut)
    }

    @Test("Announcements without a device use bounded memory and give way to those with a device")
    func flood() throws {
        var roster = DiscoveryRegistry()
        let padding = String(repeating: "x", count: 1024 * 1024)
        for number in 0..<20 {
            try announce(&roster, #"{"cmd_t": "c", "x": "\#(padding)"}"#, at: "homeassistant/siren/n\(number)/config")
        }
        let kept = (0..<20).count { roster.announcements["homeassistant/siren/n\($0)/config"] != nil }
        #expect(kept == 15)
        #expect(roster.report.isCut)

        try announce(&roster, #"{"cmd_t": "c", "name": "Pump", "x": "\#(padding)"}"#, at: "homeassistant/switch/pump/config")
        #expect(roster["switch.pump"] != nil)
        #expect(!roster.isFull)
    }
}
