import CardeaSecurity
import Foundation
import Testing

@testable import cardea

@Suite("Key of the local replica")
struct ReplicaKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cardea-\(UUID().uuidString)/home")
    private var key: ReplicaKey {
        ReplicaKey(folder: folder, store: SealedFileStore(folder: folder, environment: [:], keyringName: folder.path))
    }
    private var legacyFile: URL { folder.appendingPathComponent("replica.key") }

    @Test("The key is the same in every run, and the reduced protection warning is printed once")
    func stays() async throws {
        var warnings: [String] = []
        let sealed = try await key.loadOrCreate { warnings.append($0) }.seal(Data("the house".utf8), for: "row")

        #expect(try await key.loadOrCreate { warnings.append($0) }.open(sealed, for: "row") == Data("the house".utf8))
        #expect(warnings.count == 1 && warnings[0].contains("no keyring answers here"))
        #expect(!FileManager.default.fileExists(atPath: legacyFile.path))
    }

    @Test("Concurrent first runs agree on one key")
    func atOnce() async throws {
        let marks = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 1...8 { group.addTask { try await key.loadOrCreate { _ in }.mark(Data("x".utf8)) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(marks.count == 1)
    }

    @Test("A legacy key file is migrated and then removed")
    func migration() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let before = try KeyFile.openOrCreate(at: legacyFile)
        try writeReplicaFile()

        for _ in 1...2 { #expect(try await key.loadOrCreate { _ in }.mark(Data("x".utf8)) == before.mark(Data("x".utf8))) }
        #expect(!FileManager.default.fileExists(atPath: legacyFile.path))
    }

    @Test("No new key is made while a replica depends on a key in another store")
    func elsewhere() async throws {
        try writeReplicaFile()

        for _ in 1...2 {
            let error = try #require(await #expect(throws: SecretStoreError.self) { _ = try await key.loadOrCreate { _ in } })
            #expect(error == .locked(error.description) && error.description.contains("Sign in to the desktop"))
        }
        try FileManager.default.removeItem(at: folder.appendingPathComponent("houses"))
        _ = try await key.loadOrCreate { _ in }
    }

    private func writeReplicaFile() throws {
        let houses = folder.appendingPathComponent("houses")
        try FileManager.default.createDirectory(at: houses, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try Data().write(to: houses.appendingPathComponent("house.sqlite"))
    }
}
