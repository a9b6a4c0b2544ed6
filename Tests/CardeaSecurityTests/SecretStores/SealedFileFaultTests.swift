import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaSecurity

@Suite("Faults of a sealed file are reported without loss")
struct SealedFileFaultTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)/home")
    /// A key name that exists in no keyring, unless the test puts it there.
    private let keyringName = "cardea-test-\(UUID().uuidString)"
    private var file: URL { folder.appending(path: "secrets.sealed") }
    private var key: URL { folder.appending(path: "secrets.key") }
    private var store: SealedFileStore { store() }

    private func store(in other: URL? = nil, credentials: String? = nil) -> SealedFileStore {
        SealedFileStore(
            folder: other ?? folder, environment: credentials.map { ["CREDENTIALS_DIRECTORY": $0] } ?? [:], keyringName: keyringName)
    }

    /// A folder with a systemd credential in it.
    private func credentials() throws -> String {
        let credentials = folder.deletingLastPathComponent().appending(path: "credentials")
        try makeFolder(credentials)
        try SecretGenerator.randomBytes(32).write(to: credentials.appending(path: "cardea-key"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o400], ofItemAtPath: credentials.appending(path: "cardea-key").path)
        return credentials.path
    }

    private func makeFolder(_ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// The reason shown to a person when secrets cannot be stored or read.
    private func reason(_ place: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async throws -> String {
        let error = try #require(await #expect(throws: SecretStoreError.self, sourceLocation: place) { try await body() })
        guard case .unavailable(let reason) = error else {
            Issue.record(error)
            return ""
        }
        #expect(error.description == "Secrets cannot be kept here: \(reason).")
        return reason
    }

    @Test("The warning names the key before the first save, and a credentials folder must be an absolute path")
    func warnings() async throws {
        let credentials = try credentials()
        for (given, words) in [
            (nil, "secrets.key"), (credentials, "systemd's credentials"), (String(credentials.dropFirst()), "secrets.key"),
        ] {
            guard case .reduced(let warning) = store(credentials: given).protection else {
                Issue.record("There was no warning.")
                return
            }
            #expect(warning.contains(words))
        }
        #expect(!isThere(folder))
    }

    @Test("A file of a newer version is left unchanged")
    func newer() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("\"format\":1", with: "\"format\":2").write(to: file, atomically: false, encoding: .utf8)

        let told = "\(file.path) was written by a newer Cardea; use that one"
        #expect(try await reason { _ = try await store.load("pin") } == told)
        #expect(try await reason { try await store.save(Secret("new"), as: "pin", for: .background) } == told)
        try text.write(to: file, atomically: false, encoding: .utf8)
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("A folder that cannot be created and an obstructed file or key path are reported")
    func inTheWay() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        let beneath = store(in: file.appending(path: "home"))
        #expect(
            try await reason { try await beneath.save(Secret("x"), as: "x", for: .background) }.hasPrefix(
                "\(file.path)/home cannot be made: "))

        let aside = folder.appending(path: "aside")
        for (url, words) in [(file, "\(file.path) cannot be read: "), (key, "the key \(key.path) cannot be read: ")] {
            try FileManager.default.moveItem(at: url, to: aside)
            try makeFolder(url)
            #expect(try await reason { _ = try await store.load("pin") }.hasPrefix(words))
            #expect(try await reason { try await store.save(Secret("x"), as: "x", for: .background) }.hasPrefix(words))
            try FileManager.default.removeItem(at: url)
            try FileManager.default.moveItem(at: aside, to: url)
        }
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("A failed write is reported, and the earlier content remains")
    func unwritable() async throws {
        let credentials = try credentials()
        try await store(credentials: credentials).save(Secret("sesame"), as: "pin", for: .background)
        // The file's own name has the maximum length; its draft's name is longer.
        var deep = folder
        while deep.path.utf8.count < 4_060 {
            deep.append(path: String(repeating: "d", count: min(200, max(1, 4_060 - deep.path.utf8.count - 1))))
        }
        try makeFolder(deep)
        try #require(link(file.path, deep.appending(path: "secrets.sealed").path) == 0)
        let cramped = store(in: deep, credentials: credentials)

        let told = "\(deep.path) cannot be written to: File name too long"
        #expect(try await reason { try await cramped.save(Secret("new"), as: "pin", for: .background) } == told)
        #expect(try await reason { try await cramped.delete("pin") } == told)
        #expect(try await cramped.load("pin").reveal() == "sesame")
    }

    @Test("A save cancelled during another program's write changes nothing")
    func givenUp() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        let held = try await FileLock.LockFile(folder.appending(path: "secrets.lock")).acquire()
        let waiting = Task { [store] in try await store.save(Secret("new"), as: "pin", for: .background) }
        waiting.cancel()

        #expect(try await reason { try await waiting.value } == "the wait for \(file.path) was broken off")
        held.release()
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("A kernel keyring key of the wrong length is reported and not replaced")
    func shortKey() async throws {
        try makeFolder(folder)
        for (count, name) in [(5, "short"), (40, "long")] {
            let bytes = folder.appending(path: name)
            try SecretGenerator.randomBytes(count).write(to: bytes)
            let put = try await ChildProcess.run("sh", ["-c", "keyctl padd user \(keyringName) @u < \(bytes.path)"])
            let number = try #require(put.last)
            let error = try #require(
                await #expect(throws: SecretStoreError.self) { try await store.save(Secret("sesame"), as: "pin", for: .background) })
            #expect(error == .corrupted("The key of the sealed file must be 32 bytes long; it has \(count). Bring the right one back."))
            #expect(!isThere(file) && !isThere(key))
            try await ChildProcess.run("keyctl", ["unlink", number, "@u"])
        }
    }
}

