import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Replica confirmations after an erasure", .timeLimit(.minutes(10)))
struct ReplicaTests {
    private struct Household {
        let house: TestHouse
        let owner, ada, ben: Principal
        let adaTokens: SessionTokens
        let adaID: String

        func job() async throws -> Job {
            let job = try await house.hub.jobs.erase(adaID, by: owner, origin: .house)
            try await house.hub.jobs.runAll()
            return job
        }

        func standing(_ job: Job) async throws -> Replicas.Status? { try await house.hub.jobs.one(job.id, seenBy: owner).replicas }
    }

    private func household() async throws -> Household {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, tokens) = try await house.resident("ada", role: "admin", by: owner)
        let (ben, _) = try await house.resident("ben", role: "member", by: owner)
        return Household(house: house, owner: owner, ada: ada, ben: ben, adaTokens: tokens, adaID: try #require(ada.personID))
    }

    @Test("Replicas existing at the erasure owe one confirmation; later ones and people without one owe none")
    func owed() async throws {
        let all = try await household()
        let replicas = all.house.hub.replicas
        #expect(try await replicas.confirm(without: [], by: all.owner, origin: .house).isEmpty)
        _ = try await replicas.confirm(without: [], by: all.ada, origin: .house)

        let job = try await all.job()
        let told = Replicas.Status(notified: 1, confirmed: 0, pending: 1, ownReplicas: 1)
        #expect(try await all.standing(job) == told)
        let answer = try await replicas.confirm(without: [all.adaID, "person_nobody"], by: all.ben, origin: .house)
        #expect(try await all.standing(job) == told, "ben owed nothing")
        for _ in 0..<2 {
            #expect(try await replicas.confirm(without: [all.adaID], by: all.owner, origin: .house) == answer, "nothing is learnt from it")
        }

        #expect(answer == [all.adaID])
        #expect(try await all.standing(job) == Replicas.Status(notified: 1, confirmed: 1, pending: 0, ownReplicas: 1))
    }

    @Test("A repeated replica check without a confirmation commits nothing")
    func askedAgain() async throws {
        // Each page load in a browser once cost the house one.
        let all = try await household()
        let replicas = all.house.hub.replicas
        _ = try await replicas.confirm(without: [], by: all.owner, origin: .house)
        let job = try await all.job()
        let before = all.house.store.commitCount

        #expect(try await replicas.confirm(without: [], by: all.owner, origin: .house) == [all.adaID])
        #expect(all.house.store.commitCount == before)
        _ = try await replicas.confirm(without: [all.adaID], by: all.owner, origin: .house)
        #expect(all.house.store.commitCount > before)
        #expect(try await all.standing(job)?.confirmed == 1)
    }

    @Test("An ended session owes no confirmation and does not count as confirmed")
    func over() async throws {
        let all = try await household()
        for who in [all.owner, all.ben] { _ = try await all.house.hub.replicas.confirm(without: [], by: who, origin: .house) }
        let job = try await all.job()
        #expect(try await all.standing(job)?.pending == 2)

        try await all.house.hub.sessions.logout(all.ben, origin: .house)
        #expect(try await all.standing(job) == Replicas.Status(notified: 2, confirmed: 0, pending: 1, ownReplicas: 0))
        // A second erasure does not notify a deleted one.
        let (carl, _) = try await all.house.resident("carl", role: "member", by: all.owner)
        let other = try await all.house.hub.jobs.erase(try #require(carl.personID), by: all.owner, origin: .house)
        try await all.house.hub.jobs.runAll()
        #expect(try await all.standing(other)?.notified == 1)
    }

    @Test("Residents receive `person_erased` once the erasure is complete; guests receive nothing")
    func heard() async throws {
        let all = try await household()
        let before = try await all.house.hub.journal.last()
        _ = try await all.job()
        let member = try #require(try await all.house.hub.visibilityFilter.visibility(of: all.ben, isLocal: true))
        let (events, _) = try await all.house.hub.journal.events(after: before, limit: 100)
        let told = events.compactMap(member.filtered).filter { $0.name == .personErased }
        #expect(told.count == 1)
        guard case .personErased(all.adaID)? = told.first?.fact else { throw CancellationError() }
        #expect(events.last?.name == .personErased)
        let guest = Visibility.pass(guestID: "guest_1", entities: [], devices: [])
        #expect(events.compactMap(guest.filtered).isEmpty)
    }

    @Test("An erased person's refresh token returns `erased` until its retention ends; an unknown token does not")
    func ownDevice() async throws {
        let all = try await household()
        _ = try await all.job()
        await #expect(throws: Sessions.SessionError.self) { try await all.house.hub.sessions.authenticate(all.adaTokens.access) }
        for _ in 0..<2 {
            do {
                _ = try await all.house.hub.sessions.refresh(all.adaTokens.refresh, origin: .house)
                Issue.record("it was renewed")
            } catch Sessions.SessionError.erased {}
        }
        // A token that was never issued is a stranger's.
        do {
            _ = try await all.house.hub.sessions.refresh(Secret("cr_" + String(repeating: "a", count: 43)), origin: .house)
            Issue.record("it was renewed")
        } catch Sessions.SessionError.unauthorized {}
        all.house.clock.advance(by: 91 * 86_400)
        try await all.house.hub.clock.trust(at: all.house.clock.now)
        try await all.house.hub.housekeeping.sweep(at: all.house.clock.now)
        #expect(try await all.house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM erased_tokens") } == 0)
    }

    @Test("An API token cannot confirm a replica")
    func programs() async throws {
        let all = try await household()
        await #expect(throws: People.PersonError.self) {
            try await all.house.hub.replicas.confirm(without: [], by: .apiToken(id: "token_1", personID: all.adaID), origin: .house)
        }
    }
}
