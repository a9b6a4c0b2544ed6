import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@testable import cardea

@Suite("Credential storage")
struct CredentialStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cardea-\(UUID().uuidString)/home")
    private var file: CredentialStore { CredentialStore(folder: folder, environment: [:]) }

    private func mode(_ name: String = "") throws -> Int {
        let path = name.isEmpty ? folder.path : folder.appendingPathComponent(name).path
        let number = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(number).intValue
    }

    @Test("Reading before the first save returns nothing and makes no folder")
    func empty() async throws {
        #expect(try await !file.read().isSignedIn)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("The folder has mode 0700 and its files 0600, and no temporary file or plain token is left")
    func modes() async throws {
        try await HubSessionStore(file: file, hub: Self.house()).save(Self.session(1))

        #expect(try mode() == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["home.json", "secrets.key", "secrets.lock", "secrets.sealed", "tokens.lock"])
        for name in files {
            #expect(try mode(name) == 0o600, "\(name)")
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            for secret in ["access-1", "refresh-1"] { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)") }
        }
    }

    @Test("Saved credentials read back equal and print no secret")
    func roundTrip() async throws {
        try await file.update { kept in
            kept.set(Self.session(7), at: try Self.house())
            kept.house = StoredCredentials.House(name: "Linden Street 14", timeZone: "Europe/Berlin")
            kept.passes = [
                StoredPass(
                    hub: try Self.house(), token: StoredSecret(Secret("pass-7")), pass: Self.pass, takenAt: Date())
            ]
        }

        let kept = try await file.read()
        var dumped = ""
        dump(kept, to: &dumped)
        #expect(try kept.session(at: Self.house())?.refreshToken.reveal() == "refresh-7")
        #expect(kept.hub?.description == "https://house.example")
        #expect(kept.house?.timeZone == "Europe/Berlin")
        #expect(kept.passes.first?.token.secret.reveal() == "pass-7" && kept.passes.first?.pass.houseName == "Linden Street 14")
        for secret in ["refresh-7", "access-7", "pass-7"] { #expect(!dumped.contains(secret)) }
    }

    @Test("A failing update keeps its changes: a refused session is removed")
    func failedChange() async throws {
        struct Refused: Error {}
        try await file.update { $0.set(Self.session(1), at: try Self.house()) }

        await #expect(throws: Refused.self) {
            try await file.update { kept in
                kept.set(nil, at: try Self.house())
                throw Refused()
            }
        }

        #expect(try await !file.read().isSignedIn)
    }

    @Test("Concurrent updates are serialised without loss")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask { [file] in
                    try await file.update { kept in
                        let before = kept.username ?? ""
                        await Task.yield()
                        kept.username = before + " \(number)"
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(try await file.read().username?.split(separator: " ").compactMap { Int($0) }.sorted() == Array(0..<12))
    }

    @Test("A file readable by others is refused")
    func readableByOthers() async throws {
        try await file.update { $0.set(Self.session(1), at: try Self.house()) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.appendingPathComponent("home.json").path)

        await #expect(throws: ClientError.self) { try await file.read() }
    }

    @Test("A folder writable by others is refused")
    func writableByOthers() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)

        await #expect(throws: ClientError.self) { try await file.update { $0.username = "ada" } }
    }

    @Test("A symbolic link in the file's place is refused")
    func symbolicLink() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("home.json").path, withDestinationPath: "/etc/hostname")

        await #expect(throws: ClientError.self) { try await file.read() }
    }

    @Test("The folder is CARDEA_HOME, then the desktop's folder, then ~/.config")
    func home() {
        #expect(ConfigurationFolder(environment: ["CARDEA_HOME": "/a", "XDG_CONFIG_HOME": "/b"]).folder.path == "/a")
        #expect(ConfigurationFolder(environment: ["XDG_CONFIG_HOME": "/b"]).folder.path == "/b/cardea")
        #expect(ConfigurationFolder(environment: [:]).folder.path.hasSuffix("/.config/cardea"))
    }

    @Test("Tokens of one house are not returned for another, and a second sign-in keeps the first")
    func twoHouses() async throws {
        let other = try HubAddress("https://other.example")
        let here = HubSessionStore(file: file, hub: try Self.house())
        let there = HubSessionStore(file: file, hub: other)

        try await here.save(Self.session(1))
        #expect(try await there.load() == nil)
        try await there.save(nil)
        #expect(try await here.load() != nil)

        try await there.save(Self.session(2))
        #expect(try await here.load() == nil)
        #expect(try await file.read().hub == other)
    }

    @Test("Legacy tokens are migrated completely before their file is removed")
    func migration() async throws {
        try writeLegacyFile()
        for _ in 1...2 {
            let kept = try await file.read()
            #expect(try kept.session(at: Self.house())?.refreshToken.reveal() == "refresh-old" && kept.username == "ada")
            #expect(kept.passes.first?.token.secret.reveal() == "pass-old" && kept.house?.timeZone == "Europe/Berlin")
            #expect(!FileManager.default.fileExists(atPath: legacyFile.path))
        }
    }

    @Test("Legacy tokens that cannot be migrated stay in their file")
    func failedMigration() async throws {
        try writeLegacyFile()
        // Sealed by a missing key: nothing can be added to it.
        try #require(
            FileManager.default.createFile(
                atPath: folder.appendingPathComponent("secrets.sealed").path, contents: Data("{}".utf8),
                attributes: [.posixPermissions: 0o600]))

        await #expect(throws: ClientError.self) { try await file.read() }

        #expect(try Data(contentsOf: legacyFile).range(of: Data("refresh-old".utf8)) != nil)
    }

    @Test("An interrupted migration is repeated, and concurrent ones run once")
    func concurrentMigration() async throws {
        try await file.update { $0.set(Self.session(1), at: try Self.house()) }
        try writeLegacyFile()

        let found = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 1...8 { group.addTask { [file] in try await file.read().session(at: try Self.house())?.refreshToken.reveal() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(found == ["refresh-old"])
    }

    @Test("Tokens in a locked store are neither lost nor reported as absent")
    func closed() async throws {
        try await file.update { kept in
            kept.set(Self.session(1), at: try Self.house())
            kept.passes = [StoredPass(hub: try Self.house(), token: StoredSecret(Secret("pass-7")), pass: Self.pass, takenAt: Date())]
        }
        let key = folder.appendingPathComponent("secrets.key")
        let aside = folder.appendingPathComponent("aside")
        try FileManager.default.moveItem(at: key, to: aside)

        let kept = try await file.read()
        #expect(try kept.isSignedIn && kept.isSessionUnavailable(at: Self.house()) && kept.hasUnavailablePasses)
        #expect(kept.unavailableMessage.contains("secrets.key"))
        await #expect(throws: ClientError.self) { try await HubSessionStore(file: file, hub: try Self.house()).load() }
        try await file.update { $0.username = "ada" }

        try FileManager.default.moveItem(at: aside, to: key)
        let again = try await file.read()
        #expect(try again.session(at: Self.house())?.refreshToken.reveal() == "refresh-1" && again.username == "ada")
        #expect(again.passes.first?.token.secret.reveal() == "pass-7")
        try FileManager.default.moveItem(at: key, to: aside)
        try await file.update { $0.set(nil, at: try Self.house()) }
        try FileManager.default.moveItem(at: aside, to: key)
        #expect(try await !file.read().isSignedIn)
    }

    @Test("The reduced protection warning is printed once")
    func warned() async throws {
        let heard = Mutex<[String]>([])
        let file = CredentialStore(folder: folder, environment: [:], warn: { words in heard.withLock { $0.append(words) } })
        for number in 1...2 { try await file.update { $0.set(Self.session(number), at: try Self.house()) } }
        #expect(heard.withLock(\.count) == 1 && heard.withLock { $0.first }?.contains("no keyring answers here") == true)
    }

    private var legacyFile: URL { folder.appendingPathComponent("tokens.json") }

    private func writeLegacyFile() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let pass = String(decoding: try WireFormat.encode(Self.pass), as: UTF8.self)
        let text = """
            {"hub":"https://house.example","username":"ada","house":{"name":"Linden Street 14","time_zone":"Europe/Berlin"},
             "session":{"access_token":"access-old","refresh_token":"refresh-old","expires_at":"2036-01-01T00:00:00.000Z"},
             "passes":[{"hub":"https://house.example","token":"pass-old","taken_at":"2026-01-01T00:00:00.000Z","pass":\(pass)}]}
            """
        try #require(
            FileManager.default.createFile(atPath: legacyFile.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    }

    @Test("A pass stored by an older version is read without a bound key")
    func olderPass() async throws {
        try writeLegacyFile()
        let kept = try #require(try await file.read().passes.first)
        #expect(kept.token.secret.reveal() == "pass-old" && kept.key == nil && kept.guardedKey == nil)
    }

    private static func house() throws -> HubAddress { try HubAddress("https://house.example") }

    private static let pass = GuestPassAnswer(
        guestToken: nil, guestID: "guest_1", name: "Plumber", houseName: "Linden Street 14", timeZone: "Europe/Berlin",
        entities: [
            .init(entityID: "lock.front_door", deviceID: "front-door", name: "Front door", entityType: .lock, allowedActions: ["door.open"])
        ],
        startsAt: nil, expiresAt: Date(), maxUses: 2, usedCount: 0, schedule: nil, asksEachTime: false, status: .active, revokedAt: nil,
        now: Date())

    private static func session(_ number: Int) -> Session {
        Session(accessToken: Secret("access-\(number)"), refreshToken: Secret("refresh-\(number)"), expiresAt: Date())
    }
}
