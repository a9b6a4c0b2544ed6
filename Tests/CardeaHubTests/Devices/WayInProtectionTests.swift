import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Changed announcements of doors", .timeLimit(.minutes(10)))
struct WayInProtectionTests {
    private func announce(
        _ kind: EntityKind, _ name: String, at topic: String, _ word: String = "UNLOCK", in house: TestHouse
    ) async throws {
        let id = "\(kind.rawValue).\(name)"
        let wiring = EntityCommandTopics(opening: ["command_topic": topic, "payload": word], topics: [topic])
        let verbs: Set<Verb> = kind == .lock ? [.lock, .unlock] : [.on, .off]
        try await house.hub.devices.announce(
            Device(
                id: name, name: name, deviceClass: .other, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
                entities: [Entity(id: id, kind: kind, name: name, wiring: wiring, verbs: verbs)]))
    }

    private func canOpen(_ house: TestHouse, _ guest: Principal) async throws -> Bool {
        do {
            return try await house.run(house.open(as: guest)).status == .confirmed
        } catch CommandRefusal.gate(.notGuestAccessible) {
            return false
        }
    }

    @Test("A door whose topic changed is closed to guests and tags until it is confirmed as the same door")
    func sameDoor() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await announce(.lock, "shed", at: "shed/set", in: house)
            let guest = try await house.guest(house.draft(device: "shed"), by: owner).who
            var (_, chip) = try await house.sunTag(for: house.button("shed", "unlock", by: owner), by: owner)
            #expect(try await canOpen(house, guest))
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
            house.clock.advance(by: 60)

            try await announce(.lock, "shed", at: "hut/set", in: house)
            #expect(try await !canOpen(house, guest))
            await #expect(throws: CommandRefusal.doorChanged) { try await house.tap(chip.touch(), by: owner) }
            #expect(try await house.run(house.unlock("shed", as: owner)).status == .confirmed)
            let note = try await house.auditNotes().last { $0.reason == .doorChanged }
            #expect(note?.result == "refused")

            house.clock.advance(by: 60)
            _ = try await house.hub.devices.resolveWayIn(.sameDoor, on: "shed", by: owner, origin: .house)
            #expect(try await canOpen(house, guest))
            #expect(try await house.tap(chip.touch(), by: owner) == nil)
        }
    }

    @Test("A light moved to a door's topic is refused in scenes and needs door rights until it is declared harmless")
    func lamp() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            try await announce(.lock, "side", at: "side/set", in: house)
            _ = try await house.hub.devices.edit("side", .init(isSecurityDevice: true), by: owner, origin: .house)
            try await announce(.light, "lamp", at: "lamp/set", in: house)
            let scene = try await house.hub.scenes.add(
                .init(name: "Evening", icon: nil, actions: [.init(deviceID: "lamp", action: "on")]), by: owner, call: nil, origin: .house
            ).0
            func evening(_ who: Principal) async throws -> [CommandRefusal] {
                let batch = try await house.hub.scenes.run(scene.id, by: who, call: nil, origin: .house)
                return try await house.hub.batches.outcome(of: batch).results.compactMap {
                    if case .refused(let refusal) = $0.status { refusal } else { nil }
                }
            }
            #expect(try await evening(member) == [])

            try await announce(.light, "lamp", at: "side/set", in: house)
            #expect(try await evening(owner) == [.doorChanged])
            #expect(try await evening(member) == [.gate(.securityDevice)])
            let on = CommandRequest(principal: owner, target: .device(id: "lamp", entityID: nil, verb: .on), origin: .house)
            #expect(try await house.run(on).status == .confirmed)

            _ = try await house.hub.devices.resolveWayIn(.opensNone, on: "lamp", by: owner, origin: .house)
            #expect(try await evening(member) == [])
        }
    }

    @Test("A garage door reclassified as a shade keeps its risk until it is resolved")
    func shownAs() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            func show(as deviceClass: String) async throws -> Risk? {
                let cover = Entity(id: "cover.garage", kind: .cover, name: "Garage", deviceClass: deviceClass, verbs: [.open, .close])
                try await house.hub.devices.announce(
                    Device(
                        id: "garage", name: "Garage", deviceClass: .security, integration: "scripted", status: .online,
                        stateChangedAt: house.clock.now, entities: [cover]))
                return house.hub.devices.device("garage")?.entities.first?.risk(of: .open)
            }
            #expect(try await show(as: "shade") == .control)
            #expect(try await show(as: "garage") == .open)
            #expect(try await show(as: "shade") == .open)
            _ = try await house.hub.devices.resolveWayIn(.opensNone, on: "garage", by: owner, origin: .house)
            #expect(try await show(as: "shade") == .control)
            #expect(try await show(as: "garage") == .open)
            #expect(try await show(as: "shade") == .open)
        }
    }

    @Test("A changed door announcement notifies operators once")
    func told() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await announce(.lock, "shed", at: "shed/set", in: house)
            for _ in 0..<3 { try await announce(.lock, "shed", at: "hut/set", in: house) }
            let told = try await house.store.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM journal WHERE kind = 'mind_changed' AND subject LIKE 'way-in:lock.shed:%'")
            }
            #expect(told == 1)
            let way = try #require(try await house.hub.devices.wayInMemories(of: "shed", by: owner).first)
            #expect(way.memory.wiring?.topics == ["shed/set"] && way.memory.announced?.topics == ["hut/set"])
        }
    }

    @Test("A changed announcement puts a hold on the door that is newer than orders accepted before")
    func lateOrder() async throws {
        try await TestHouse.open { house in
            _ = try await house.claim()
            try await announce(.lock, "shed", at: "shed/set", in: house)
            let accepted = house.clock.now
            house.clock.advance(by: 1)
            try await announce(.lock, "shed", at: "hut/set", in: house)
            let changedAt = try #require(house.hub.devices.wayInHold(of: "lock.shed").changedAt)
            #expect(changedAt > accepted)
        }
    }
}
