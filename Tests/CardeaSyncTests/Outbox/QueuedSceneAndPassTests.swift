import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Queued scenes and passes", .timeLimit(.minutes(5)))
struct QueuedSceneAndPassTests {
    private func scene(_ name: String, _ actions: [(String, String)], on phone: TestPhone) async throws -> String {
        try await phone.client.scenes.create(
            SceneBody(name: name, actions: actions.map { DeviceActionBody(deviceID: $0.0, action: $0.1) })
        ).sceneID
    }

    private func guest(_ name: String, of phone: TestPhone) async throws -> String {
        try await phone.client.guests.invite(
            InviteGuestBody(
                name: name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                expiresAt: phone.house.clock.now.addingTimeInterval(4 * 3600), maxUses: 0)
        ).guestID
    }

    @Test("A queued memory note is stored once, also if the answer is lost")
    func memory() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            let body = RememberBody(type: .semantic, content: "The boiler was serviced in May")
            guard case .queued(let entry) = try await phone.replica.remember(body) else {
                Issue.record("it was not queued")
                return
            }
            #expect(entry.notAfter == house.clock.now.addingTimeInterval(24 * 3600) && entry.operation.subject.kind == .memory)
            phone.transport.setCondition(.dropsResponses, only: [.post])
            _ = try? await phone.replica.sync()
            phone.transport.setCondition(.clear)
            try await phone.replica.sync()
            #expect(try await phone.replica.outboxEntries().isEmpty)
            let kept = try await phone.client.mind.memories.list(.init(words: "boiler"))
            #expect(kept.memories.map(\.content) == ["The boiler was serviced in May"])
        }
    }

    @Test("A scene without a door is queued by action, and one with a door is refused whole")
    func scenes() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let evening = try await scene("Evening", [("hall-light", "on")], on: phone)
            let leaving = try await scene("Leaving", [("hall-light", "off"), ("front-door", "lock")], on: phone)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            await #expect(throws: OfflineQueueError.door("Front door")) { try await phone.replica.run(sceneID: leaving) }
            await #expect(throws: OfflineQueueError.unknownScene("party")) { try await phone.replica.run(sceneID: "party") }
            #expect(try await phone.replica.outboxEntries().isEmpty)
            guard case .queued(let entries) = try await phone.replica.run(sceneID: evening) else {
                Issue.record("it was not queued")
                return
            }
            #expect(entries.map(\.notAfter) == [house.clock.now.addingTimeInterval(15 * 60)])
            #expect(house.doorBackend.backendCommands.isEmpty)
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.sync().sent == 1)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on])
            guard case .completed(let answer) = try await phone.replica.run(sceneID: evening) else {
                Issue.record("it was not run")
                return
            }
            #expect(answer.results.map(\.status) == ["confirmed"])
        }
    }

    @Test("A pass revocation is sent first, and the pass is shown as valid until then")
    func withdrawn() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let (plumber, cleaner) = (try await guest("Plumber", of: phone), try await guest("Cleaner", of: phone))
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(DeviceCommand("hall-light", "on"))
            guard case .queued(let revoked) = try await phone.replica.withdraw(.revoke, guestID: plumber),
                case .queued = try await phone.replica.withdraw(.suspend, guestID: cleaner)
            else {
                Issue.record("it was not queued")
                return
            }
            #expect(revoked.notAfter == nil)
            await #expect(throws: OfflineQueueError.unknownGuest("nobody")) { try await phone.replica.withdraw(.revoke, guestID: "nobody") }
            #expect(try await phone.replica.guests().value.allSatisfy { ![.revoked, .suspended].contains($0.status) })
            house.clock.advance(by: 3 * 3600)
            phone.transport.setCondition(.clear)
            let before = phone.transport.requests.count
            let report = try await phone.replica.sync()
            #expect(report.sent == 2 && report.ended == 1, "the light was wished too long ago")
            let said = phone.transport.requests.dropFirst(before).filter { $0.hasPrefix("POST /api/v1/guests") || $0.hasPrefix("PUT") }
            #expect(said == ["POST /api/v1/guests/\(cleaner)/suspend", "POST /api/v1/guests/\(plumber)/revoke"])
            #expect(Set(try await phone.replica.guests().value.map(\.status)) == [.revoked, .suspended])
        }
    }

    @Test("A pass revocation with a lost answer takes effect once")
    func answerLost() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let plumber = try await guest("Plumber", of: phone)
            try await phone.replica.sync()
            phone.transport.setCondition(.dropsResponses, only: [.post])
            guard case .queued = try await phone.replica.withdraw(.revoke, guestID: plumber) else {
                Issue.record("it was not queued")
                return
            }
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.sync().sent == 1)
            #expect(try await phone.replica.guests().value.map(\.status) == [.revoked])
            let trail = try await phone.client.access.activity().entries.count { $0.action == "guest.revoke" }
            #expect(trail <= 1)
        }
    }

    @Test("A scene created offline is created once, and one deleted offline disappears locally at once")
    func writtenScenes() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let evening = try await scene("Evening", [("hall-light", "on")], on: phone)
            try await phone.replica.sync()
            let seen = try #require(try await phone.replica.scenes().value.first { $0.sceneID == evening })
            phone.transport.setCondition(.unreachable)
            let late = SceneBody(name: "Late", actions: [DeviceActionBody(deviceID: "hall-light", action: "off")])
            guard case .queued = try await phone.replica.make(late), case .queued = try await phone.replica.remove(seen) else {
                Issue.record("it was not queued")
                return
            }
            #expect(try await phone.replica.scenes().value.isEmpty)
            house.clock.advance(by: 3600)
            phone.transport.setCondition(.dropsResponses, only: [.post, .delete])
            #expect(try await phone.replica.sync().stopped != nil)
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.waiting == 0 && report.ended == 0)
            #expect(try await phone.client.scenes.list().scenes.map(\.name) == ["Late"])
            #expect(try await phone.replica.scenes().value.map(\.name) == ["Late"])
        }
    }

    @Test("A scene changed by another user meanwhile is not deleted")
    func changedMeanwhile() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let evening = try await scene("Evening", [("hall-light", "on")], on: phone)
            try await phone.replica.sync()
            let seen = try #require(try await phone.replica.scenes().value.first)
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.remove(seen)
            phone.transport.setCondition(.clear)
            let body = SceneBody(name: "Evening", actions: [DeviceActionBody(deviceID: "hall-light", action: "off")])
            _ = try await phone.client.scenes.replace(evening, body, seen: seen.version)
            #expect(try await phone.replica.sync().ended == 1)
            #expect(try await phone.replica.scenes().value.map(\.sceneID) == [evening])
        }
    }
}
