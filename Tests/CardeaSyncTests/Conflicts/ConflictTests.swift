import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Conflicting edits", .timeLimit(.minutes(10)))
struct ConflictTests {
    /// Both know the study; one renames it while offline, and the other renames it online.
    private func met(
        _ body: @escaping @Sendable (_ phone: TestPhone, _ other: TestPhone, _ room: RoomDescriptionAnswer) async throws -> Void
    )
        async throws
    {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let other = try await TestPhone.signedIn(to: house, over: line)
            let made = try await other.client.rooms.add(RoomBody(name: "Study")).roomID
            try await phone.replica.sync()
            let room = try #require(try await phone.replica.rooms().value.first { $0.roomID == made })
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.edit(rename(room, "Library"))
            #expect(try await phone.replica.rooms().value.first { $0.roomID == made }?.name == "Library", "it stands here at once")
            _ = try await other.client.rooms.rename(made, to: "Office")
            phone.transport.setCondition(.clear)
            try await body(phone, other, room)
        }
    }

    private func rename(_ room: RoomDescriptionAnswer, _ name: String) -> OutboxOperation.Edit {
        OutboxOperation.Edit(change: .room(room.roomID, RoomBody(room, named: name)), seen: room.version, name: room.name)
    }

    @Test("A conflict keeps both versions, blocks local edits of the room and overwrites nothing")
    func found() async throws {
        try await met { phone, other, room in
            let report = try await phone.replica.sync()
            #expect(report.conflicts == 1 && report.sent == 0 && report.waiting == 0)
            let conflict = try #require(try await phone.replica.conflicts().first)
            #expect(conflict.remote["name"] == .string("Office"))
            let differences = try conflict.differences
            #expect(differences.map(\.member) == ["name"])
            #expect(differences.first?.mine == .string("Library") && differences.first?.theirs == .string("Office"))
            #expect(try await phone.replica.rooms().value.first { $0.roomID == room.roomID }?.name == "Office")
            await #expect(throws: OfflineQueueError.unresolvedConflict("Study")) { _ = try await phone.replica.edit(rename(room, "Den")) }
            #expect(try await phone.replica.sync().conflicts == 1, "it waits for a person")
            #expect(try await other.client.rooms.get(room.roomID).name == "Office")
        }
    }

    @Test("A local resolution is sent, a remote one drops the edit, and a merge is sent")
    func decided() async throws {
        for (resolution, name) in [(Choice.mine, "Library"), (.theirs, "Office"), (.both, "Library and office")] {
            try await met { phone, other, room in
                try await phone.replica.sync()
                let conflict = try #require(try await phone.replica.conflicts().first)
                let decided: ConflictResolution =
                    switch resolution {
                    case .mine: .useLocal
                    case .theirs: .useRemote
                    case .both: .merge(.room(room.roomID, RoomBody(room, named: name)))
                    }
                #expect(try await phone.replica.resolve(conflict.id, by: decided))
                #expect(try await !phone.replica.resolve(conflict.id, by: decided), "a second answer comes too late")
                let report = try await phone.replica.sync()
                #expect(report.conflicts == 0 && report.waiting == 0)
                #expect(try await other.client.rooms.get(room.roomID).name == name)
                #expect(try await phone.replica.rooms().value.first { $0.roomID == room.roomID }?.name == name)
            }
        }
    }

    private enum Choice: Sendable { case mine, theirs, both }

    @Test("A merge by field is sent, and an invalid value is refused and leaves the conflict open")
    func merged() async throws {
        try await met { phone, other, room in
            try await phone.replica.sync()
            let conflict = try #require(try await phone.replica.conflicts().first)
            #expect(throws: ConflictMergeError.invalidValue(.field("name", "must be a string"))) {
                try conflict.merged(["name": .number(4)])
            }
            let stranger = try #require(throws: ConflictMergeError.self) { try conflict.merged(["colour": .string("red")]) }
            #expect(stranger.localizedDescription.contains("\"colour\"") && stranger.localizedDescription.contains("name"))
            #expect(try await phone.replica.conflicts().count == 1)

            #expect(try await phone.replica.resolve(conflict.id, by: conflict.merged(["name": .string("Den")])))
            #expect(try await phone.replica.sync().conflicts == 0)
            #expect(try await other.client.rooms.get(room.roomID).name == "Den")
        }
    }

    @Test("A third edit during a resolution causes a new conflict")
    func changedAgain() async throws {
        try await met { phone, other, room in
            try await phone.replica.sync()
            let conflict = try #require(try await phone.replica.conflicts().first)
            _ = try await other.client.rooms.rename(room.roomID, to: "Workshop")
            #expect(try await phone.replica.resolve(conflict.id, by: .useLocal))
            #expect(try await phone.replica.sync().conflicts == 1)
            #expect(try await phone.replica.conflicts().first?.remote["name"] == .string("Workshop"))
        }
    }

    @Test("Equal edits are no conflict")
    func same() async throws {
        try await met { phone, other, room in
            _ = try await other.client.rooms.rename(room.roomID, to: "Library")
            let report = try await phone.replica.sync()
            #expect(report.conflicts == 0 && report.sent == 1)
        }
    }

    @Test("An edit with a lost answer does not conflict with itself")
    func lostAnswer() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let made = try await phone.client.rooms.add(RoomBody(name: "Study"))
            try await phone.replica.sync()
            _ = try await phone.replica.edit(rename(made, "Library"))
            phone.transport.setCondition(.dropsResponses, only: [.put])
            #expect(try await phone.replica.sync().waiting == 1)
            phone.transport.setCondition(.clear)
            // Past the day for which the house stores its answers.
            house.clock.advance(by: 25 * 3600)
            let report = try await phone.replica.sync()
            #expect(report.sent == 1 && report.conflicts == 0)
            #expect(try await phone.client.rooms.get(made.roomID).version == made.version + 1)
        }
    }
}
