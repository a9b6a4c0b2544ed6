import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Secrets", .serialized)
struct SecretsTests {
    @Test("A secret prints nothing in any form")
    func prints() {
        let secret = Secret("sesame")
        #expect("\(secret)" == "[secret]")
        #expect(String(reflecting: secret) == "[secret]")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("sesame"))
    }

    @Test("Argon2id matches the reference and accepts only the right password")
    func argon2() throws {
        // The reference implementation's own test: t=2, m=65536, p=1, "password", "somesalt".
        let published = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        #expect(PasswordHash.verify(Secret("password"), against: published))
        #expect(!PasswordHash.verify(Secret("Password"), against: published))
        #expect(PasswordHash.needsRehash(published))

        let ours = try PasswordHash.make(Secret("pässwörd"))
        #expect(ours.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(PasswordHash.verify(Secret("pässwörd"), against: ours))
        #expect(!PasswordHash.verify(Secret("passwort"), against: ours))
        #expect(!PasswordHash.needsRehash(ours))
        #expect(!PasswordHash.verify(Secret("x"), against: "nonsense"))
        #expect(try PasswordHash.make(Secret("same")) != PasswordHash.make(Secret("same")))
        #expect(throws: PasswordHash.HashError.self) {
            try PasswordHash.make(Secret("sesame"), cost: .init(memory: 1, passes: 2, lanes: 1))
        }
    }

    @Test("A sealed value opens only at its own place and without a changed bit")
    func sealing() throws {
        let key = SealingKey.random()
        let sealed = try key.seal(Data("sesame".utf8), for: "codes/1/code")
        #expect(try key.open(sealed, for: "codes/1/code") == Data("sesame".utf8))
        #expect(throws: (any Error).self) { try key.open(sealed, for: "codes/2/code") }
        #expect(throws: (any Error).self) { try SealingKey.random().open(sealed, for: "codes/1/code") }
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: (any Error).self) { try key.open(altered, for: "codes/1/code") }
        }
    }

    @Test("The key file is private and unchanged by a second start, and one with open permissions is refused")
    func keyFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "hub.key")

        let sealed = try KeyFile.openOrCreate(at: file).seal(Data("x".utf8), for: "p")
        #expect(try KeyFile.openOrCreate(at: file).open(sealed, for: "p") == Data("x".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let problem = #expect(throws: KeyFileError.self) { try KeyFile.openOrCreate(at: file) }
        #expect(problem?.description.contains("chmod 600") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try Data("short".utf8).write(to: file)
        #expect(throws: KeyFileError.wrongLength(5)) { try KeyFile.openOrCreate(at: file) }
        #expect(throws: KeyFileError.wrongLength(1)) { try SealingKey(bytes: Data([1])) }
    }

    @Test("Concurrent first starts agree on one key and leave no other files")
    func keyFileAtOnce() async throws {
        for _ in 1...40 {
            let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "hub.key")

            let marks = try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 1...4 { group.addTask { try KeyFile.openOrCreate(at: file).mark(Data("x".utf8)) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(marks.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["hub.key"])
        }
    }

    @Test("A key file that cannot be written or read is reported, and no key is invented")
    func keyFileInTheWay() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let dangling = folder.appending(path: "dangling.key")
        try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: folder.appending(path: "nowhere"))

        for (place, reason) in [
            (folder.appending(path: "missing/hub.key"), "the folder cannot be written to"), (dangling, "nothing can be put there"),
        ] {
            let problem = #expect(throws: KeyFileError.self) { try KeyFile.openOrCreate(at: place) }
            #expect(problem == .unreadable(path: place.path, reason: reason))
        }
        let problem = #expect(throws: KeyFileError.self) { try KeyFile.openOrCreate(at: folder) }
        #expect(problem?.description.hasPrefix("The house's key \(folder.path) cannot be read: ") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["dangling.key"])
    }

    @Test("A missing credential gives no key, and a wrapped house key of the wrong length is refused")
    func keyFromOutside() throws {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        let none = try KeyEncryptionKey(credential: nowhere)
        #expect(none?.mark == nil)

        let (key, houseKey) = (try KeyEncryptionKey.random(), SealingKey.random())
        #expect(try key.unwrap(key.wrap(houseKey)).parts == houseKey.parts)
        let short = try key.asHouseKey.seal(Data(count: 32), for: "house_keys/\(key.mark.base64EncodedString())/wrapped")
        #expect(throws: KeyFileError.wrongLength(32)) { try key.unwrap(short) }
    }

    @Test("Spoken codes have no ambiguous characters, are evenly drawn and read back in any notation")
    func codes() throws {
        let codes = (0..<20_000).map { _ in SecretGenerator.spokenCode().reveal() }
        var counts: [Character: Int] = [:]
        for code in codes {
            #expect(code.count == 10)
            for character in code { counts[character, default: 0] += 1 }
        }
        #expect(Set(counts.keys) == Set(TypedPassCode.alphabet))
        #expect(counts.keys.allSatisfy { !"01OILUV".contains($0) })
        // An octet modulo 29 would draw five characters 9.4 % too rarely. A fair draw deviates by 9 % with a chance of one in 10^12.
        let expected = Double(codes.count * 10) / Double(TypedPassCode.alphabet.count)
        for (character, count) in counts { #expect(abs(Double(count) - expected) < 0.09 * expected, "\(character): \(count)") }
        #expect(Set(codes.prefix(1000)).count == 1000)

        #expect(TypedPassCode.normalized(" 7kq2-m9px rt ") == "7KQ2M9PXRT")
        #expect(TypedPassCode.normalized("7KQ2M9PXR") == nil)
        #expect(TypedPassCode.normalized(String(repeating: "A", count: 5000)) == nil)
        #expect(TypedPassCode.normalized("АВСDEFGHJK") == nil, "three of them are Cyrillic")
    }

    @Test("Tokens carry 256 bits and a type prefix")
    func tokens() {
        for kind in TokenKind.allCases {
            let token = SecretGenerator.token(kind).reveal()
            #expect(token.hasPrefix(kind.rawValue))
            #expect(token.count == kind.rawValue.count + 43)
        }
        #expect(Set((0..<1000).map { _ in SecretGenerator.token(.refresh).reveal() }).count == 1000)
    }

    @Test("Comparison distinguishes equal and different values of any length")
    func constantTime() {
        #expect(constantTimeEquals(Data("abc".utf8), Data("abc".utf8)))
        #expect(!constantTimeEquals(Data("abc".utf8), Data("abd".utf8)))
        #expect(!constantTimeEquals(Data("abc".utf8), Data("abcd".utf8)))
        #expect(constantTimeEquals(Data(), Data()))
    }
}
