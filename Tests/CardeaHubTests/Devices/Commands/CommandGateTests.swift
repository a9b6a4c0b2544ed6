import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Command gate")
struct CommandGateTests {
    @Test("A revoked pass is refused at its next use", .timeLimit(.minutes(10)))
    func revoked() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(), by: owner)
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            await #expect(throws: CommandRefusal.gate(.revoked(at: house.clock.now))) { try await house.run(house.open(as: guest)) }
            #expect(try await house.hub.guests.one(id, seenBy: owner).history.first?.reason == "revoked")
        }
    }

    @Test("Suspended, early, expired, off-schedule and remote uses are refused with their own reasons", .timeLimit(.minutes(10)))
    func refusals() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (paused, id, _) = try await house.guest(house.draft(), by: owner)
            _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
            await #expect(throws: CommandRefusal.gate(.suspended)) { try await house.run(house.open(as: paused)) }
            _ = try await house.hub.guests.decide(.resume, id, by: owner, origin: .house)
            #expect(try await house.run(house.open(as: paused)).status == .confirmed)

            let (early, _, _) = try await house.guest(house.draft(startsIn: 60), by: owner)
            await #expect(throws: CommandRefusal.gate(.notYetValid(startsAt: house.clock.now.addingTimeInterval(60)))) {
                try await house.run(house.open(as: early))
            }
            let (home, _, _) = try await house.guest(house.draft(localOnly: true), by: owner)
            await #expect(throws: CommandRefusal.gate(.forbiddenRemote)) { try await house.run(house.open(as: home, remote: "8.8.8.8")) }
            #expect(try await house.run(house.open(as: home, remote: "192.168.1.9")).status == .confirmed)

            let nine = try #require(TimeOfDay("09:00"))
            let ten = try #require(TimeOfDay("10:00"))
            let hours = WeeklySchedule(lines: [.init(days: [.sat], from: nine, to: ten)])
            let (hourly, _, _) = try await house.guest(house.draft(schedule: hours), by: owner)
            let next = hours.nextOpening(after: house.clock.now, in: house.hub.house.current.timeZone)
            await #expect(throws: CommandRefusal.gate(.outsideSchedule(next: next))) { try await house.run(house.open(as: hourly)) }

            let (short, _, _) = try await house.guest(house.draft(lasts: 5), by: owner)
            house.clock.jump(to: house.clock.now.addingTimeInterval(5))
            await #expect(throws: CommandRefusal.gate(.expired(at: house.clock.now))) { try await house.run(house.open(as: short)) }
        }
    }

    @Test(
        "A pass schedule follows the house's time zone as soon as it changes", .timeLimit(.minutes(10)))
    func otherClock() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            // It is three in the afternoon there.
            let hours = WeeklySchedule(lines: [
                .init(days: [.sat], from: try #require(TimeOfDay("14:30")), to: try #require(TimeOfDay("16:00")))
            ])
            let (guest, _, _) = try await house.guest(house.draft(schedule: hours), by: owner)
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)

            let facts = try await house.hub.house.change(
                { $0 }, name: "Cottage", timeZone: "Asia/Tokyo", seen: .any, by: owner, origin: .house, at: house.clock.now)

            #expect(facts.name == "Cottage" && facts.timeZone.identifier == "Asia/Tokyo")
            let next = hours.nextOpening(after: house.clock.now, in: facts.timeZone)
            await #expect(throws: CommandRefusal.gate(.outsideSchedule(next: next))) { try await house.run(house.open(as: guest)) }
            await #expect(throws: House.HouseError.self) {
                try await house.hub.house.change(
                    { $0 }, timeZone: "Mars/Olympus", seen: .any, by: owner, origin: .house, at: house.clock.now)
            }
        }
    }

    @Test("A pass for several doors must name one, and an ambiguous request consumes no use", .timeLimit(.minutes(10)))
    func severalDoors() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var draft = house.draft(uses: 3)
            draft.items.append(.init(deviceID: "back-door", entityID: nil, actions: ["door.unlock", "door.lock"]))
            let (guest, id, _) = try await house.guest(draft, by: owner)

            await #expect(throws: CommandRefusal.entityRequired(["lock.front_door", "lock.back_door"])) {
                try await house.run(house.open(as: guest))
            }
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)

            let unlock = try #require(ActionName("door.open"))
            let lock = try #require(ActionName("door.lock"))
            let light = try #require(ActionName("light.on"))
            func ask(_ action: ActionName, _ entity: String?) -> CommandRequest {
                CommandRequest(principal: guest, target: .pass(action, spoken: "x", entityID: entity), origin: .house)
            }
            #expect(try await house.run(ask(unlock, "lock.back_door")).entityID == "lock.back_door")
            #expect(try await house.run(ask(lock, nil)).entityID == "lock.back_door")
            await #expect(throws: CommandRefusal.gate(.actionNotAllowed)) { try await house.run(ask(lock, "lock.front_door")) }
            await #expect(throws: CommandRefusal.entityNotInScope) { try await house.run(ask(unlock, "lock.cellar")) }
            await #expect(throws: CommandRefusal.scopeMismatch) { try await house.run(ask(light, "lock.front_door")) }
            await #expect(throws: CommandRefusal.gate(.actionNotAllowed)) { try await house.run(ask(light, nil)) }
        }
    }

    @Test("A door closed to guests refuses passes issued before", .timeLimit(.minutes(10)))
    func notGuestAccessible() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            _ = try await house.hub.devices.edit("front-door", .init(isGuestAccessible: false), by: owner, origin: .house)
            await #expect(throws: CommandRefusal.gate(.notGuestAccessible)) { try await house.run(house.open(as: guest)) }
        }
    }

    @Test("A member opens doors but no security devices; wrong devices, verbs and values are refused by reason", .timeLimit(.minutes(10)))
    func residents() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "resident", by: owner)
            #expect(try await house.run(house.unlock(as: member)).status == .confirmed)
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            await #expect(throws: CommandRefusal.gate(.securityDevice)) { try await house.run(house.unlock(as: member)) }
            await #expect(throws: CommandRefusal.deviceNotFound) { try await house.run(house.unlock("nowhere", as: member)) }
            await #expect(throws: CommandRefusal.unsupported(.unlock)) { try await house.run(house.unlock("hall-light", as: member)) }
            let tooBright = CommandRequest(
                principal: member, target: .device(id: "hall-light", entityID: "light.hall", verb: .setBrightness), value: 101,
                origin: .house)
            await #expect(throws: CommandRefusal.invalidValue(.setBrightness)) { try await house.run(tooBright) }
            let noEntity = CommandRequest(
                principal: member, target: .device(id: "hall-light", entityID: "light.cellar", verb: .on), origin: .house)
            await #expect(throws: CommandRefusal.deviceNotFound) { try await house.run(noEntity) }
            await #expect(throws: CommandRefusal.gate(.noGrant)) {
                try await house.run(house.unlock(as: .person(id: "nobody", sessionID: "none")))
            }
            await #expect(throws: CommandRefusal.gate(.noGrant)) { try await house.run(house.open(as: .guest(id: "nobody"))) }
        }
    }
}
