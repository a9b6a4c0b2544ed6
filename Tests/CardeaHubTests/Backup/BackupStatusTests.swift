import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Backup status")
struct BackupStatusTests {
    @Test("The backup status shows target, schedule, last result and next run, and requires settings rights")
    func standing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("Daughter", role: "member", by: owner)
        let backups = house.hub.backups
        func seen() async throws -> BackupRegistry.Status { try await backups.status(of: house.hub.house.current, seenBy: owner) }

        #expect(try await seen() == BackupRegistry.Status(state: .init(), configuration: nil, next: nil, protection: nil))

        let protection = KeyProtection(location: .credential, sealedBy: .tpm2, isBesideData: false)
        backups.update(protection)
        #expect(try await seen().protection == protection && protection.level == "full")

        let routine = BackupRegistry.Configuration(folder: "drawer", plan: BackupPlan(hours: 6))
        backups.update(routine)
        #expect(try await seen().configuration == routine)
        // There is none yet, so it is due now.
        #expect(try await seen().next == house.clock.now)

        try await backups.record(failure: "The disk is full.")
        #expect(try await seen().next == house.clock.now.addingTimeInterval(BackupPlan.retryInterval))
        house.clock.advance(by: 60)
        try await backups.record(good: house.clock.now, bytes: 4096)
        let standing = try await seen()
        #expect(standing.next == house.clock.now.addingTimeInterval(6 * 3600) && !standing.state.isFailing)
        #expect(standing.state.lastSuccess == .init(at: house.clock.now, bytes: 4096))
        // After a clock that ran ahead is corrected, neither its good backups nor its failures count.
        house.clock.jump(to: house.clock.now.addingTimeInterval(-10 * 3600))
        #expect(try await seen().next == house.clock.now)
        house.clock.jump(to: house.clock.now.addingTimeInterval(20 * 3600))
        try await backups.record(failure: "The disk is full.")
        house.clock.jump(to: house.clock.now.addingTimeInterval(-15 * 3600))
        #expect(try await seen().next == house.clock.now)

        await #expect(throws: People.PersonError.self) { _ = try await backups.status(of: house.hub.house.current, seenBy: member) }
    }
}
