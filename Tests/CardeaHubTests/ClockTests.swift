import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("A clock that is wrong")
struct ClockTests {
    private static let day: TimeInterval = 86_400

    private func told(_ house: TestHouse) async throws -> [String] {
        try await house.store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT json_extract(opened(data, 'journal.data', seq), '$.words') FROM journal WHERE subject GLOB 'clock:*' ORDER BY seq"
            )
        }
    }

    @Test(
        "No pass is brought back to life by a clock that goes back: those who live here come in, guests wait, and the owner is told",
        .timeLimit(.minutes(10)))
    func behind() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (lasting, _, _) = try await house.guest(house.draft(lasts: 90 * Self.day), by: owner)
            let (short, _, _) = try await house.guest(house.draft(lasts: 60), by: owner)
            let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
            let (invitation, _) = try await house.hub.people.invite(
                name: "Grandmother", role: "member", by: owner, call: nil, origin: .house)
            let phone = try house.phone()
            let asked = try await house.hub.phonePairings.ask(phone, origin: .house)
            let before = house.clock.now
            house.clock.jump(to: before.addingTimeInterval(600))
            #expect(try await house.run(house.open(as: lasting)).status == .confirmed)
            await #expect(throws: CommandRefusal.gate(.expired(at: before.addingTimeInterval(60)))) {
                try await house.run(house.open(as: short))
            }

            // Nobody has looked at it since: what the gate saw is enough.
            house.clock.jump(to: before.addingTimeInterval(30))
            for pass in [lasting, short] {
                await #expect(throws: CommandRefusal.clockBehind) { try await house.run(house.open(as: pass)) }
            }
            await #expect {
                try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
            } throws: {
                if case GuestAccess.Problem.clockBehind = $0 { true } else { false }
            }
            // Neither what makes a person of the house, nor what makes a phone theirs.
            await #expect(throws: ClockBehind.self) {
                try await house.hub.people.accept(invitation.secret, username: "nan", password: TestHouse.password, origin: .house)
            }
            await #expect(throws: ClockBehind.self) {
                try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
            }
            await #expect(throws: ClockBehind.self) {
                try await house.hub.phonePairings.redeem(
                    .init(digits: asked.digits.reveal(), deviceID: phone.deviceID, secret: nil), origin: .house)
            }
            #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)
            try await house.hub.clock.look(at: house.clock.now)
            try await house.hub.clock.look(at: house.clock.now)
            #expect(try await told(house) == ["The house's clock went back 9 minutes. Passes open nothing until it is right."])
            #expect(house.hub.clock.standing().words?.contains("9 minutes behind") == true)
            let trail = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(trail.contains { $0.action == "clock.look" && $0.reason == "behind" })
            #expect(trail.contains { $0.result == "refused" && $0.reason == "clock_behind" })

            house.clock.jump(to: before.addingTimeInterval(601))
            #expect(try await house.run(house.open(as: lasting)).status == .confirmed)
            await #expect(throws: CommandRefusal.gate(.expired(at: before.addingTimeInterval(60)))) {
                try await house.run(house.open(as: short))
            }
            #expect(house.hub.clock.standing() == .sure && house.hub.clock.standing().words == nil)
        }
    }

    // A machine without a battery for its clock was brought up to date, began in 1970, and took that for the time.
    @Test("A house that never looked at its clock knows from its record what has been")
    func fromTheRecord() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let house = try await TestHouse.make(store: store, sealing: sealing)
        _ = try await house.claim()
        try await store.write { try $0.execute(sql: "DELETE FROM clock") }

        let surroundings = ManualClock(Date(timeIntervalSince1970: 0)).surroundings
        let early = try await Hub(store: store, sealing: sealing, surroundings: surroundings, logger: .silent)

        #expect(early.clock.isBehind(at: surroundings.now()))
        #expect(!early.clock.isBehind(at: house.clock.now))
    }

    @Test("What was sure is known after a restart; whoever looks after the house may say that the clock is right")
    func restarted() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let house = try await TestHouse.make(store: store, sealing: sealing)
        let (owner, _) = try await house.claim()
        house.clock.advance(by: 3600)
        try await house.hub.clock.look(at: house.clock.now)
        let again = try await TestHouse.make(store: store, sealing: sealing)
        #expect(again.hub.clock.standing() == .behind(by: 3600))
        #expect(try await ClockWatch.standing(store, at: again.clock.now) == .behind(by: 3600))
        #expect(try await told(again).count == 1)
        try await again.hub.clock.trust(at: again.clock.now)
        #expect(again.hub.clock.standing() == .sure)
        let trail = try await again.hub.activity.entries(.init(), seenBy: owner)
        #expect(trail.first?.action == "clock.trust")
        #expect(try await ClockWatch.standing(store, at: again.clock.now) == .sure)
    }

    @Test("By a clock that leapt ten years ahead nothing is forgotten, and nobody is erased; set right, all is as it was")
    func ahead() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let before = house.clock.now
        try await house.store.write { db in
            _ = try Journal.append(.houseChanged, subject: "yesterday", at: before.addingTimeInterval(-Self.day), in: db)
        }
        func rows() async throws -> Int {
            try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject = 'yesterday'") ?? 0 }
        }
        for leap in [40 * Self.day, 3650 * Self.day] {
            house.clock.jump(to: before.addingTimeInterval(leap))
            for _ in 0..<60 {
                try await house.hub.clock.look(at: house.clock.now)
                try await house.hub.housekeeping.sweep(at: house.clock.now)
                house.clock.advance(by: 3600)
            }
            #expect(try await rows() == 1)
        }
        #expect(house.hub.clock.standing().words?.contains("until it is right") == true)
        #expect(
            try await told(house) == [
                "The house's clock is 40 days ahead of when it was last sure. Until somebody says that it is right, nothing is forgotten.",
                "The house's clock is 9 years ahead of when it was last sure. Until somebody says that it is right, nothing is forgotten.",
            ])
        house.clock.jump(to: before.addingTimeInterval(7200))
        try await house.hub.clock.look(at: house.clock.now)
        #expect(house.hub.clock.standing() == .sure)

        // A house that was without power for three weeks believes its clock again after a day.
        house.clock.jump(to: before.addingTimeInterval(100 * Self.day))
        try await house.hub.clock.trust(at: house.clock.now)
        house.clock.jump(to: before.addingTimeInterval(121 * Self.day))
        try await house.hub.clock.look(at: house.clock.now)
        #expect(house.hub.clock.standing().words?.contains("20 days ahead") == false)
        for _ in 0..<24 {
            #expect(house.hub.clock.standing() != .sure)
            house.clock.advance(by: 3600)
            try await house.hub.clock.look(at: house.clock.now)
        }
        #expect(house.hub.clock.standing() == .sure)
        _ = try await house.store.write { [now = house.clock.now] db in try Journal.append(.houseChanged, subject: "today", at: now, in: db)
        }
        try await house.hub.forgetting.run(at: house.clock.now)
        #expect(try await rows() == 0)
    }

    @Test("The service looks once a minute and ends with the house")
    func service() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let running = Task { try await house.hub.clock.run() }
        let next = house.clock.now.addingTimeInterval(60)
        try await until { house.clock.isAwaited(next) }
        house.clock.advance(by: 60)
        try await until { house.clock.isAwaited(next.addingTimeInterval(60)) }
        let seen = try await house.store.read { try ClockRecords.mark($0)?.sureAt }
        #expect(seen == house.clock.now)
        running.cancel()
        try await running.value
    }
}
