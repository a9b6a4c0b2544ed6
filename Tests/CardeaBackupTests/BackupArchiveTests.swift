import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaBackup

@Suite("Backup archive")
struct BackupArchiveTests {
    private let key = RecoveryKey()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    /// A file of that many random bytes.
    private func file(_ count: Int, seed: UInt64) throws -> (url: URL, bytes: Data) {
        var dice = XorshiftGenerator(seed: seed)
        let bytes = Data((0..<count).map { _ in UInt8(dice.next(256)) })
        let url = folder.appending(path: "plain-\(UUID().uuidString)")
        try bytes.write(to: url)
        return (url, bytes)
    }

    private func write(_ files: [(name: String, url: URL, size: Int)], lock: BackupRecipient? = nil) throws -> Data {
        let taken = Mutex(Data())
        let lock = lock ?? BackupRecipient(key)
        let writer = try ArchiveWriter(ArchiveHeader(at: Date(timeIntervalSince1970: 1_795_269_600), app: "1.0", lock: lock), lock: lock) {
            data in taken.withLock { $0 += data }
        }
        for file in files { try writer.add(file.name, from: FileHandle(forReadingFrom: file.url), size: UInt64(file.size)) }
        _ = try writer.finish()
        return taken.withLock { $0 }
    }

    /// The number of bytes before the first chunk.
    private func beginning() throws -> Int {
        let lock = BackupRecipient(key)
        return try ArchiveHeader(at: Date(timeIntervalSince1970: 1_795_269_600), app: "1.0", lock: lock).encoded().count + 32
    }

    private func read(_ archive: Data, with key: BackupKey? = nil) throws -> [String: Data] {
        let url = folder.appending(path: "archive-\(UUID().uuidString)")
        try archive.write(to: url)
        var found: [String: Data] = [:]
        try ArchiveReader(url).read(with: key ?? BackupKey(self.key)) { entry in
            found[entry.name] = Data()
            return { found[entry.name]? += $0 }
        }
        return found
    }

    @Test("Content of any size around a chunk reads back equal", arguments: [0, 1, 65_000, 65_519, 65_535, 65_536, 65_537, 200_000])
    func comesOut(size: Int) throws {
        let (url, bytes) = try file(size, seed: UInt64(size) + 1)

        let archive = try write([("hub.key", url, size), ("house.sqlite", url, size)])

        #expect(try read(archive) == ["hub.key": bytes, "house.sqlite": bytes])
    }

    @Test("Compressible content reads back equal")
    func shrinks() throws {
        let url = folder.appending(path: "zeros")
        try Data(count: 3_000_000).write(to: url)

        let archive = try write([("house.sqlite", url, 3_000_000)])

        #expect(archive.count < 100_000)
        #expect(try read(archive)["house.sqlite"] == Data(count: 3_000_000))
    }

