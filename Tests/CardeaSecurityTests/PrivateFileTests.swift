import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Private files are written atomically")
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

    @Test("A folder that is missing or cannot be created is reported by its path")
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

    @Test("A folder in the file's place is neither read nor replaced, and no temporary file remains")
    func folderInTheWay() throws {
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])

        #expect(try words { _ = try file.read() }.hasPrefix("\(file.url.path) cannot be read: "))
        #expect(
            try words { try file.replace(with: Data("new".utf8)) }
                == "\(file.url.path) cannot be replaced: Is a directory")
        #expect(try names() == ["kept"])
    }

    @Test("A finished temporary file refuses further writes, and the file is unchanged")
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

    @Test("A folder removed during a write is reported by its path")
    func folderGone() throws {
        let draft = try file.makeTemporaryFile()
        try draft.append(Data("whole".utf8))
        try FileManager.default.removeItem(at: folder)

        #expect(try words { try draft.finishIfAbsent() } == "\(folder.path) cannot be opened: No such file or directory")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("A folder behind a symbolic link is written as usual")
    func linkedFolder() throws {
        let link = folder.deletingLastPathComponent().appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)

        try PrivateFile(link.appending(path: "kept")).replace(with: Data("whole".utf8))

        #expect(try file.read() == Data("whole".utf8))
    }

    @Test("A held lock is reported, and a waiter can cancel or gets the lock once it is free")
    func lock() async throws {
        let place = FileLock.LockFile(folder.appending(path: "lock"))
        let held = try await place.acquire()

        await #expect(throws: PrivateFile.FileError.unavailable("another program holds \(folder.path)/lock")) {
            try await place.acquire(timeout: .zero)
        }
        let waiting = Task { try await place.acquire() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let next = Task { try await place.acquire() }
        held.release()
        try await next.value.release()
    }

    @Test("A lock file that cannot be opened is reported")
    func noLock() async throws {
        await #expect(throws: PrivateFile.FileError.unavailable("\(folder.path) cannot be opened: Is a directory")) {
            try await FileLock.LockFile(folder).acquire()
        }
        #expect(try words { _ = try FileLock.LockFile(folder).acquireBlocking() } == "\(folder.path) cannot be opened: Is a directory")
    }
}
