import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Testing

@testable import cardea

@Suite("Tokens lie in one file, for one person")
struct TokenFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cardea-\(UUID().uuidString)/home")
    private var file: TokenFile { TokenFile(folder: folder) }

    private func mode(_ name: String = "") throws -> Int {
        let path = name.isEmpty ? folder.path : folder.appendingPathComponent(name).path
        let number = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        return try #require(number).intValue
    }

    @Test("Nothing kept yet is nothing, and makes no folder")
    func empty() throws {
        #expect(try !file.read().isSignedIn)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("The folder is 0700, the file 0600, and no draft stays behind")
    func modes() async throws {
        try await KeptSessionStore(file: file, hub: Self.house()).save(Self.session(1))

        #expect(try mode() == 0o700)
        #expect(try mode("tokens.json") == 0o600)
        #expect(try mode("tokens.lock") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["tokens.json", "tokens.lock"])
    }

    @Test("What is kept is what is read, and prints nothing secret")
    func roundTrip() async throws {
        try await file.update { kept in
            kept.set(Self.session(7), at: try Self.house())
            kept.house = Kept.House(name: "Linden Street 14", timeZone: "Europe/Berlin")
            kept.passes = [
                KeptPass(
                    hub: try Self.house(), token: KeptSecret(Secret("pass-7")), pass: Self.pass, takenAt: Date())
            ]
        }

        let kept = try file.read()
        var dumped = ""
        dump(kept, to: &dumped)
        #expect(try kept.session(at: Self.house())?.refreshToken.reveal() == "refresh-7")
        #expect(kept.hub?.description == "https://house.example")
        #expect(kept.house?.timeZone == "Europe/Berlin")
        #expect(kept.passes.first?.token.secret.reveal() == "pass-7" && kept.passes.first?.pass.houseName == "Linden Street 14")
        for secret in ["refresh-7", "access-7", "pass-7"] { #expect(!dumped.contains(secret)) }
    }

    @Test("A change that fails keeps what it left: a refused session is gone")
    func failedChange() async throws {
        struct Refused: Error {}
        try await file.update { $0.set(Self.session(1), at: try Self.house()) }

        await #expect(throws: Refused.self) {
            try await file.update { kept in
                kept.set(nil, at: try Self.house())
                throw Refused()
            }
        }

        #expect(try !file.read().isSignedIn)
    }

    @Test("Many at once change it one after the other, and none is lost")
    func manyAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
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

        #expect(try file.read().username?.split(separator: " ").compactMap { Int($0) }.sorted() == Array(0..<40))
    }

    @Test("A file that others may read is not used")
    func readableByOthers() async throws {
        try await file.update { $0.set(Self.session(1), at: try Self.house()) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.appendingPathComponent("tokens.json").path)

        #expect(throws: ClientError.self) { try file.read() }
    }

    @Test("A folder that others may change is not used")
    func writableByOthers() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)

        await #expect(throws: ClientError.self) { try await file.update { $0.username = "ada" } }
    }

    @Test("A link in the file's place is not followed")
    func symbolicLink() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent("tokens.json").path, withDestinationPath: "/etc/hostname")

        #expect(throws: ClientError.self) { try file.read() }
    }

    @Test("CARDEA_HOME, then the desktop's folder, then ~/.config")
    func home() {
        #expect(CardeaHome(environment: ["CARDEA_HOME": "/a", "XDG_CONFIG_HOME": "/b"]).folder.path == "/a")
        #expect(CardeaHome(environment: ["XDG_CONFIG_HOME": "/b"]).folder.path == "/b/cardea")
        #expect(CardeaHome(environment: [:]).folder.path.hasSuffix("/.config/cardea"))
    }

    @Test("Tokens of one house are never found at another, and signing in there leaves the first")
    func twoHouses() async throws {
        let other = try HubAddress("https://other.example")
        let here = KeptSessionStore(file: file, hub: try Self.house())
        let there = KeptSessionStore(file: file, hub: other)

        try await here.save(Self.session(1))
        #expect(try await there.load() == nil)
        try await there.save(nil)
        #expect(try await here.load() != nil)

        try await there.save(Self.session(2))
        #expect(try await here.load() == nil)
        #expect(try file.read().hub == other)
    }

    @Test("What an older terminal kept of a pass is read as it was: bound to no key")
    func olderPass() async throws {
        let (file, hub) = (TokenFile(folder: folder), try Self.house())
        try await file.update { $0.passes = [KeptPass(hub: hub, token: KeptSecret(Secret("token")), pass: Self.pass, takenAt: Date())] }
        let written = try String(contentsOf: folder.appendingPathComponent("tokens.json"), encoding: .utf8)
        #expect(!written.contains("\"key\"") && !written.contains("guarded_key"))

        let kept = try #require(try file.read().passes.first)
        #expect(kept.token.secret.reveal() == "token" && kept.key == nil && kept.guardedKey == nil)
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
