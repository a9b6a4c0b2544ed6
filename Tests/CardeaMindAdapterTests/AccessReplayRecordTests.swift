import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Access replay from the hub's records", .timeLimit(.minutes(5)))
struct AccessReplayRecordTests {
    @Test(
        "Under unchanged rules every recorded attempt replays with its recorded result"
    )
    func reproduced() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 60)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            _ = try? await house.submit(house.unlock("back-door", as: member))
            let (guest, id, _) = try await house.guest(house.draft(uses: 2), by: owner)
            for _ in 0..<3 {
                house.clock.advance(by: 60)
                _ = try? await house.run(house.open(as: guest))
            }
            let (near, _, _) = try await house.guest(house.draft(localOnly: true), by: owner)
            house.clock.advance(by: 60)
            _ = try? await house.submit(house.open(as: near, remote: "203.0.113.9"))
            house.clock.advance(by: 60)
            _ = try await house.run(house.open(as: near, remote: "192.168.1.7"))
            house.doorBackend.set(.jams, at: "lock.front_door")
            house.clock.advance(by: 60)
            _ = try await house.run(house.open(as: near))
            house.clock.advance(by: 60)

            let replay = try await HubHouseReader(house.hub.mindFeed).replay(since: house.clock.now - 86_400)
            let rows = replay.repeated().rows

            #expect(rows.count == 8 && rows.count { $0.attempt.refusal != nil } == 3)
            #expect(replay.repeated().contradictions.isEmpty && replay.repeated().unknown.isEmpty)
            #expect(rows.allSatisfy { $0.isReproduced == true })
            #expect(replay.rules.usesBefore["guest:\(id)"] == 0)
            let local = try #require(rows.first { $0.attempt.refusal == "forbidden_remote" })
            #expect(local.attempt.isLocal == false && local.attempt.entityID == "lock.front_door")
            // Only the requested period is read.
            #expect(try await HubHouseReader(house.hub.mindFeed).replay(since: house.clock.now).attempts.isEmpty)
        }
    }

    // A member became an admin, a door was flagged, and earlier decisions were once explained by the new rules.
    @Test(
        "Past roles, flags and suspensions apply at their time; without their audit rows the result is unknown"
    )
    func then() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            let (guest, id, _) = try await house.guest(house.draft(), by: owner)
            func tries() async throws {
                for ask in [house.unlock("back-door", as: member), house.unlock("front-door", as: member), house.open(as: guest)] {
                    house.clock.advance(by: 5)
                    do { _ = try await house.run(ask) } catch is CommandRefusal {}
                }
                house.clock.advance(by: 5)
            }
            func role(_ name: String) async throws {
                _ = try await house.hub.people.change(
                    String(member.key.dropFirst("person:".count)), .init(name: nil, role: name, canInviteGuests: nil, disabled: nil),
                    by: owner, origin: .house)
            }
            func flag(_ isSecurity: Bool, forGuests: Bool) async throws {
                _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: isSecurity), by: owner, origin: .house)
                _ = try await house.hub.devices.edit("front-door", .init(isGuestAccessible: forGuests), by: owner, origin: .house)
            }
            try await tries()
            try await flag(true, forGuests: true)
            try await tries()
            try await role("admin")
            try await flag(true, forGuests: false)
            try await tries()
            try await flag(true, forGuests: true)
            _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
            try await tries()
            _ = try await house.hub.guests.decide(.resume, id, by: owner, origin: .house)
            try await role("member")
            try await flag(false, forGuests: true)
            try await tries()

            let houseReader = HubHouseReader(house.hub.mindFeed)
            let since = house.clock.now.addingTimeInterval(-3600)
            let replay = try await houseReader.replay(since: since)
            let repeated = replay.repeated()
            #expect(repeated.rows.count == 15 && repeated.rows.allSatisfy { $0.isReproduced == true }, "\(repeated.contradictions)")
            #expect(
                repeated.rows.compactMap(\.attempt.refusal) == ["security_device", "not_guest_accessible", "suspended"])
            #expect(repeated.changed.isEmpty)
            // As an admin throughout, she would have opened exactly one door more.
            let turned = replay.compared(with: replay.rules.changed(by: .role(of: member.key, .admin))).changed
            #expect(turned.map(\.change) == [.allowed] && turned.first?.attempt.refusal == "security_device")

            // In an older version's format.
            try await house.store.write { db in
                try db.execute(sql: "UPDATE journal SET data = '{}' WHERE kind IN ('person_changed', 'device_changed', 'guest_changed')")
            }
            let blind = try await houseReader.replay(since: since).repeated()
            #expect(blind.contradictions.map(\.attempt.refusal) == ["security_device", "not_guest_accessible", "suspended"])
            #expect(blind.unknown.count == 3 && blind.doorsOpened.isEmpty && blind.doorsShut.isEmpty)
        }
    }

    @Test("A temporarily disabled person is allowed before and after, and refused meanwhile")
    func shutOut() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            func tries() async throws {
                house.clock.advance(by: 5)
                do { _ = try await house.run(house.unlock(as: member)) } catch is CommandRefusal {}
                house.clock.advance(by: 5)
            }
            try await tries()
            for isShutOut in [true, false] {
                _ = try await house.hub.people.change(
                    String(member.key.dropFirst("person:".count)),
                    .init(name: nil, role: nil, canInviteGuests: nil, disabled: isShutOut), by: owner, origin: .house)
                try await tries()
            }

            let since = house.clock.now.addingTimeInterval(-3600)
            let repeated = try await HubHouseReader(house.hub.mindFeed).replay(since: since).repeated()

            #expect(repeated.rows.map(\.attempt.refusal) == [nil, "no_grant", nil])
            #expect(repeated.rows.allSatisfy { $0.isReproduced == true }, "\(repeated.contradictions)")
            let steps = try await house.hub.mindFeed.accessHistory(since: since).grants[member.key] ?? []
            let scopes: [Grant.Scope] = [false, true, false].map { .role(.member, disabled: $0) }
            #expect(steps.map(\.value.scope) == scopes)
        }
    }

    @Test("An API token has its creator's rights at the time; a revoked one is unknown")
    func program() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("bea", role: "admin", by: owner)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let (token, secret) = try await house.hub.apiTokens.make(
                .init(name: "Heating script", items: nil, role: nil, expiresAt: nil), by: admin, origin: .house)
            let program = try await house.hub.sessions.authenticate(secret)
            house.clock.advance(by: 5)
            #expect(try await house.run(house.unlock("back-door", as: program)).status == .confirmed)
            house.clock.advance(by: 5)
            _ = try await house.hub.people.change(
                String(admin.key.dropFirst("person:".count)), .init(name: nil, role: "member", canInviteGuests: nil, disabled: nil),
                by: owner, origin: .house)
            house.clock.advance(by: 5)
            await #expect(throws: CommandRefusal.gate(.securityDevice)) {
                try await house.hub.commands.submit(house.unlock("back-door", as: program))
            }
            house.clock.advance(by: 5)

            let houseReader = HubHouseReader(house.hub.mindFeed)
            let since = house.clock.now.addingTimeInterval(-3600)
            let rows = try await houseReader.replay(since: since).repeated().rows
            #expect(rows.map(\.attempt.actor) == [program.key, program.key])
            #expect(rows.map(\.attempt.refusal) == [nil, "security_device"] && rows.allSatisfy { $0.isReproduced == true })

            try await house.hub.apiTokens.revoke(token.id, by: admin, origin: .house)
            let after = try await houseReader.replay(since: since).repeated().rows
            #expect(after.map(\.before) == [.unknown([.grant]), .unknown([.grant])])
        }
    }

    @Test("Thirty days of sealed records replay", .timeLimit(.minutes(5)))
    func month() async throws {
        let rounds = TestRepetitions.of(200, full: 1000)
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let (guest, _, _) = try await house.guest(house.draft(uses: rounds / 2, lasts: 40 * 86_400), by: owner)
            for _ in 0..<rounds {
                _ = try await house.run(house.unlock(as: owner))
                _ = try? await house.submit(house.unlock("back-door", as: member))
                _ = try? await house.run(house.open(as: guest))
                house.clock.advance(by: 30 * 86_400 / Double(rounds))
            }

            let houseReader = HubHouseReader(house.hub.mindFeed)
            let comparison = try await houseReader.replay(since: house.clock.now.addingTimeInterval(-31 * 86_400)).repeated()

            #expect(comparison.rows.count == 3 * rounds && comparison.rows.allSatisfy { $0.isReproduced == true })
            #expect(comparison.rows.count { $0.attempt.refusal == "used_up" } == rounds / 2)
        }
    }

    // Only the latest fifty thousand of each kind were read, and earlier ones were silently left out.
    @Test("A truncated access history reports the time from which it is complete")
    func cut() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            for _ in 0..<4 {
                house.clock.advance(by: 60)
                _ = try await house.run(house.unlock(as: owner))
                house.clock.advance(by: 60)
                _ = try? await house.submit(house.unlock("back-door", as: member))
            }
            let since = house.clock.now - 3600

            let whole = try await house.hub.mindFeed.accessHistory(since: since)
            let part = try await house.hub.mindFeed.accessHistory(since: since, limit: 3)

            #expect(whole.attempts.count == 8 && whole.since == nil)
            // From the second of the last refusals on, all are there.
            #expect(part.attempts.map(\.source) == whole.attempts.suffix(5).map(\.source))
            #expect(part.since == part.attempts.first?.at && part.attempts.first?.refusal != nil)
        }
    }

    @Test("Pending commands of a device are listed with value, oldest first")
    func askings() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "light.hall")
            for level in [20.0, 60] {
                house.clock.advance(by: 1)
                let target = CommandRequest.Target.device(id: "hall-light", entityID: nil, verb: .setBrightness)
                _ = try await house.submit(.init(principal: owner, target: target, value: .number(level), origin: .house))
            }
            _ = try await house.run(house.unlock(as: owner))

            let houseReader = HubHouseReader(house.hub.mindFeed)
            let asked = try await houseReader.commands(of: "hall-light", since: house.clock.now - 60)
            #expect(asked.map(\.value) == [20, 60] && asked.allSatisfy { $0.actor == owner.key && $0.verb == .setBrightness })
            #expect(try await houseReader.commands(of: nil, since: house.clock.now - 60).count == 3)
        }
    }
}
