import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBackup
@testable import CardeaHub

@Suite("Backups on a full disk", .timeLimit(.minutes(5)))
struct FullDiskBackupTests {
    @Test("No backup starts below the disk reserve, and a running one stops there and leaves no file")
    func stops() async throws {
        let disk = try HouseOnDisk()
        let (enough, little) = (DiskSpace(free: 1 << 30, size: 100 << 30), DiskSpace(free: 1 << 20, size: 100 << 30))
        let store = try Store(folder: disk.folder)
        let house = try await TestHouse.make(
            store: store, sealing: try KeyFile.openOrCreate(at: disk.folder.appending(path: "hub.key")), clock: disk.clock,
            diskSpace: { enough })
        try await house.claim()
        let (backup, lock, now) = (try disk.backup(of: house), BackupRecipient(disk.paper), disk.clock.now)
        let (reserve, pieces) = (house.hub.diskReserve, AwaitableValue(0))

        await #expect(throws: DiskReserve.LowDiskSpaceError.self) {
            try await backup.run(for: lock, at: now) { _ in
                pieces.change { $0 += 1 }
                _ = reserve.update(little)
            }
        }
        #expect(pieces.now == 1)
        await #expect(throws: DiskReserve.LowDiskSpaceError.self) {
            try await backup.run(for: lock, at: now) { _ in pieces.change { $0 += 1 } }
        }
        #expect(pieces.now == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: disk.folder.path)
        #expect(left.filter { $0.hasPrefix(HouseFiles.workingCopy) } == [])

        #expect(!reserve.update(enough))
        _ = try await backup.run(for: lock, at: now) { _ in pieces.change { $0 += 1 } }
        #expect(pieces.now > 2)
        try store.close()
    }
}
