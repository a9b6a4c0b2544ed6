import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBackup

private let isRoot = geteuid() == 0

@Suite("Ownership of house files")
struct FolderOwnershipTests {
    private func owner(_ url: URL) throws -> UInt32? {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.ownerAccountID] as? NSNumber)?.uint32Value
    }

    @Test("Files of root in another user's house are given to that user, except linked ones", .enabled(if: isRoot))
    func handedOver() throws {
        let disk = try HouseOnDisk()
        let shelf = disk.folder.appending(path: "pictures/ab", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
        let made = ["hub.lock", "hub.key", "pictures/ab/one.jpg"].map { disk.folder.appending(path: $0) }
        for file in made { try Data("root's".utf8).write(to: file) }
        let (outside, second, link) = (
            disk.root.appending(path: "outside"), disk.folder.appending(path: "second"), disk.folder.appending(path: "link")
        )
        try Data("root's own".utf8).write(to: outside)
        try FileManager.default.linkItem(at: outside, to: second)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
        #expect(chown(disk.folder.path, 1234, 1235) == 0)
        let told = try #require(FolderOwnership.warning(of: disk.folder))
        #expect(told.contains("hub.key, hub.lock, pictures") && told.hasSuffix("Run: sudo chown -R 1234:1235 \(disk.folder.path)"))

        FolderOwnership.transfer(disk.folder)

        for url in made + [shelf, shelf.deletingLastPathComponent()] { #expect(try owner(url) == 1234, "\(url.path)") }
        #expect(try owner(outside) == 0)
        #expect(FolderOwnership.warning(of: disk.folder) == nil)
    }

    @Test("Root's own house is unchanged", .enabled(if: isRoot))
    func ownHouse() throws {
        let disk = try HouseOnDisk()
        let lock = disk.folder.appending(path: "hub.lock")
        try Data().write(to: lock)

        FolderOwnership.transfer(disk.folder)

        #expect(try owner(lock) == 0)
        #expect(FolderOwnership.warning(of: disk.folder) == nil && FolderOwnership.startObstacle(in: disk.folder) == nil)
    }

    @Test(
        "An unwritable folder is reported with the remedy",
        arguments: [
            (ENOSPC, "Free space"), (EDQUOT, "Free space"), (EROFS, "read-only"), (ENOTDIR, "cannot be written to: Not a directory"),
        ])
    func refusals(reason: Int32, hint: String) throws {
        let folder = URL(filePath: "/srv/house", directoryHint: .isDirectory)

        let words = FolderOwnership.creationFailure(of: folder, because: reason)

        #expect(words.contains(hint) && words.contains("/srv/house"), "\(words)")
    }

    @Test(
        "Similarly named files beside the house do not stop the hub",
        arguments: ["house.sqlite.bak", "hub.key.old", "hub.reserve", "tls.pem"])
    func besides(name: String) {
        #expect(FolderOwnership.requiredAccess(of: name) == nil)
    }

    @Test("A folder of another user is reported with that user's name", .enabled(if: isRoot))
    func anothers() throws {
        let disk = try HouseOnDisk()
        #expect(chown(disk.folder.path, 1234, 1234) == 0)

        let words = FolderOwnership.creationFailure(of: disk.folder, because: EACCES)

        #expect(words == "The folder \(disk.folder.path) belongs to the user 1234. Run this as that user.")
    }
}
