import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Door protection against malicious announcements", .timeLimit(.minutes(10)))
struct WayInProtectionTests {
    private typealias House = WayInFixture

    /// A side door that is a security device.
    private func guardedHouse() async throws -> House {
        var house = try await House()
        try await house.announce("lock/side", House.lock("side", "Side door", topic: "zigbee2mqtt/side"))
        var edit = Devices.Edit()
        edit.isSecurityDevice = true
        _ = try await house.house.hub.devices.edit("side-door", edit, by: house.owner, origin: .house)
        return house
    }

    private func garage(_ deviceClass: String) -> String {
        #"{"uniq_id": "g", "name": null, "cmd_t": "garage/set", "dev_cla": "\#(deviceClass)", "dev": {"ids": "g", "name": "Garage"}}"#
    }

    @Test("A garage re-announced as a shade stays a garage, also after a restart and a withdrawal")
    func shade() async throws {
        var house = try await House()
        try await house.announce("cover/g", garage("garage"))
        try await house.announce("cover/g", garage("shade"))
        #expect(try house.entity("cover.garage").risk(of: .open) == .open)
        try await house.restart()
        try await house.announce("cover/g", "")
        try await house.announce("cover/g", garage("shade"))
        #expect(try house.entity("cover.garage").risk(of: .setPosition) == .open)
        #expect(try !house.entity("cover.garage").restrictions.isClosed, "its topics are the same")
    }

    @Test(
        "A second lock next to a security device's topic is equally restricted and closed to guests",
        arguments: [
            "zigbee2mqtt/side", "zigbee2mqtt/side/set", "zigbee2mqtt/side/set/state", "zigbee2mqtt/side/other", "zigbee2mqtt",
        ])
    func second(topic: String) async throws {
        var house = try await guardedHouse()
        let config = #"{"uniq_id": "two", "name": null, "cmd_t": "\#(topic)", "dev": {"ids": "two", "name": "Shed"}}"#
        try await house.announce("lock/two", config)
        #expect(try house.decision(.unlock, "lock.shed", by: House.member) == .deny(.securityDevice))
        let pass = House.pass(for: [.unlock], "lock.shed", of: "shed")
        #expect(try house.decision(.unlock, "lock.shed", by: pass) == .deny(.notGuestAccessible))
        #expect(try house.decision(.unlock, "lock.side_door", by: House.member) == .deny(.securityDevice))
    }

    @Test("A lamp on the topic of a withdrawn lock counts as that lock, also after a restart", arguments: [false, true])
    func withdrawn(restarts: Bool) async throws {
        var house = try await guardedHouse()
        try await house.announce("lock/side", "")
        if restarts { try await house.restart() }
        try await house.announce("light/l", House.lamp("l", "Lamp", topic: "zigbee2mqtt/side/set"))
        #expect(try house.entity("light.lamp").risk(of: .on) == .open)
        #expect(try house.decision(.on, "light.lamp", by: House.member) == .deny(.securityDevice))
        #expect(try await house.house.hub.devices.mayMoveWayIn(topic: "zigbee2mqtt/side/set"))
    }

    @Test("A lamp that moves to a lock's topic counts as the lock, and so does one announced before the lock")
    func lamps() async throws {
        var house = try await House()
        try await house.announce("light/early", House.lamp("e", "Early", topic: "zigbee2mqtt/side/set"))
        try await house.announce("light/late", House.lamp("l", "Late", topic: "zigbee2mqtt/late/set"))
        #expect(try house.entity("light.early").risk(of: .on) == .control)
        try await house.announce("lock/side", House.lock("side", "Side door", topic: "zigbee2mqtt/side"))
        #expect(try house.entity("light.early").risk(of: .on) == .open)
        #expect(try !house.entity("lock.side_door").restrictions.isClosed)
        #expect(try house.entity("light.late").risk(of: .on) == .control)
        try await house.announce("light/late", House.lamp("l", "Late", topic: "zigbee2mqtt/side/set"))
        let late = try house.entity("light.late")
        #expect(late.risk(of: .on) == .open && late.restrictions.shares == "lock.side_door")
    }

    @Test("A lamp on a lock's topic is as restricted as the lock, also if the lock becomes a security device later")
    func stricterLater() async throws {
        var house = try await House()
        try await house.announce("lock/side", House.lock("side", "Side door", topic: "zigbee2mqtt/side"))
        try await house.announce("light/l", House.lamp("l", "Lamp", topic: "zigbee2mqtt/side/set"))
        #expect(try house.decision(.on, "light.lamp", by: House.member) == .allow)
        var edit = Devices.Edit()
        edit.isSecurityDevice = true
        _ = try await house.house.hub.devices.edit("side-door", edit, by: house.owner, origin: .house)
        #expect(try house.decision(.on, "light.lamp", by: House.member) == .deny(.securityDevice))
    }

