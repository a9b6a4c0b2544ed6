import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBackup

@Suite("Permissions of a house's folder")
struct FolderPermissionsTests {
    private func set(_ mode: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func mode(_ url: URL) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("A readable folder becomes private with all its files, and link targets are unchanged")
    func restricted() async throws {
        let disk = try HouseOnDisk()
        try await disk.open { _ in }
        #expect(try FolderPermissions.restrict(disk.folder) == [])

        let outside = disk.root.appending(path: "outside")
        try Data("theirs".utf8).write(to: outside)
        try set(0o644, outside)
        let link = disk.folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
        let shelf = disk.folder.appending(path: "pictures/ab")
        try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
        let picture = shelf.appending(path: "one.jpg")
        try Data("picture".utf8).write(to: picture)
        let open = [picture, disk.folder.appending(path: "house.sqlite"), disk.folder.appending(path: "hub.key")]
        for file in open { try set(0o644, file) }
        for folder in [shelf, shelf.deletingLastPathComponent(), disk.folder] { try set(0o755, folder) }

        let told = try FolderPermissions.restrict(disk.folder)

        #expect(told.first == "The data folder could be read by others on this machine; now it cannot.")
        #expect(told.count == 2 && told.last?.contains("key rotate") == true)
        for file in open { #expect(try mode(file) == 0o600) }
        for folder in [shelf, shelf.deletingLastPathComponent(), disk.folder] { #expect(try mode(folder) == 0o700) }
        #expect(try mode(outside) == 0o644)
        #expect(try FolderPermissions.restrict(disk.folder) == [])
        #expect(HouseFolderCheck.warnings(of: disk.folder).filter { $0.contains("chmod") } == [])
        try FileManager.default.removeItem(at: disk.root)
    }

    @Test("An empty folder becomes private, and one with foreign files is refused unchanged")
    func new() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "hub.lock"))
        try set(0o755, folder)

        #expect(try FolderPermissions.restrict(folder) == ["The data folder could be read by others on this machine; now it cannot."])
        #expect(try mode(folder) == 0o700)

        try set(0o755, folder)
        try Data("notes".utf8).write(to: folder.appending(path: "notes.txt"))
        #expect(throws: FolderPermissions.PermissionError.holdsOtherFiles(path: folder.path)) { try FolderPermissions.restrict(folder) }
        #expect(try mode(folder) == 0o755)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("On a file system without permissions a new house is refused, and an existing one is warned about", arguments: [0, -1])
    func unchangeable(answer: Int32) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try set(0o755, folder)

        #expect(throws: FolderPermissions.PermissionError.withoutPermissions(path: folder.path)) {
            try FolderPermissions.restrict(folder) { _, _ in answer }
        }
        try Data().write(to: folder.appending(path: "house.sqlite"))
        let told = try FolderPermissions.restrict(folder) { _, _ in answer }
        #expect(told.count == 1 && told.first?.contains("can be read by others on this machine") == true)
        try FileManager.default.removeItem(at: folder)
    }
}
