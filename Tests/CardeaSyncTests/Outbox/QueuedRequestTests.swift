import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaSync

@Suite("Queued questions and requests", .timeLimit(.minutes(10)))
struct QueuedRequestTests {
    private func asked(_ phone: TestPhone) -> Int { phone.transport.requests.count { $0 == "POST /api/v1/consciousness/query" } }

    private func queued(_ words: String, _ phone: TestPhone) async throws -> (entry: OutboxEntry, known: Dated<[LastKnownState]>) {
        guard case .queued(let entry, let known) = try await phone.replica.ask(words) else {
            throw CancellationError()
        }
        return (entry, known)
    }

    @Test("A question waits for a day, is asked once, and its late answer is kept until dismissed")
    func late() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            let asked = house.clock.now
            let entry = try await queued("is the hall light on?", phone).entry
            #expect(entry.notAfter == asked.addingTimeInterval(24 * 3600) && entry.operation.subject.kind == .question)
            #expect(try await phone.replica.lateAnswers().isEmpty)
            house.clock.advance(by: 3600)
            phone.transport.setCondition(.clear)
            let report = try await phone.replica.sync()
            #expect(report.sent == 1 && report.answered == 1 && report.ended == 0 && report.waiting == 0)
            let answers = try await phone.replica.lateAnswers()
            let answer = try #require(answers.first)
            #expect(answer.query == "is the hall light on?" && answer.response.contains("light"))
            #expect(answer.askedAt == asked && answer.answeredAt == house.clock.now)
            #expect(try await phone.replica.sync().answered == 1)
            #expect(self.asked(phone) == 1)
            try await phone.replica.dismiss(answers)
            #expect(try await phone.replica.outboxEntries().isEmpty)
        }
    }

    @Test("A question with a lost answer is repeated with its key up to three times, but not on the next day")
    func tries() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await queued("is the front door locked?", phone)
            phone.transport.setCondition(.dropsResponses, only: [.post])
            for _ in 1...3 { try await phone.replica.sync() }
            phone.transport.setCondition(.clear)
            let ended = try #require(try await phone.replica.outboxEntries().first)
            guard case .ended(let ending) = ended.status else {
                Issue.record("it waits still")
                return
            }
            #expect(ending.kind == .unknown && ended.lateAnswer == nil)
            let told = try await house.store.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM journal WHERE kind = 'house_asked'")
            }
            #expect(told == 1, "the house heard it once")
            _ = try await phone.replica.discard(ended.id)
            phone.transport.setCondition(.unreachable)
            _ = try await queued("is anything on?", phone)
            house.clock.advance(by: 24 * 3600)
            phone.transport.setCondition(.clear)
            let before = asked(phone)
            _ = try await phone.replica.sync()
            #expect(try await phone.replica.lateAnswers().isEmpty && asked(phone) == before)
        }
    }

    @Test("A command within a queued question is neither executed late nor offered again")
    func wish() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await queued("unlock the front door", phone)
            phone.transport.setCondition(.clear)
            try await phone.replica.sync()
            let answer = try #require(try await phone.replica.lateAnswers().first)
            #expect(answer.response.contains("nothing is done now") && house.doorBackend.backendCommands.isEmpty)
            let reply = try await phone.client.mind.ask("unlock the front door", askedAt: house.clock.now, key: "late")
            #expect(reply.suggestedActions.isEmpty && reply.choices.isEmpty)
            // Nor does "yes" or "it" refer to any of that.
            let now = try await phone.client.mind.ask("unlock the front door")
            #expect(!now.suggestedActions.isEmpty)
        }
    }

    @Test("For a queued question the known devices are shown by device name, else by room")
    func known() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            let asOf = house.clock.now
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 600)
            let clock = HouseClock(zone: .gmt, now: house.clock.now)
            let light = try await queued("Is the HALL light on?", phone).known
            #expect(light.asOf == asOf && light.value.map(\.device.deviceID) == ["hall-light"])
            #expect(light.value.first?.text(clock).hasPrefix("Hall light: ") == true)
            let both = try await queued("are front door and back door locked", phone).known
            #expect(both.value.map(\.device.deviceID) == ["front-door", "back-door"])
            #expect(try await queued("who was here?", phone).known.value.isEmpty)
        }
    }

    @Test("Late answers are erased with any person's erasure")
    func erased() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            _ = try await queued("who is home?", phone)
            phone.transport.setCondition(.clear)
            try await phone.replica.sync()
            #expect(try await phone.replica.lateAnswers().count == 1)
            let erased = ReplicaErasure(sealing: await phone.replica.store.sealing)
            try await phone.replica.store.write { try erased.erase(["person_gone"], in: $0) }
            #expect(try await phone.replica.lateAnswers().isEmpty)
        }
    }

    // MARK: Requests

    private func request<Answer: Sendable>(
        _ request: OutboxOperation.Request, _ phone: TestPhone, _ call: @Sendable (CardeaClient, String) async throws -> Answer
    ) async throws -> OutboxEntry? {
        guard case .queued(let entry) = try await phone.replica.submit(request, call) else { return nil }
        return entry
    }

    private func pass(_ name: String, _ house: TestHouse, lasts: TimeInterval) -> InviteGuestBody {
        InviteGuestBody(
            name: name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
            expiresAt: house.clock.now.addingTimeInterval(lasts), maxUses: 0)
    }

    @Test("A prepared pass is created once, expires with its validity and opens nothing by itself")
    func invited() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            let (plumber, hour) = (pass("Plumber", house, lasts: 4 * 3600), pass("Hour", house, lasts: 3600))
            let entry = try #require(try await request(.invite(plumber), phone) { try await $0.guests.invite(plumber, key: $1) })
            #expect(entry.notAfter == plumber.expiresAt)
            _ = try await request(.invite(hour), phone) { try await $0.guests.invite(hour, key: $1) }
            house.clock.advance(by: 3601)
            phone.transport.setCondition(.dropsResponses, only: [.post])
            try await phone.replica.sync()
            phone.transport.setCondition(.clear)
            try await phone.replica.sync()
            try await phone.client.sessions.login(username: "owner", password: TestHouse.password)
            try await phone.replica.sync()
            let guests = try await phone.client.guests.list().guests
            #expect(guests.map(\.name) == ["Plumber"] && guests.map(\.status) == [.waiting])
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("A removal succeeds if the item is gone, and conflicts with an unseen change")
    func takenOut() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let boiler = try await phone.client.maintenance.add(MaintenanceBody(title: "Boiler"))
            let filter = try await phone.client.maintenance.add(MaintenanceBody(title: "Filter"))
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            for task in [boiler, filter] {
                let remove = OutboxOperation.Request.removeTask(id: task.taskID, seen: task.version, name: task.title)
                _ = try await request(remove, phone) { try await $0.maintenance.remove(task.taskID, seen: task.version, key: $1) }
            }
            phone.transport.setCondition(.clear)
            try await phone.client.maintenance.remove(boiler.taskID)
            _ = try await phone.client.maintenance.complete(filter.taskID)
            let report = try await phone.replica.sync()
            #expect(report.sent == 1 && report.ended == 1)
        }
    }

    @Test("A token revocation is sent first and does not expire")
    func revoked() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.unreachable)
            let memory = RememberBody(content: "The bins go out on Tuesday")
            _ = try await phone.replica.remember(memory)
            let revoke = OutboxOperation.Request.revokeToken(id: "token_x", name: "Radio")
            let entry = try #require(try await request(revoke, phone) { try await $0.apiTokens.revoke("token_x", key: $1) })
            #expect(entry.notAfter == nil)
            #expect(try await phone.replica.outboxEntries().map(\.operation.name) == ["Radio", "The bins go out on Tuesday"])
        }
    }
}
