import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Secrets in a sealed file")
struct SealedFileStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)/home")
    /// A key name that exists in no keyring, unless the test puts it there.
    private let keyringName = "cardea-test-\(UUID().uuidString)"
    private var file: URL { folder.appending(path: "secrets.sealed") }
    private var store: SealedFileStore { SealedFileStore(folder: folder, environment: [:], keyringName: keyringName) }

    private func mode(_ url: URL) throws -> Int {
        let number = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
        return try #require(number).intValue
    }

    @Test("A secret is saved, loaded, updated and deleted; before the first save no folder is made")
    func life() async throws {
        await #expect(throws: SecretStoreError.notFound(name: "pin")) { try await store.load("pin") }
        try await store.delete("pin")
        #expect(!FileManager.default.fileExists(atPath: folder.path))

        for text in ["first", "second"] { try await store.save(Secret(text), as: "pin", for: .background) }
        try await store.save(Secret("other"), as: "token", for: .attended)
        #expect(try await store.load("pin").reveal() == "second")
        try await store.delete("pin")
        await #expect(throws: SecretStoreError.notFound(name: "pin")) { try await store.load("pin") }
        #expect(try await store.load("token").reveal() == "other")
    }

    @Test("File and key have mode 0600 in a folder of 0700, and no temporary file or plain secret is left")
    func modes() async throws {
        try await store.save(Secret("sesame-open-now"), as: "pin", for: .background)

        #expect(try mode(folder) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["secrets.key", "secrets.lock", "secrets.sealed"])
        for name in names { #expect(try mode(folder.appending(path: name)) == 0o600) }
        let bytes = try Data(contentsOf: file)
        for form in [Data("sesame".utf8), Data("sesame-open-now".utf8.prefix(12)).base64EncodedData()] {
            #expect(bytes.range(of: form) == nil)
        }
    }

    @Test("A value moved to another name does not open, and the others do")
    func moved() async throws {
        for name in ["one", "two", "three"] { try await store.save(Secret("of \(name)"), as: name, for: .background) }
        var contents = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        var secrets = try #require(contents["secrets"] as? [String: String])
        (secrets["one"], secrets["two"]) = (secrets["two"], secrets["one"])
        contents["secrets"] = secrets
        try write(JSONSerialization.data(withJSONObject: contents))

        for name in ["one", "two"] { await #expect { try await store.load(name) } throws: { isCorrupted($0) } }
        #expect(try await store.load("three").reveal() == "of three")
    }

    @Test("A damaged file is reported, never overwritten, and opens again once restored")
    func torn() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        let whole = try Data(contentsOf: file)
        for length in [0, 1, whole.count / 2, whole.count - 1] {
            try write(whole.prefix(length))
            await #expect { try await store.load("pin") } throws: { isCorrupted($0) }
            await #expect { try await store.save(Secret("new"), as: "pin", for: .background) } throws: { isCorrupted($0) }
            await #expect { try await store.delete("pin") } throws: { isCorrupted($0) }
            #expect(try Data(contentsOf: file) == whole.prefix(length))
        }

        try write(whole)
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("Concurrent writers lose no secret, and a crashed writer blocks no other")
    func atOnce() async throws {
        try await store.save(Secret("first"), as: "0", for: .background)
        let lock = folder.appending(path: "secrets.lock").path
        let holder = try ChildProcess("flock", ["--no-fork", lock, "sh", "-c", "echo held; exec tail -f /dev/null"])
        try await holder.lines.waitUntil("the lock is held") { $0 == ["held"] }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { [folder, keyringName] in
                    let store = SealedFileStore(folder: folder, environment: [:], keyringName: keyringName)
                    try await store.save(Secret("of \(number)"), as: "\(number)", for: .background)
                }
            }
            try await holder.killAndWait()
            try await group.waitForAll()
        }

        for number in 1...20 { #expect(try await store.load("\(number)").reveal() == "of \(number)") }
        #expect(try await store.load("0").reveal() == "first")
    }

    @Test("A key or file readable by others and a folder writable by others are refused with advice")
    func careless() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        for (url, careless, right) in [(file, 0o640, 0o600), (folder.appending(path: "secrets.key"), 0o604, 0o600), (folder, 0o770, 0o700)]
        {
            try FileManager.default.setAttributes([.posixPermissions: careless], ofItemAtPath: url.path)
            let error = try #require(
                await #expect(throws: SecretStoreError.self) { try await store.save(Secret("x"), as: "x", for: .background) })
            #expect(error == .denied(error.description) && error.description.contains("chmod \(String(right, radix: 8)) \(url.path)"))
            try FileManager.default.setAttributes([.posixPermissions: right], ofItemAtPath: url.path)
        }
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("A missing or wrong key is reported, and no new key replaces it")
    func lostKey() async throws {
        try await store.save(Secret("sesame"), as: "pin", for: .background)
        let key = folder.appending(path: "secrets.key")
        let bytes = try Data(contentsOf: key)
        try FileManager.default.removeItem(at: key)
        await #expect { try await store.load("pin") } throws: { isLocked($0) }
        await #expect { try await store.save(Secret("new"), as: "new", for: .background) } throws: { isLocked($0) }
        #expect(!FileManager.default.fileExists(atPath: key.path))
        _ = try KeyFile.openOrCreate(at: key)
        await #expect { try await store.save(Secret("new"), as: "new", for: .background) } throws: { isLocked($0) }

        try bytes.write(to: key)
        #expect(try await store.load("pin").reveal() == "sesame")
    }

    @Test("A systemd credential is used as the key if present, and an earlier file keeps its own")
    func credential() async throws {
        let credentials = folder.deletingLastPathComponent().appending(path: "credentials")
        try FileManager.default.createDirectory(at: credentials, withIntermediateDirectories: true)
        let key = credentials.appending(path: "cardea-key")
        try SecretGenerator.randomBytes(32).write(to: key)
        // A systemd credential has an access list, whose mask looks like the group's permission.
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: key.path)
        let service = SealedFileStore(folder: folder, environment: ["CREDENTIALS_DIRECTORY": credentials.path], keyringName: keyringName)
        try await service.save(Secret("sesame"), as: "pin", for: .background)

        #expect(try await service.load("pin").reveal() == "sesame")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "secrets.key").path))
        #expect(warning(service).contains("systemd"))
        await #expect { try await store.load("pin") } throws: { isLocked($0) }

        try FileManager.default.removeItem(at: file)
        try await store.save(Secret("before"), as: "pin", for: .background)
        #expect(try await service.load("pin").reveal() == "before")
    }

    @Test("A kernel keyring key is used while it exists, and the warning mentions its loss at a restart")
    func kernelKeyring() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let key = folder.appending(path: "elsewhere")
        try SecretGenerator.randomBytes(32).write(to: key)
        let put = ["-c", "keyctl padd user \(keyringName) @u < \(key.path)"]
        let number = try #require(try await ChildProcess.run("sh", put).last)
        try await store.save(Secret("sesame"), as: "pin", for: .background)

        #expect(try await store.load("pin").reveal() == "sesame")
        #expect(warning(store).contains("empty after a restart"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "secrets.key").path))
        try await ChildProcess.run("keyctl", ["unlink", number, "@u"])
        await #expect { try await store.load("pin") } throws: { isLocked($0) }
        let again = try #require(try await ChildProcess.run("sh", put).last)
        #expect(try await store.load("pin").reveal() == "sesame")
        try await ChildProcess.run("keyctl", ["unlink", again, "@u"])
    }

    private func warning(_ store: SealedFileStore) -> String {
        if case .reduced(let warning) = store.protection { warning } else { "" }
    }

    private func write(_ bytes: Data) throws {
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}

func isCorrupted(_ error: any Error) -> Bool {
    if case SecretStoreError.corrupted? = error as? SecretStoreError { true } else { false }
}
