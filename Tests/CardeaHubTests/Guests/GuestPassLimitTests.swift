import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Limits of guest passes")
struct GuestPassLimitTests {
    private let origin = RequestOrigin(remote: "192.0.2.7", isLocal: false, requestID: nil)

    private func isUnknown(_ error: any Error) -> Bool {
        if case GuestAccess.GuestAccessError.codeUnknown = error { true } else { false }
    }

    @Test("Scan recording accepts a redeemed code, rejects expired and unknown codes, and throttles guessing")
    func scanned() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let (others, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let redeemedAt = house.clock.now
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: origin)
        house.clock.advance(by: 300)

        let seen = try await house.hub.guestAccess.recordScan(codes.linkCode.reveal(), origin: origin)
        #expect(!seen.isFirst && seen.at == redeemedAt && seen.expiresAt == nil)
        await #expect {
            try await house.hub.guestAccess.recordScan(others.spokenCode.reveal(), origin: origin)
        } throws: {
            if case GuestAccess.GuestAccessError.codeExpired = $0 { true } else { false }
        }
        for _ in 0..<11 {
            await #expect {
                try await house.hub.guestAccess.recordScan(SecretGenerator.spokenCode().reveal(), origin: origin)
            } throws: {
                isUnknown($0)
            }
        }
        await #expect {
            try await house.hub.guestAccess.recordScan(others.linkCode.reveal(), origin: origin)
        } throws: {
            if case GuestAccess.GuestAccessError.throttled = $0 { true } else { false }
        }
    }

    @Test("A local-only pass cannot be redeemed or validated from a remote address")
    func localOnly() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(localOnly: true), by: owner, call: nil, origin: .house)
        func isRemote(_ error: any Error) -> Bool {
            if case GuestAccess.GuestAccessError.pass(.forbiddenRemote) = error { true } else { false }
        }
        await #expect {
            try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: origin)
        } throws: {
            isRemote($0)
        }
        let guest = Principal.guest(id: codes.guestID)
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)

        _ = try await house.hub.guestAccess.validPass(of: guest, origin: .house)
        await #expect {
            try await house.hub.guestAccess.validPass(of: guest, origin: origin)
        } throws: {
            isRemote($0)
        }
        _ = try await house.hub.guests.decide(.suspend, codes.guestID, by: owner, origin: .house)
        await #expect {
            try await house.hub.guestAccess.validPass(of: guest, origin: .house)
        } throws: {
            if case GuestAccess.GuestAccessError.pass(.suspended) = $0 { true } else { false }
        }
    }

    @Test("A principal without a pass and an unknown token are unauthorized")
    func strangers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        func isUnauthorized(_ error: any Error) -> Bool {
            if case GuestAccess.GuestAccessError.unauthorized = error { true } else { false }
        }
        for nobody in [owner, .guest(id: "guest_nobody")] {
            await #expect {
                try await house.hub.guestAccess.pass(of: nobody)
            } throws: {
                isUnauthorized($0)
            }
        }
        await #expect {
            try await house.hub.guestAccess.authenticate(SecretGenerator.token(.guestPass), origin: .house)
        } throws: {
            isUnauthorized($0)
        }
    }

    @Test("Malformed links and codes are rejected as such and do not count as guesses")
    func notWhole() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let link = codes.linkCode.reveal()
        let before = try await house.auditNotes().count
        for text in [String(link.dropLast()), String(repeating: "A", count: 257), "cardea_gl_", "\u{200B}"]
            + Array(repeating: "?", count: 100)
        {
            await #expect {
                try await house.hub.guestAccess.pair(text, origin: origin)
            } throws: {
                if case GuestAccess.GuestAccessError.incompleteCode = $0 { true } else { false }
            }
            await #expect {
                try await house.hub.guestAccess.recordScan(text, origin: origin)
            } throws: {
                if case GuestAccess.GuestAccessError.incompleteCode = $0 { true } else { false }
            }
        }
        #expect(try await house.auditNotes().count == before)
        // In every spelling it is the same code, and valid once.
        #expect(try await house.hub.guestAccess.recordScan("<https://house.example/g#\(link)>.", origin: origin).isFirst)
        #expect(try await !house.hub.guestAccess.recordScan(link + "%E2%80%8B", origin: origin).isFirst)
        _ = try await house.hub.guestAccess.pair(link + "?utm_source=mail", origin: origin)
        await #expect {
            try await house.hub.guestAccess.pair(link + ".", origin: origin)
        } throws: {
            isUnknown($0)
        }
    }

    @Test("A pass with unreadable or no items is listed and opens nothing")
    func damagedList() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (guest, id, _) = try await house.guest(house.draft(), by: owner)
        func opens(_ refusal: CommandRefusal) async {
            await #expect(throws: refusal) { try await house.hub.commands.submit(house.open(as: guest)) }
        }

        try await house.store.write { try $0.execute(sql: "UPDATE guest_items SET actions = '{}'") }
        await opens(.gate(.actionNotAllowed))
        try await house.store.write { try $0.execute(sql: "DELETE FROM guest_items") }
        await opens(.deviceNotFound)
        #expect(try await house.hub.guests.all(seenBy: owner).map(\.id) == [id])
    }

    @Test("An ended pass allows no new code, approval or suspension; an unknown pass is not found")
    func over() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        func conflict(_ reason: String, _ body: () async throws -> Void) async {
            await #expect {
                try await body()
            } throws: {
                if case Guests.GuestError.conflict(reason) = $0 { true } else { false }
            }
        }
        let (_, id, _) = try await house.guest(house.draft(), by: owner)
        await conflict("nothing waits for a yes") { _ = try await house.hub.guests.decide(.approve, id, by: owner, origin: .house) }
        _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
        await conflict("revoked") { _ = try await house.hub.guests.newCode(for: id, by: owner, origin: .house) }
        await conflict("revoked") { _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house) }
        let (_, short, _) = try await house.guest(house.draft(lasts: 60), by: owner)
        house.clock.advance(by: 60)
        await conflict("expired") { _ = try await house.hub.guests.newCode(for: short, by: owner, origin: .house) }
        await #expect {
            try await house.hub.guests.one("guest_nobody", seenBy: owner)
        } throws: {
            if case Guests.GuestError.notFound = $0 { true } else { false }
        }
    }

    @Test("A pass needs a name and cannot include a device closed to guests")
    func drafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        var nameless = house.draft()
        nameless.name = " "
        await #expect {
            try await house.hub.guests.invite(nameless, by: owner, call: nil, origin: .house)
        } throws: {
            if case Guests.GuestError.name(.empty) = $0 { true } else { false }
        }
        _ = try await house.hub.devices.edit("front-door", .init(isGuestAccessible: false), by: owner, origin: .house)
        await #expect {
            try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        } throws: {
            if case Guests.GuestError.forbidden(.notGuestAccessible) = $0 { true } else { false }
        }
    }
}