    @Test("A shed that gets the side door's topics is closed to guests until an owner confirms the door")
    func shed() async throws {
        var house = try await guardedHouse()
        try await house.announce("lock/shed", House.lock("shed", "Shed", topic: "zigbee2mqtt/shed"))
        let pass = House.pass(for: [.unlock, .lock], "lock.shed", of: "shed")
        #expect(try house.decision(.unlock, "lock.shed", by: pass) == .allow)
        try await house.announce("lock/shed", House.lock("shed", "Shed", topic: "zigbee2mqtt/side"))
        #expect(try house.decision(.unlock, "lock.shed", by: pass) == .deny(.notGuestAccessible))
        #expect(try house.decision(.unlock, "lock.shed", by: House.member) == .deny(.securityDevice))
        let told = try await house.house.hub.devices.wayInMemories(of: "shed", by: house.owner).first
        #expect(told?.memory.wiring?.opening["command_topic"] == "zigbee2mqtt/shed/set")
        #expect(told?.memory.announced?.opening["command_topic"] == "zigbee2mqtt/side/set")

        try await house.announce("lock/shed", House.lock("shed", "Shed", topic: "zigbee2mqtt/hut"))
        #expect(try house.decision(.unlock, "lock.shed", by: pass) == .deny(.notGuestAccessible))
        try await house.report(.sameDoor, on: "shed")
        #expect(try house.decision(.unlock, "lock.shed", by: pass) == .allow)
    }

    @Test("A lock whose lock payload became its unlock payload needs the right to unlock")
    func swappedWords() async throws {
        var house = try await guardedHouse()
        try await house.announce("lock/side", House.lock("side", "Side door", topic: "zigbee2mqtt/side", more: #", "pl_lock": "UNLOCK""#))
        #expect(try house.decision(.lock, "lock.side_door", by: House.member) == .deny(.securityDevice))
        try await house.report(.sameDoor, on: "side-door")
        #expect(try house.decision(.lock, "lock.side_door", by: House.member) == .allow)
    }

    @Test("A new name, availability or state template changes no protection")
    func unchanged() async throws {
        var house = try await House()
        try await house.announce("lock/side", House.lock("side", "Side door", topic: "zigbee2mqtt/side"))
        let more = #", "avty_t": "zigbee2mqtt/bridge", "val_tpl": "{{ value_json.state }}", "pl_unlk": "UNLOCK", "pl_open": null"#
        try await house.announce("lock/side", House.lock("side", "Front", topic: "zigbee2mqtt/side", more: more))
        #expect(try house.entity("lock.side_door").restrictions.isClosed == false)
    }

    @Test("Lamps sharing a topic with a gate are released in one step and protected again when they move")
    func sharedTopic() async throws {
        var house = try await House()
        for number in 1...3 {
            try await house.announce(
                "switch/l\(number)", House.lamp("l\(number)", "Lamp \(number)", topic: "home/433/send", more: #", "pl_off": "off""#))
        }
        try await house.announce("switch/gate", House.lamp("gate", "Gate", topic: "home/433/send", more: #", "pl_off": "x""#))
        _ = try await house.house.hub.devices.resolveWayIn(.opens, of: ["switch.gate"], on: "gate", by: house.owner, origin: .house)
        #expect(try house.entity("switch.gate").restrictions.isClosed == false)
        for number in 1...3 {
            #expect(try house.entity("switch.lamp_\(number)").risk(of: .on) == .open)
            try await house.report(.opensNone, on: "lamp-\(number)")
            #expect(try house.entity("switch.lamp_\(number)").risk(of: .on) == .control)
        }
        try await house.restart()
        try await house.announce("switch/l1", House.lamp("l1", "Lamp 1", topic: "home/433/send", more: #", "pl_off": "off""#))
        #expect(try house.entity("switch.lamp_1").risk(of: .on) == .control)
        try await house.announce("switch/l1", House.lamp("l1", "Lamp 1", topic: "home/433/send", more: #", "pl_off": "gate""#))
        #expect(try house.entity("switch.lamp_1").risk(of: .on) == .open)
    }

    @Test("Other commands of a door opener count as openings until released in one step; guests keep the door")
    func opener() async throws {
        var house = try await House()
        let device = #""dev": {"ids": "r", "name": "Opener"}"#
        try await house.announce(
            "cover/door",
            #"{"uniq_id": "d", "name": "Door", "cmd_t": "ratgdo/1/command/door", "dev_cla": "garage", \#(device)}"#)
        try await house.announce("light/light", #"{"uniq_id": "l", "name": "Light", "cmd_t": "ratgdo/1/command/light", \#(device)}"#)
        try await house.announce("lock/remotes", #"{"uniq_id": "k", "name": "Remotes", "cmd_t": "ratgdo/1/command/lock", \#(device)}"#)
        #expect(
            try house.device("opener").entities.filter(\.restrictions.isClosed).map(\.id) == ["light.opener_light", "lock.opener_remotes"])
        try await house.report(.opensNone, on: "opener")
        #expect(try house.device("opener").entities.filter(\.restrictions.isClosed).map(\.id) == ["lock.opener_remotes"])
        #expect(try house.entity("light.opener_light").risk(of: .on) == .control)
        try await house.report(.sameDoor, on: "opener")
        #expect(try house.device("opener").entities.filter(\.restrictions.isClosed).isEmpty)
    }
}
