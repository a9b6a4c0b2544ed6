import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("How the house's backups stand")
struct BackupStandingTests {
    @Test("Whoever may change the settings sees where to, how often, what came of the last one and when the next is due; nobody else does")
    func standing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("Daughter", role: "member", by: owner)
        let backups = house.hub.backups
        func seen() async throws -> Backups.Standing { try await backups.standing(of: house.hub.house.now, seenBy: owner) }

        #expect(try await seen() == Backups.Standing(state: .init(), routine: nil, next: nil, protection: nil))

        let protection = KeyProtection(place: .credential, sealedBy: .tpm2, liesBesideData: false)
        backups.tell(protection)
        #expect(try await seen().protection == protection && protection.level == "full")

        let routine = Backups.Routine(folder: "drawer", plan: BackupPlan(hours: 6))
        backups.tell(routine)
        #expect(try await seen().routine == routine)
        // There is none yet, so it is high time.
        #expect(try await seen().next == house.clock.now)

        try await backups.note(failure: "The disk is full.")
        #expect(try await seen().next == house.clock.now.addingTimeInterval(BackupPlan.rest))
        house.clock.advance(by: 60)
        try await backups.note(good: house.clock.now, bytes: 4096)
        let standing = try await seen()
        #expect(standing.next == house.clock.now.addingTimeInterval(6 * 3600) && !standing.state.isFailing)
        #expect(standing.state.good == .init(at: house.clock.now, bytes: 4096))
        // By a clock that ran ahead neither a good one nor a failure counts, once it is set right.
        house.clock.jump(to: house.clock.now.addingTimeInterval(-10 * 3600))
        #expect(try await seen().next == house.clock.now)
        house.clock.jump(to: house.clock.now.addingTimeInterval(20 * 3600))
        try await backups.note(failure: "The disk is full.")
        house.clock.jump(to: house.clock.now.addingTimeInterval(-15 * 3600))
        #expect(try await seen().next == house.clock.now)

        await #expect(throws: People.Problem.self) { _ = try await backups.standing(of: house.hub.house.now, seenBy: member) }
    }
}
