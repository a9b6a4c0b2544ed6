import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaBackup

@Suite("Backup location", .timeLimit(.minutes(5)))
struct BackupLocationTests {
    /// File systems by their mount points, and the existing paths.
    private final class FakeMounts: Sendable {
        let mounted: Mutex<[String: UInt64]>
        let broken = Mutex<Set<String>>([])

        init(_ mounted: [String: UInt64]) { self.mounted = Mutex(mounted) }

        func device(_ path: String) throws(BackupLocation.UnreachableError) -> UInt64? {
            if broken.withLock({ $0.contains(path) }) { throw BackupLocation.UnreachableError(folder: path, reason: "Stale file handle") }
            let all = mounted.withLock { $0 }
            let place = all.keys.filter { $0 == "/" || path == $0 || path.hasPrefix("\($0)/") }.max { $0.count < $1.count }
            return place.flatMap { all[$0] }
        }
    }

    @Test(
        "A missing mount at or above the folder makes the location unreachable; other mounts do not",
        arguments: [
            ("/mnt/nas", "/", true), ("/mnt/nas", "/mnt", true), ("/mnt/nas", "/mnt/nas", false), ("/", "/", false),
            ("/", "/mnt/nas", false),
            ("/mnt/nas", "/mnt/nas/deeper", false), ("/mnt/nas", "/mnt/na", false), ("/mnt/nas", "/srv", false),
        ])
    func away(then: String, now: String, isAway: Bool) {
        #expect(BackupLocation.hasMoved(then, now: now) == isAway)
    }

    @Test("The location's disk is remembered by mount point and not by device number")
    func remembered() throws {
        let disk = try HouseOnDisk()
        let disks = FakeMounts(["/": 1, "/mnt/nas": 7])
        func place(_ folder: String) -> BackupLocation {
            BackupLocation(URL(filePath: folder, directoryHint: .isDirectory), of: disk.folder) {
                path throws(BackupLocation.UnreachableError) in
                try disks.device(path)
            }
        }
        try place("/mnt/nas/cardea").require()

        // The machine was restarted: a share gets another number each time.
        disks.mounted.withLock { $0["/mnt/nas"] = 9 }
        try place("/mnt/nas/cardea").require()
        disks.mounted.withLock { $0["/mnt/nas"] = nil }
        let away = #expect(throws: BackupLocation.NotMountedError.self) { try place("/mnt/nas/cardea").require() }
        #expect(away?.description.contains("is not mounted") == true && !place("/mnt/nas/cardea").isMounted)
        // The record survives the share's absence.
        #expect(throws: BackupLocation.NotMountedError.self) { try place("/mnt/nas/cardea").require() }
        disks.broken.withLock { $0 = ["/mnt/nas/cardea"] }
        #expect(throws: BackupLocation.UnreachableError.self) { try place("/mnt/nas/cardea").require() }
        disks.broken.withLock { $0 = [] }

        try place("/srv/cardea").require()
        try place("/mnt/nas/cardea").require()
        // Set up before the share existed: it counts from its first mount.
        disks.mounted.withLock { $0["/mnt/nas"] = 7 }
        try place("/mnt/nas/cardea").require()
        disks.mounted.withLock { $0["/mnt/nas"] = nil }
        #expect(throws: BackupLocation.NotMountedError.self) { try place("/mnt/nas/cardea").require() }
        BackupLocation.removeRecord(in: disk.folder)
        try place("/mnt/nas/cardea").require()
    }

    @Test("A remembered disk missing on this machine is reported, and an existing folder is not")
    func told() throws {
        let disk = try HouseOnDisk()
        #expect(BackupLocation.warning(of: disk.folder) == nil)
        let drawer = disk.root.appending(path: "drawer", directoryHint: .isDirectory)
        try BackupLocation(drawer, of: disk.folder).require()
        #expect(BackupLocation.warning(of: disk.folder) == nil)

        let mount = drawer.path
        let memory = try JSONEncoder().encode(["folder": "\(mount)/backups", "mount": mount])
        try memory.write(to: disk.folder.appending(path: BackupLocation.name))

        let words = try #require(HouseFolderCheck.warnings(of: disk.folder).first { $0.contains("not mounted") })
        #expect(words.contains("\(mount)/backups") && words.contains("It was on \(mount)."))
    }

    @Test("Without the mounted disk no backup or folder is made and a warning is sent within the hour; then one is made")
    func schedule() async throws {
        let disk = try HouseOnDisk()
        let drawer = disk.root.appending(path: "drawer", directoryHint: .isDirectory)
        let disks = FakeMounts(["/": 1, drawer.path: 7])
        try await disk.open { house in
            try await house.claim()
            let backups = BackupRegistry(store: house.store, sealing: house.sealing, environment: house.clock.environment)
            try await backups.save(recoveryKey: disk.paper.publicKey, authentication: disk.paper.backupAuthentication, replacing: false)
            let place = BackupLocation(drawer, of: disk.folder) { path throws(BackupLocation.UnreachableError) in try disks.device(path) }
            let schedule = BackupScheduler(
                into: drawer, at: place, plan: BackupPlan(), backup: try disk.backup(of: house), backups: backups,
                house: house.hub.house, environment: house.clock.environment, logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await schedule.run() }
                try await waitUntil { try await backups.state().lastSuccess != nil }
                let first = try await backups.state().lastSuccess
                // The check of the folder is finished.
                let rested = house.clock.now.addingTimeInterval(BackupScheduler.interval)
                try await waitUntil { house.clock.isAwaited(rested) }
                try FileManager.default.removeItem(at: drawer)
                disks.mounted.withLock { $0[drawer.path] = nil }

                house.clock.advance(by: 3700)
                try await waitUntil { try await backups.state().isFailing }
                let failure = try await backups.state().lastFailure
                #expect(failure?.message.hasPrefix("The disk or share of the backup folder drawer is not mounted") == true)
                #expect(!FileManager.default.fileExists(atPath: drawer.path))

                disks.mounted.withLock { $0[drawer.path] = 8 }
                // The next check is not due for hours.
                house.clock.advance(by: 3700)
                try await waitUntil { try await backups.state().lastSuccess != first }
                #expect(try await !backups.state().isFailing)
                group.cancelAll()
            }
        }
    }
}
