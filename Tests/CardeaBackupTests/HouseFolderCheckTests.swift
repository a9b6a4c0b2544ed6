import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBackup

@Suite("House folder check")
struct HouseFolderCheckTests {
    @Test(
        "A disk with less than 500 MB or a twentieth free is reported",
        arguments: [
            (499_999_999, 2_000_000_000, true), (500_000_000, 2_000_000_000, false), (500_000_000, 10_000_000_000, false),
            (499_999_999, 9_000_000_000, true), (49_000_000_000, 1_000_000_000_000, true), (50_000_000_000, 1_000_000_000_000, false),
            (0, 0, true),
        ] as [(Int64, Int64, Bool)])
    func room(free: Int64, total: Int64, isTold: Bool) {
        let words = HouseFolderCheck.warning(free: free, of: total)

        #expect((words != nil) == isTold)
        #expect(words?.contains("Free space") ?? true)
    }

    @Test("Access of others to the house or its keys is reported with the remedy; a house made by the hub passes")
    func rights() async throws {
        let disk = try HouseOnDisk()
        try await disk.open { _ in }
        func told() -> [String] { HouseFolderCheck.warnings(of: disk.folder).filter { $0.contains("chmod") } }
        func set(_ mode: Int, _ name: String? = nil) throws {
            let url = name.map { disk.folder.appending(path: $0) } ?? disk.folder
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        }
        #expect(told() == [])

        try set(0o644, "house.sqlite")
        #expect(told() == [])
        try set(0o755)
        let open = try #require(told().first)
        #expect(told().count == 1 && open.hasSuffix("Run: chmod 700 \(disk.folder.path)"))
        #expect(open.contains("house.sqlite") && !open.contains("hub.key"))
        try set(0o770)
        #expect(told().first?.hasPrefix("Others may put files of theirs into") == true)
        try set(0o700)
        try set(0o640, "hub.key")
        #expect(told() == ["The house's key \(disk.folder.path)/hub.key may be read by others. Run: chmod 600 \(disk.folder.path)/hub.key"])
        try FileManager.default.removeItem(at: disk.root)
        #expect(HouseFolderCheck.warnings(of: disk.folder).first?.contains("cannot be looked at") == true)
    }
}