/// A better place for secrets, in which a test sees the writes.
private final class MemorySecretStore: SecretStore {
    let protection = ProtectionLevel.full
    private let kept = Mutex<[String: String]>([:])
    private let meanwhile: @Sendable (String) async throws(SecretStoreError) -> Void

    /// - Parameter meanwhile: another program's action while a secret is being saved here.
    init(meanwhile: @escaping @Sendable (String) async throws(SecretStoreError) -> Void = { _ throws(SecretStoreError) in }) {
        self.meanwhile = meanwhile
    }

    var secrets: [String: String] { kept.withLock { $0 } }

    func save(_ secret: Secret, as name: String, for use: SecretAvailability) async throws(SecretStoreError) {
        try await meanwhile(name)
        kept.withLock { $0[name] = secret.reveal() }
    }

    func load(_ name: String) async throws(SecretStoreError) -> Secret {
        guard let text = secrets[name] else { throw .notFound(name: name) }
        return Secret(text)
    }

    func delete(_ name: String) async throws(SecretStoreError) { kept.withLock { $0[name] = nil } }
}

extension SealedFileFaultTests {
    @Test("Migrating a missing file saves nothing, and migrating a file sealed with a systemd credential leaves the credential in place")
    func handedOver() async throws {
        let (credentials, shelf) = (try credentials(), MemorySecretStore())
        let sealed = store(credentials: credentials)
        try await sealed.migrate(to: shelf)
        #expect(shelf.secrets.isEmpty && !isThere(folder))

        for name in ["pin", "token"] { try await sealed.save(Secret("of \(name)"), as: name, for: .background) }
        try await sealed.migrate(to: shelf)
        #expect(shelf.secrets == ["pin": "of pin", "token": "of token"])
        #expect(!isThere(file) && isThere(URL(filePath: "\(credentials)/cardea-key")))
    }

    @Test("A secret changed during a migration stays in the file with its key and is migrated next time")
    func changedMeanwhile() async throws {
        try await store.save(Secret("old"), as: "pin", for: .background)
        let shelf = MemorySecretStore { [store] name throws(SecretStoreError) in
            try await store.save(Secret("new"), as: name, for: .background)
        }
        try await store.migrate(to: shelf)
        #expect(try await store.load("pin").reveal() == "new")
        #expect(isThere(key))

        let next = MemorySecretStore()
        try await store.migrate(to: next)
        #expect(next.secrets == ["pin": "new"])
        #expect(!isThere(file) && !isThere(key))
    }

    @Test("An empty file is removed with or without its key; a key that cannot be removed is reported")
    func emptied() async throws {
        for isFolder in [false, true] {
            try await store.save(Secret("sesame"), as: "pin", for: .background)
            try await store.delete("pin")
            try FileManager.default.removeItem(at: key)
            if isFolder { try makeFolder(key) }
            if isFolder {
                #expect(
                    try await reason { try await store.migrate(to: MemorySecretStore()) }
                        == "\(key.path) cannot be taken away: Is a directory")
            } else {
                try await store.migrate(to: MemorySecretStore())
            }
            #expect(!isThere(file))
        }
    }
}
