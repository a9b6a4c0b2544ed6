import Foundation
import Testing

@testable import CardeaSecurity

@Suite("A file for one person is written whole or not at all")
struct PrivateFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)/home")
    private var file: PrivateFile { PrivateFile(folder.appending(path: "kept")) }

    init() throws { try PrivateFile(folder.appending(path: "kept")).prepareFolder() }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

    private func words(_ body: () throws -> Void) throws -> String {
        let problem = try #require(#expect(throws: PrivateFile.FileError.self) { try body() })
        #expect(problem == .unavailable(problem.description))
        return problem.description
    }

    @Test("A folder that cannot be made, or is not there, is told by its name")
    func noFolder() throws {
        try file.replace(with: Data("kept".utf8))
        let beneath = PrivateFile(file.url.appending(path: "home/kept"))
        let missing = PrivateFile(folder.appending(path: "missing/kept"))

        #expect(try words { try beneath.prepareFolder() }.contains("\(file.url.path)/home cannot be made: "))
        #expect(
            try words { try missing.replace(with: Data("new".utf8)) }
                == "\(folder.path)/missing cannot be written to: No such file or directory")
        #expect(try file.read() == Data("kept".utf8))
    }

    @Test("A folder in the file's place is neither read nor written over, and no draft stays behind")
    func folderInTheWay() throws {
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])

        #expect(try words { _ = try file.read() }.hasPrefix("\(file.url.path) cannot be read: "))
        #expect(
            try words { try file.replace(with: Data("new".utf8)) }
                == "\(file.url.path) cannot be replaced: Is a directory")
        #expect(try names() == ["kept"])
    }

    @Test("A draft that is in its place takes nothing more, and what is there stays")
    func finished() throws {
        let draft = try file.makeTemporaryFile()
        try draft.append(Data("old".utf8))
        try draft.restart()
        try draft.append(Data("whole".utf8))
        try draft.finish()

        for late in [{ try draft.append(Data("more".utf8)) }, { try draft.restart() }, { try draft.finish() }]
            as [() throws -> Void]
        {
            #expect(try words(late).hasPrefix("\(file.url.path) cannot be written: "))
        }
        #expect(try file.read() == Data("whole".utf8))
        #expect(try names() == ["kept"])
    }

    @Test("A folder that went while something was written there is told by its name")
    func folderGone() throws {
        let draft = try file.makeTemporaryFile()
        try draft.append(Data("whole".utf8))
        try FileManager.default.removeItem(at: folder)

        #expect(try words { try draft.finishIfAbsent() } == "\(folder.path) cannot be opened: No such file or directory")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A folder that is reached through a link is written to as any other")
    func linkedFolder() throws {
        let link = folder.deletingLastPathComponent().appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)

        try PrivateFile(link.appending(path: "kept")).replace(with: Data("whole".utf8))

        #expect(try file.read() == Data("whole".utf8))
    }

    @Test("Whoever waits for a lock is told who has it, may give up, and gets it when it is free")
    func lock() async throws {
        let place = FileLock.LockFile(folder.appending(path: "lock"))
        let held = try await place.acquire()

        await #expect(throws: PrivateFile.FileError.unavailable("another program holds \(folder.path)/lock")) {
            try await place.acquire(patience: .zero)
        }
        let waiting = Task { try await place.acquire() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let next = Task { try await place.acquire() }
        held.release()
        try await next.value.release()
    }

    @Test("A lock that cannot be opened is told as such")
    func noLock() async throws {
        await #expect(throws: PrivateFile.FileError.unavailable("\(folder.path) cannot be opened: Is a directory")) {
            try await FileLock.LockFile(folder).acquire()
        }
        #expect(try words { _ = try FileLock.LockFile(folder).acquireBlocking() } == "\(folder.path) cannot be opened: Is a directory")
    }
}
