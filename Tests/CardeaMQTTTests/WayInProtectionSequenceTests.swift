import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

/// Two thousand random announcements, withdrawals, restarts and renames by a client that may write announcements and nothing else. What
/// each topic moves is computed here from the first announcements of the doors, and not from the house.
@Suite("Door protection over a long sequence of announcements", .timeLimit(.minutes(30)))
struct WayInProtectionSequenceTests {
    private typealias House = WayInFixture

    /// A device of the household that listens at its own topic and at those around it.
    private struct AnnouncedThing {
        let object: String
        let entityID: String
        let deviceID: String
        let topic: String
        let isSecurity: Bool
        let first: String
    }

    private static let announcedThings = [
        AnnouncedThing(
            object: "lock/front", entityID: "lock.front", deviceID: "front", topic: "z/front/set", isSecurity: true,
            first: House.lock("front", "Front", topic: "z/front")),
        AnnouncedThing(
            object: "lock/shed", entityID: "lock.shed", deviceID: "shed", topic: "z/shed/set", isSecurity: false,
            first: House.lock("shed", "Shed", topic: "z/shed")),
        AnnouncedThing(
            object: "cover/garage", entityID: "cover.garage", deviceID: "garage", topic: "garage/door/set", isSecurity: true,
            first:
                #"{"uniq_id": "g", "name": null, "cmd_t": "garage/door/set", "dev_cla": "garage", "dev": {"ids": "g", "name": "Garage"}}"#),
    ]

    /// True if a message on this topic moves the device at `own` like firmware does: there, above, below and beside it.
    private func moves(_ topic: String, _ own: String) -> Bool {
        func parent(_ topic: String) -> String? { topic.lastIndex(of: "/").map { String(topic[..<$0]) } }
        return topic == own || topic.hasPrefix(own + "/") || own.hasPrefix(topic + "/")
            || (parent(own) != nil && parent(topic) == parent(own))
    }

    private static let topics = [
        "z/front/set", "z/front/set/state", "z/front/lock", "z/front", "z/shed/set", "z/shed", "garage/door/set", "garage/door/pos",
        "garage",
        "lamp/set", "lamp/two/set", "z/all/set", "free",
    ]
    private static let payloads = ["UNLOCK", "LOCK", "OPEN", "CLOSE", "ON", "on", "{}", "STOP"]

    /// A random announcement by the device: its topic and its unique id are each either known or new.
    private func announcement(_ dice: inout SeededGenerator) -> (object: String, config: String) {
        func one<Element>(_ list: [Element]) -> Element { list.randomElement(using: &dice) ?? list[0] }
        let kind = one(["lock", "cover", "light", "switch", "button", "valve", "fan"])
        let thing = one(Self.announcedThings)
        let name = one(["front", "shed", "g", "own\(Int.random(in: 0..<6, using: &dice))"])
        let object = Bool.random(using: &dice) ? thing.object : "\(kind)/\(name)"
        if Int.random(in: 0..<6, using: &dice) == 0 { return (object, "") }
        if Int.random(in: 0..<5, using: &dice) == 0 { return (thing.object, thing.first) }
        var members = [
            #""uniq_id": "\#(name)""#, #""cmd_t": "\#(one(Self.topics))""#, #""stat_t": "\#(one(Self.topics))""#,
            #""dev": {"ids": "\#(one([name, "front", "shed", "g"]))", "name": "\#(one(["Front", "Shed", "Garage", "Lamp", name]))"}"#,
        ]
        for payload in ["pl_on", "pl_off", "pl_lock", "pl_unlk", "pl_open", "pl_cls", "pl_stop", "pl_prs"] where Bool.random(using: &dice) {
            members.append(#""\#(payload)": "\#(one(Self.payloads))""#)
        }
        if Bool.random(using: &dice) { members.append(#""dev_cla": "\#(one(["garage", "shade", "door", "restart"]))""#) }
        if Bool.random(using: &dice) { members.append(#""set_pos_t": "\#(one(Self.topics))""#) }
        return (object, "{\(members.joined(separator: ", "))}")
    }

    @Test("No announcement opens a door that the first configuration did not open")
    func sequence() async throws {
        var dice = SeededGenerator.forTest(33)
        var house = try await House()
        for thing in Self.announcedThings {
            try await house.announce(thing.object, thing.first)
            var edit = Devices.Edit()
            edit.isSecurityDevice = thing.isSecurity
            _ = try await house.house.hub.devices.edit(thing.deviceID, edit, by: house.owner, origin: .house)
        }
        let firsts = Dictionary(
            uniqueKeysWithValues: Self.announcedThings.map { thing in
                (thing.entityID, Set(Verb.allCases.flatMap { house.commandMessages($0, thing.entityID, value: 100) }))
            })
        // A broken rule would show: there are openings.
        #expect(firsts.values.allSatisfy { !$0.isEmpty })
        var attempts = 0
        for step in 0..<2000 {
            if Int.random(in: 0..<25, using: &dice) == 0 {
                try await house.restart()
            } else {
                let (object, config) = announcement(&dice)
                try await house.announce(object, config)
            }
            attempts += try check(house, firsts, "step \(step), seed \(dice.seed)")
        }
        #expect(attempts > 2000, "the sequence tries to move the doors")
    }

    /// - Returns: the number of commands that would move a device otherwise than at first.
    private func check(_ house: House, _ firsts: [String: Set<CommandMessage>], _ place: String) throws -> Int {
        var attempts = 0
        for device in house.house.hub.devices.all.devices where device.integration == MQTTIntegration.name {
            for entity in device.entities {
                for verb in entity.verbs {
                    let told = house.commandMessages(verb, entity.id, value: 100)
                    let own = firsts[entity.id]?.isSuperset(of: told) ?? false
                    let moved = Self.announcedThings.filter { thing in told.contains { moves($0.topic, thing.topic) } }
                    guard !moved.isEmpty, !told.isEmpty else { continue }
                    if !own { attempts += 1 }
                    try members(house, entity, verb, moved, isHarmless: own && [.lock, .close, .stop].contains(verb), place)
                    try guests(house, entity, verb, isOwn: own, place)
                    #expect(
                        own || entity.risk(of: verb) == .open && entity.restrictions.isClosed,
                        "\(entity.id) \(verb) was set up before and moves \(moved.map(\.entityID)), \(place)")
                }
            }
        }
        return attempts
    }

    /// Checks that a person without the right to open security devices moves none, except by commands that lock or close as they did at
    /// first.
    private func members(
        _ house: House, _ entity: Entity, _ verb: Verb, _ moved: [AnnouncedThing], isHarmless: Bool, _ place: String
    ) throws {
        guard moved.contains(where: \.isSecurity), !isHarmless else { return }
        let decision = try house.decision(verb, entity.id, by: House.member)
        #expect(decision == .deny(.securityDevice), "\(entity.id) \(verb) by a member moves \(moved.map(\.entityID)), \(place)")
    }

    /// A pass for a device sends what it sent at first, or nothing.
    private func guests(_ house: House, _ entity: Entity, _ verb: Verb, isOwn: Bool, _ place: String) throws {
        for thing in Self.announcedThings where !isOwn {
            let pass = House.pass(for: Set(Verb.allCases), entity.id, of: thing.deviceID)
            guard thing.entityID == entity.id else { continue }
            let decision = try house.decision(verb, entity.id, by: pass)
            #expect(decision != .allow, "\(entity.id) \(verb) by a pass for it, \(place)")
        }
    }
}
