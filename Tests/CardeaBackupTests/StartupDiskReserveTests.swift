import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBackup

@Suite("Startup reserve")
struct StartupDiskReserveTests {
    private func bytes(_ url: URL) -> Int? {
        ((try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? NSNumber)?.intValue
    }

    @Test(
        "The reserve is an eighth of the database, 1 to 8 MiB, and is used if less than four times that is free",
        arguments: [(nil, 1 << 20), (1 << 20, 1 << 20), (16 << 20, 2 << 20), (100 << 20, 8 << 20)] as [(Int?, Int)])
    func size(database: Int?, size: Int) throws {
        let disk = try HouseOnDisk()
        let file = disk.folder.appending(path: "house.sqlite")
        if let database {
            #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(database))
        }
        let reserve = StartupDiskReserve(in: disk.folder)

        #expect(reserve.size == size)
        #expect(reserve.isNeeded(DiskSpace(free: Int64(4 * size - 1), size: 1 << 40)))
        #expect(!reserve.isNeeded(DiskSpace(free: Int64(4 * size), size: 1 << 40)))
        #expect(reserve.isNeeded(nil))
    }

    @Test("The reserve file is allocated whole, completed if truncated, and private")
    func taken() throws {
        let disk = try HouseOnDisk()
        let (reserve, file) = (StartupDiskReserve(in: disk.folder), disk.folder.appending(path: StartupDiskReserve.name))
        reserve.allocate()
        #expect(bytes(file) == 1 << 20)
        try FileHandle(forWritingTo: file).truncate(atOffset: 4097)

        reserve.allocate()

        #expect(bytes(file) == 1 << 20)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }
}
