import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

extension BackupRecipient {
    /// The recipient for the house with this recovery key.
    init(_ paper: RecoveryKey) { self.init(recovery: paper.publicKey, authentication: paper.backupAuthentication) }
}

/// A house in a folder, and a backup folder beside it.
struct HouseOnDisk {
    let root: URL
    let folder: URL
    let clock = ManualClock()
    let paper = RecoveryKey()

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)", directoryHint: .isDirectory)
        folder = root.appending(path: "house", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The house, served until `body` ends.
    func open<Result: Sendable>(_ body: @escaping @Sendable (TestHouse) async throws -> Result) async throws -> Result {
        let store = try Store(folder: folder)
        let result = try await TestHouse.open(
            store: store, sealing: try KeyFile.openOrCreate(at: folder.appending(path: "hub.key")), clock: clock, body)
        try store.close()
        return result
    }

    /// A backup of an open house, sealed to the recovery key.
    func backup(_ house: TestHouse, named name: String = "one.backup") async throws -> URL {
        let url = root.appending(path: name)
        let file = try BackupFile(url)
        let receipt = try await backup(of: house).run(for: BackupRecipient(paper), at: clock.now) { try file.append($0) }
        try await file.commit(receipt, key: BackupKey(paper))
        return url
    }

    func backup(of house: TestHouse) throws -> BackupRunner {
        let key = try #require(try KeyEncryptionKey(file: folder.appending(path: "hub.key")))
        return BackupRunner(store: house.store, folder: folder, key: key, backups: house.hub.backups, app: "1.0")
    }

    @discardableResult
    func restore(
        _ archive: URL, erasures: URL? = nil, owner: String? = nil, key: RecoveryKey? = nil, despiteRecord: Bool = false,
        acceptsUnauthenticated: Bool = false
    ) async throws -> RestoreRunner.Outcome {
        try await RestoreRunner(
            from: archive, erasures: erasures, into: folder, at: clock.now, despiteRecord: despiteRecord,
            acceptsUnauthenticated: acceptsUnauthenticated
        )
        .run(with: .recovery(key ?? paper), owner: owner)
    }

    /// All files in the house's folder, by name.
    func contents() throws -> [String: Data] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(into: [:]) { found, name in
            found[name] = FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data()
        }
    }

    /// Names of the files in the house's folder, sorted.
    func beside() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() }
}