    @Test("An archive opens only with its passphrase")
    func passphrase() throws {
        let (url, bytes) = try file(1000, seed: 3)
        let (lock, made) = try BackupKey.make(passphrase: Secret("a long way to the sea"))
        let archive = try write([("hub.key", url, 1000)], lock: lock)
        let recipe = try #require(lock.recipe)

        #expect(try read(archive, with: made)["hub.key"] == bytes)
        #expect(try read(archive, with: BackupKey(passphrase: Secret("a long way to the sea"), recipe: recipe))["hub.key"] == bytes)
        #expect(throws: ArchiveError.wrongPassphrase) {
            try read(archive, with: BackupKey(passphrase: Secret("a long way to the see"), recipe: recipe))
        }
        #expect(throws: ArchiveError.otherKey) { try read(write([("hub.key", url, 1000)]), with: BackupKey(RecoveryKey())) }
    }

    @Test("A passphrase is normalised for all keyboards, and archives of older versions open with the typed form")
    func letters() throws {
        let (url, bytes) = try file(1000, seed: 8)
        let (composed, apart) = ("Stra\u{DF}e \u{FC}ber B\u{E4}che", "Stra\u{DF}e u\u{308}ber Ba\u{308}che")
        func opened(_ archive: Data, _ lock: BackupRecipient, by typed: String) throws -> Data? {
            let recipe = try #require(lock.recipe)
            let forms = OpaqueString.candidates(Secret(typed), isOfFile: true)
            return try read(archive, with: BackupKey(passphrase: forms, recipe: recipe, fingerprint: lock.fingerprint))["hub.key"]
        }

        let (lock, _) = try BackupKey.make(passphrase: Secret("\u{FEFF}" + apart))
        let archive = try write([("hub.key", url, 1000)], lock: lock)
        for typed in [composed, "\u{FEFF}" + apart] { #expect(try opened(archive, lock, by: typed) == bytes) }

        for former in [apart, "\u{FEFF}" + composed] {
            let recipe = PasswordKeyDerivation.random()
            let lock = BackupRecipient(try BackupKey(passphrase: Secret(former), recipe: recipe), recipe: recipe)
            let archive = try write([("hub.key", url, 1000)], lock: lock)
            #expect(try opened(archive, lock, by: composed) == bytes)
        }
        #expect(throws: OpaqueString.OpaqueStringError.invisibleCharacter) { try BackupKey.make(passphrase: Secret("a long\tway")) }
    }

    @Test("Any changed bit is detected")
    func flipped() throws {
        let (url, _) = try file(150_000, seed: 4)
        let archive = try write([("hub.key", url, 150_000)])
        var dice = XorshiftGenerator.forTest(5)
        // Every byte before the first chunk, the tags, and some of everything else.
        let places = Set(Array(0..<400) + (0..<300).map { _ in dice.next(archive.count) } + [archive.count - 1]).sorted()

        for place in places {
            var changed = archive
            changed[place] ^= UInt8(1 << dice.next(8))
            #expect(throws: ArchiveError.self, "byte \(place), seed \(dice.seed)") { try read(changed) }
        }
    }

    @Test("A truncated archive is detected, also at a chunk boundary")
    func cut() throws {
        let (url, _) = try file(200_000, seed: 6)
        let archive = try write([("hub.key", url, 200_000)])
        var dice = XorshiftGenerator.forTest(7)
        var ends = (0..<100).map { _ in dice.next(archive.count) }
        let header = try beginning()
        ends += (0..<4).map { header + $0 * 65_552 } + [archive.count - 1]

        for end in ends where end < archive.count {
            #expect(throws: ArchiveError.self, "cut at \(end), seed \(dice.seed)") { try read(archive.prefix(end)) }
        }
        #expect(throws: ArchiveError.self) { try read(archive + [0]) }
        #expect(throws: ArchiveError.self) { try read(archive + archive.suffix(65_552)) }
    }

    @Test("A spliced or reordered archive is detected")
    func spliced() throws {
        let (url, _) = try file(260_000, seed: 8)
        let (one, other) = (try write([("hub.key", url, 260_000)]), try write([("hub.key", url, 260_000)]))
        #expect(one.count == other.count)
        let header = try beginning()
        func chunk(_ number: Int, of archive: Data) -> Data {
            Data(archive.dropFirst(header + number * 65_552).prefix(65_552))
        }

        for place in 1..<4 {
            let cut = header + place * 65_552
            #expect(throws: ArchiveError.self) { try read(one.prefix(cut) + other.dropFirst(cut)) }
        }
        #expect(throws: ArchiveError.self) { try read(one.prefix(header) + other.dropFirst(header)) }
        let swapped = one.prefix(header) + chunk(1, of: one) + chunk(0, of: one) + one.dropFirst(header + 2 * 65_552)
        #expect(throws: ArchiveError.self) { try read(Data(swapped)) }
        let left = one.prefix(header) + chunk(0, of: one) + one.dropFirst(header + 2 * 65_552)
        #expect(throws: ArchiveError.self) { try read(Data(left)) }
    }

    @Test("Only the authentication key makes an authenticated archive; an older archive opens as unauthenticated")
    func forged() throws {
        let (url, bytes) = try file(150_000, seed: 10)
        func made(_ authentication: BackupAuthenticationKey?) throws -> Data {
            try write([("hub.key", url, 150_000)], lock: BackupRecipient(recovery: key.publicKey, authentication: authentication))
        }
        func isAuthenticated(_ archive: Data) throws -> Bool {
            let url = folder.appending(path: "archive-\(UUID().uuidString)")
            try archive.write(to: url)
            return try ArchiveReader(url).header.isAuthenticated
        }

        let own = try made(key.backupAuthentication)
        #expect(try isAuthenticated(own))
        #expect(try read(own) == ["hub.key": bytes])
        let guessed = try made(RecoveryKey().backupAuthentication)
        #expect(try isAuthenticated(guessed))
        #expect(throws: ArchiveError.self) { try read(guessed) }
        let older = try made(nil)
        #expect(try !isAuthenticated(older))
        #expect(try read(older) == ["hub.key": bytes])

        // Each archive with the other one's header.
        func renamed(_ archive: Data, _ before: String, _ after: String) throws -> Data {
            var changed = archive
            let range = try #require(changed.range(of: Data(before.utf8)))
            changed.replaceSubrange(range, with: Data(after.utf8))
            return changed
        }
        let raised = try renamed(older, #""format":1"#, #""format":2"#)
        let lowered = try renamed(own, #""format":2"#, #""format":1"#)
        #expect(throws: ArchiveError.self) { try read(raised) }
        #expect(throws: ArchiveError.self) { try read(lowered) }
    }

    @Test("Only names of house files are allowed")
    func names() {
        for name in ["house.sqlite", "hub.key", "tls.key", "tls-backup.key", "tls.crt", "pictures/0193ab/event_0193ab.whole"] {
            #expect(HouseFiles.mayHold(name), "\(name)")
        }
        for name in [
            "", "/etc/passwd", "../house.sqlite", "pictures/../hub.key", "pictures/a/../b", "pictures//x", "pictures/a", "hub.lock",
            "hub.sock",
            "pictures/a/b/c", "pictures/.a/b", "pictures/a/\u{E9}", "house.sqlite\0", "HOUSE.SQLITE",
        ] {
            #expect(!HouseFiles.mayHold(name), "\(name)")
        }
    }

    @Test("The plaintext part contains nothing about the house")
    func clear() throws {
        let (url, _) = try file(10, seed: 9)
        let archive = try write([("hub.key", url, 10)])

        let text = String(decoding: archive.prefix(220), as: UTF8.self)
        #expect(text.hasPrefix("CARDEA BACKUP\n"))
        #expect(text.contains(#""app":"1.0""#) && text.contains(#""format":2"#))
        #expect(archive.range(of: Data("hub.key".utf8)) == nil)
    }
}
