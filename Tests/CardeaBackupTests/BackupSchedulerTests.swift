import CardeaHub
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaBackup

@Suite("Scheduled backups", .timeLimit(.minutes(5)))
struct BackupSchedulerTests {
    @Test("A failure is reported without folder paths")
    func noPaths() {
        let (drawer, house) = (URL(filePath: "/srv/our house/drawer"), URL(filePath: "/srv/our house", directoryHint: .isDirectory))

        let words = BackupScheduler.redacted(
            "/srv/our house/drawer/one.backup is full; file:///srv/our%20house/hub.key and /srv/our house/house.sqlite are not read",
            without: [drawer, house])

        #expect(words == "drawer/one.backup is full; our house/hub.key and our house/house.sqlite are not read")
    }

    @Test("A nightly backup leaves foreign files alone, and a failed one is reported and retried after an hour")
    func nightly() async throws {
        let disk = try HouseOnDisk()
        let drawer = disk.root.appending(path: "drawer", directoryHint: .isDirectory)
        try await disk.open { house in
            try await house.claim()
            let backups = BackupRegistry(store: house.store, sealing: house.sealing, environment: house.clock.environment)
            let schedule = BackupScheduler(
                into: drawer, plan: BackupPlan(), backup: try disk.backup(of: house), backups: backups,
                house: house.hub.house, environment: house.clock.environment, logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await schedule.run() }
                func made() -> [String] {
                    ((try? FileManager.default.contentsOfDirectory(atPath: drawer.path)) ?? []).filter { $0.hasSuffix(".backup") }.sorted()
                }

                // The backup could not be opened: there is no recovery key yet.
                try await waitUntil { try await backups.state().isFailing }
                #expect(made().isEmpty)
                #expect(try await backups.state().lastFailure?.message == MissingRecoveryKeyError().description)

                // A partial file of a power cut, and a foreign file in the same folder.
                try FileManager.default.createDirectory(at: drawer, withIntermediateDirectories: true)
                for name in [".cardea-20261001T031500Z.backup.0A1B2C3D.partial", ".mine.backup.0A1B2C3D.partial"] {
                    try Data("half".utf8).write(to: drawer.appending(path: name))
                }
                try await backups.save(recoveryKey: disk.paper.publicKey, authentication: disk.paper.backupAuthentication, replacing: false)
                house.clock.advance(by: 3700)
                try await waitUntil { try await !backups.state().isFailing }
                #expect(made() == [BackupScheduler.name(house.clock.now)])
                let drafts = try FileManager.default.contentsOfDirectory(atPath: drawer.path).filter { $0.hasSuffix(".partial") }
                #expect(drafts == [".mine.backup.0A1B2C3D.partial"])
                let first = try await backups.state().lastSuccess

                // Not again within the day, and at 3:15 in the night.
                house.clock.advance(by: 3700)
                #expect(try await backups.state().lastSuccess == first)
                for _ in 0..<13 { house.clock.advance(by: 3600) }
                try await waitUntil { try await backups.state().lastSuccess != first }
                #expect(made().count == 2)

                // Each of them is a complete house.
                for name in made() {
                    let archive = try ArchiveReader(drawer.appending(path: name))
                    var names: [String] = []
                    try archive.read(with: BackupKey(disk.paper)) { entry in
                        names.append(entry.name)
                        return { _ in }
                    }
                    #expect(names.contains("house.sqlite") && names.contains("hub.key"))
                }
                group.cancelAll()
            }
        }
    }

    // The key that signs the audit log, or the one that signs access tokens, was damaged in a running house, and the hub continued with the
    // one in memory. Each night it made a backup that could not be restored; it counted as good, and replaced those that could.
    @Test(
        "A backup that cannot be restored is discarded with a warning, and restorable ones are kept at any age",
        arguments: [("audit_signer", "key"), ("signing_keys", "sealed")])
    func cannotBePutBack(_ table: String, _ column: String) async throws {
        let disk = try HouseOnDisk()
        let drawer = disk.root.appending(path: "drawer", directoryHint: .isDirectory)
        let kept: [String] = try await disk.open { house in
            try await house.claim()
            let backups = BackupRegistry(store: house.store, sealing: house.sealing, environment: house.clock.environment)
            try await backups.save(recoveryKey: disk.paper.publicKey, authentication: disk.paper.backupAuthentication, replacing: false)
            let schedule = BackupScheduler(
                into: drawer, plan: BackupPlan(), backup: try disk.backup(of: house), backups: backups,
                house: house.hub.house, environment: house.clock.environment, logger: .silent)
            return try await withThrowingTaskGroup(of: Void.self, returning: [String].self) { group in
                group.addTask { try await schedule.run() }
                try await waitUntil { try await backups.state().lastSuccess != nil }
                let first = try await backups.state().lastSuccess
                let made = try FileManager.default.contentsOfDirectory(atPath: drawer.path)
                #expect(made.count == 1)

                try await house.store.write { try $0.execute(sql: "UPDATE \(table) SET \(column) = x'00'") }
                house.clock.advance(by: 86_400)
                try await waitUntil { try await backups.state().isFailing }
                house.clock.advance(by: Double(BackupPlan.maxDays) * 86_400)
                try await waitUntil { try await backups.state().lastFailure?.at == house.clock.now }

                let state = try await backups.state()
                #expect(state.lastSuccess == first)
                #expect(state.lastFailure?.message.contains("could not be restored") == true)
                #expect(state.lastFailure?.message.contains(table) == true)
                #expect(try FileManager.default.contentsOfDirectory(atPath: drawer.path) == made)
                group.cancelAll()
                return made
            }
        }

        let outcome = try await disk.restore(drawer.appending(path: try #require(kept.first)))

        #expect(outcome.report.owner == "owner" && outcome.damage == nil)
    }
}
