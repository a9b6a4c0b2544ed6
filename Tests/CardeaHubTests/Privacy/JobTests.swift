import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Privacy jobs", .timeLimit(.minutes(5)))
struct JobTests {
    /// Runs a closure in the middle of an export: while the mind is asked for a person's data.
    private struct SuspendingDataProvider: PersonalDataProvider {
        let key: String
        let act: @Sendable () async throws -> Void

        func personalData(of key: String) async throws -> [JSONValue] {
            if key == self.key { try await act() }
            return []
        }

        func erase(_ key: String, names: [String]) async throws -> Int { 0 }
    }

    /// The texts of a person's notifications, newest first.
    private static func told(_ who: Principal, in house: TestHouse) async throws -> [String?] {
        try await house.hub.notificationDispatcher.planNotifications()
        house.clock.advance(by: 1)
        return try await house.hub.notices.page(of: who).notices.map(\.fact.text)
    }

    private static func choose(_ who: Principal, in house: TestHouse, _ change: (inout NoticePreferences) -> Void) async throws {
        var preferences = NoticePreferences()
        change(&preferences)
        _ = try await house.hub.notices.change(preferences, of: "me", seen: .any, by: who, origin: .house)
    }

    @Test("Only the requester is notified, once, when an export or erasure finishes or fails, whatever kinds they chose")
    func ends() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let (jobs, adaID) = (house.hub.jobs, try #require(ada.personID))
            try await Self.choose(ada, in: house) { $0.kinds = [.ring] }

            _ = try await jobs.export(adaID, by: ada, origin: .house)
            #expect(try await Self.told(ada, in: house) == [])
            try await jobs.runAll()
            let ready = "Your export is ready. Download it within a day, under Privacy."
            for _ in 0..<2 { #expect(try await Self.told(ada, in: house) == [ready]) }
            let notice = try #require(try await house.hub.notices.page(of: ada).notices.first)
            #expect(notice.kind == .work && !notice.isQuiet && notice.eventID == nil && notice.commandID == nil)

            let failing = try await jobs.export(adaID, by: owner, origin: .house)
            try await house.store.write { try JobRecords.fail(failing.id, because: "No room.", at: house.clock.now, in: $0) }
            #expect(try await Self.told(owner, in: house) == ["Your export failed. No room."])

            let guest = try await house.guest(house.draft(), by: ada).id
            _ = try await jobs.erase(guest: guest, by: ada, origin: .house)
            try await jobs.runAll()
            #expect(try await Self.told(ada, in: house) == ["The erasure that you requested is done.", ready])
            #expect(try await Self.told(owner, in: house).count == 1)
        }
    }

    @Test("Job notifications respect muting, are quiet at night, and are not sent after self-erasure")
    func unwanted() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        let jobs = house.hub.jobs
        let guests = [try await house.guest(house.draft(), by: owner).id, try await house.guest(house.draft(), by: owner).id]

        try await Self.choose(owner, in: house) { $0.mutedPlaces = ["privacy"] }
        _ = try await jobs.erase(guest: guests[0], by: owner, origin: .house)
        _ = try await jobs.erase(try #require(ada.personID), by: ada, origin: .house)
        try await jobs.runAll()
        #expect(try await Self.told(owner, in: house) == [])

        let midnight = try #require(TimeOfDay("00:00"))
        try await Self.choose(owner, in: house) {
            $0.quietHours = PersonalQuietHours(hours: QuietHours(from: midnight, to: midnight), zone: .gmt)
        }
        _ = try await jobs.erase(guest: guests[1], by: owner, origin: .house)
        try await jobs.runAll()
        #expect(try await Self.told(owner, in: house) == ["The erasure that you requested is done."])
        #expect(try await house.hub.notices.page(of: owner).notices.map(\.isQuiet) == [true])
    }

    @Test("A waiting export can be cancelled by its requester or an owner; the requester is notified and may retry")
    func stopsWaiting() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let (ben, _) = try await house.resident("ben", role: "admin", by: owner)
            let (jobs, adaID) = (house.hub.jobs, try #require(ada.personID))

            let job = try await jobs.export(adaID, by: ada, origin: .house)
            await #expect(throws: Jobs.JobError.self) { try await jobs.stop(job.id, by: ben, origin: .house) }
            let stopped = try await jobs.stop(job.id, by: ada, origin: .house)
            #expect(stopped.state == .failed && stopped.step == "stopped" && stopped.problem == "It was stopped.")
            await #expect {
                try await jobs.stop(job.id, by: ada, origin: .house)
            } throws: {
                if case Jobs.JobError.hasEnded? = $0 as? Jobs.JobError { true } else { false }
            }
            try await jobs.runAll()
            #expect(try await jobs.one(job.id, seenBy: ada).state == .failed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            #expect(try await Self.told(ada, in: house) == [])

            let again = try await jobs.export(adaID, by: ada, origin: .house)
            _ = try await jobs.stop(again.id, by: owner, origin: .house)
            #expect(try await Self.told(ada, in: house) == ["Your export failed. It was stopped."])
            let notes = try await house.auditNotes().filter { $0.action == "export.drop" }
            #expect(notes.map(\.id) == [adaID, owner.personID] && notes.allSatisfy { $0.result == "done" })
            #expect(notes.map(\.grantID) == ["role:\(adaID)", "role:\(adaID)"])

            for _ in 0..<2 {
                let done = try await jobs.export(adaID, by: ada, origin: .house)
                try await jobs.runAll()
                #expect(try await jobs.one(done.id, seenBy: ada).state == .done)
            }
        }
    }

    @Test("An export cancelled while running leaves no file or key, and the next export runs")
    func stopsRunning() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let (jobs, adaID) = (house.hub.jobs, try #require(ada.personID))
            let job = try await jobs.export(adaID, by: ada, origin: .house)
            house.clock.advance(by: 1)
            let next = try await jobs.export(try #require(owner.personID), by: owner, origin: .house)
            house.hub.attach(
                SuspendingDataProvider(key: "person:\(adaID)") {
                    #expect(try await jobs.one(job.id, seenBy: ada).state == .running)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
                    _ = try await jobs.stop(job.id, by: ada, origin: .house)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                })

            try await jobs.runAll()

            #expect(try await jobs.one(job.id, seenBy: ada).state == .failed)
            let keys = try await house.store.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM jobs WHERE id = ? AND file_key IS NOT NULL", arguments: [job.id])
            }
            #expect(keys == 0)
            #expect(try await jobs.one(next.id, seenBy: owner).state == .done)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).map { $0.hasPrefix(next.id) } == [true])
        }
    }

    @Test("An erasure cannot be cancelled and runs to completion")
    func goesOn() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let guest = try await house.guest(house.draft(), by: owner).id
        let jobs = house.hub.jobs
        let job = try await jobs.erase(guest: guest, by: owner, origin: .house)

        await #expect {
            try await jobs.stop(job.id, by: owner, origin: .house)
        } throws: {
            if case Jobs.JobError.cannotBeStopped? = $0 as? Jobs.JobError { true } else { false }
        }
        try await jobs.runAll()

        #expect(try await jobs.one(job.id, seenBy: owner).state == .done)
        await #expect(throws: Jobs.JobError.self) { try await jobs.stop(job.id, by: owner, origin: .house) }
    }
}
