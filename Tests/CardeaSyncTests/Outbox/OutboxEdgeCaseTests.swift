import CardeaAPI
import CardeaClient
import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSync
import CardeaTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Edge cases of the outbox", .timeLimit(.minutes(10)))
struct OutboxEdgeCaseTests {
    private func rename(_ room: RoomDescriptionAnswer, _ name: String) -> OutboxOperation.Edit {
        OutboxOperation.Edit(change: .room(room.roomID, RoomBody(room, named: name)), seen: room.version, name: room.name)
    }

    // A second rename while offline once met the first, and was taken for another person's.
    @Test("Two consecutive edits of one's own do not conflict")
    func twice() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let made = try await phone.client.rooms.add(RoomBody(name: "Study"))
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for name in ["Library", "Den"] {
                let room = try #require(try await phone.replica.rooms().value.first { $0.roomID == made.roomID })
                _ = try await phone.replica.edit(rename(room, name))
            }
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.sent == 2 && report.conflicts == 0)
            #expect(try await phone.client.rooms.get(made.roomID).name == "Den")
        }
    }

    // A resolution was once queued after later edits, and undid them.
    @Test("A conflict resolution is sent before later edits")
    func decidedFirst() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let made = try await phone.client.rooms.add(RoomBody(name: "Study"))
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for name in ["Library", "Den"] { _ = try await phone.replica.edit(rename(made, name)) }
            _ = try await TestPhone.signedIn(to: house, over: line).client.rooms.rename(made.roomID, to: "Office")
            phone.transport.setCondition(.clear)
            try await phone.replica.sync()
            let conflict = try #require(try await phone.replica.conflicts().first)
            #expect(try await phone.replica.resolve(conflict.id, by: .useLocal))
            #expect(try await phone.replica.outboxEntries().first?.operation.name == "Study")
            try await phone.replica.sync()
            // The later edit was made to the room as it was before Office; it conflicts again.
            #expect(try await phone.client.rooms.get(made.roomID).name == "Library")
            #expect(try await phone.replica.conflicts().count == 1)
        }
    }

    // A door was once refused as "cannot be reached" while its new name waited for a decision.
    @Test("A queued rename does not block the door's command")
    func doorBesideName() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            let door = try #require(try await phone.replica.devices().value.first { $0.deviceID == "front-door" })
            phone.transport.setCondition(.busy, only: [.patch])
            _ = try await phone.replica.edit(
                .init(change: .device(door.deviceID, ChangeDeviceBody(name: "Street door")), seen: door.version, name: door.name))
            try await phone.replica.sync()
            let patches = phone.transport.requests.count { $0.hasPrefix("PATCH") }
            guard case .completed(.confirmed) = try await phone.replica.control(DeviceCommand("front-door", "unlock")) else {
                Issue.record("the door was not opened")
                return
            }
            #expect(phone.transport.requests.count { $0.hasPrefix("PATCH") } == patches, "and waited for nothing")
        }
    }

    // The cursor once passed a change of one's own permissions, and data that one may no longer see stayed.
    @Test("Reduced rights remove data with the next sync")
    func fewerRights() async throws {
        try await TestHouse.open { house in
            let (who, _) = try await house.claim()
            _ = try await house.resident("ada", role: "admin", by: who)
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { line in
                let owner = try await TestPhone.signedIn(to: house, over: line)
                let phone = try await TestPhone.signedIn("ada", to: house, over: line)
                _ = try await owner.client.guests.invite(
                    InviteGuestBody(
                        name: "Plumber", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                        expiresAt: house.clock.now.addingTimeInterval(3600), maxUses: 0))
                try await phone.replica.sync()
                #expect(try await phone.replica.guests().value.count == 1)
                let ada = try #require(try await owner.client.people.list().people.first { $0.username == "ada" })
                _ = try await owner.client.people.change(ada.personID, ChangePersonBody(role: "member"))
                try await phone.client.sessions.login(username: "ada", password: TestHouse.password)
                try await phone.replica.sync()
                #expect(try await phone.replica.guests().value.isEmpty)
            }
        }
    }

    @Test("A clock set back does not revive an expired command")
    func setBack() async throws {
        try await withHouse { house, line in
            let clock = ManualClock(house.clock.now)
            let phone = try await TestPhone.signedIn(to: house, over: line, clock: clock)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(DeviceCommand("hall-light", "on"))
            clock.jump(to: clock.now.addingTimeInterval(-3 * 3600))
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.ended == 1 && report.sent == 0 && house.doorBackend.backendCommands.isEmpty)
        }
    }
}
