import Foundation
import Synchronization
import Testing

@testable import CardeaSecurity

@Suite("Guest key protected by a PIN", .timeLimit(.minutes(5)))
struct PINGuestKeyStoreTests {
    private static let pin = Secret("sesame-7")

    /// A user with a key file, a manual clock, and a PIN.
    private final class PINUser: Sendable {
        struct State {
            var now = Date(timeIntervalSince1970: 1_795_269_600)
            var types: Secret?
            var asked: [PINGuestKeyStore.Prompt] = []
        }

        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-pin-\(UUID().uuidString)")
        let state = Mutex(State())

        var file: URL { folder.appending(path: "key.json") }
        var asked: [PINGuestKeyStore.Prompt] { state.withLock { $0.asked } }

        func types(_ pin: Secret?) { state.withLock { $0.types = pin } }
        func waits(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

        func store(at file: URL? = nil) -> PINGuestKeyStore {
            PINGuestKeyStore(file: file ?? self.file, now: { self.state.withLock { $0.now } }) { question in
                self.state.withLock { state in
                    state.asked.append(question)
                    return state.types
                }
            }
        }

        func tries(_ pin: String) async -> PINError? {
            types(Secret(pin))
            do {
                _ = try await store().unlock("open")
                return nil
            } catch {
                return error as? PINError
            }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private func person(_ key: GuestKey) async throws -> PINUser {
        let person = PINUser()
        person.types(Self.pin)
        try await person.store().save(key)
        return person
    }

    /// The reference implementation's own answer: t=2, m=65536, p=1, "password", "somesalt".
    @Test("The key derivation matches Argon2id, and unsafe parameters are refused")
    func argon2() throws {
        let recipe = PasswordKeyDerivation(salt: Data("somesalt".utf8), memory: 65_536, passes: 2, lanes: 1)
        let published = try #require(Base64URL.decode("CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"))
        let sealed = try SealingKey(bytes: published).seal(Data("x".utf8), for: "p")

        #expect(try recipe.key(of: Secret("password")).open(sealed, for: "p") == Data("x".utf8))
        for (memory, passes, lanes) in [(UInt32(4_000_000), UInt32(1), UInt32(1)), (65_536, 1000, 1), (65_536, 1, 200), (0, 1, 1)] {
            let unsound = PasswordKeyDerivation(salt: Data("somesalt".utf8), memory: memory, passes: passes, lanes: lanes)
            #expect(throws: PasswordHash.HashError.self) { try unsound.key(of: Self.pin) }
        }
        let saltless = PasswordKeyDerivation(salt: Data(), memory: 65_536, passes: 1, lanes: 1)
        #expect(throws: PasswordHash.HashError.self) { try saltless.key(of: Self.pin) }
    }

    @Test("The right PIN unlocks the key, and the file alone reveals nothing of it")
    func right() async throws {
        let key = GuestKey()
        let person = try await person(key)

        #expect(try await person.store().unlock("open the door")?.publicKey == key.publicKey)

        #expect(person.asked == [.choose, .enter(reason: "open the door")])
        let bytes = try Data(contentsOf: person.file)
        for secret in [key.seed, Data(key.encoded.reveal().utf8), key.seed.base64EncodedData(), Data(Self.pin.reveal().utf8)] {
            #expect(bytes.range(of: secret) == nil)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: person.file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let byTheRealClock = PINGuestKeyStore(file: person.file) { _ in Self.pin }
        #expect(try await byTheRealClock.unlock("open")?.publicKey == key.publicKey)
        person.types(nil)
        #expect(try await person.store().unlock("open")?.publicKey == nil, "broken off")
        await #expect(throws: CancellationError.self) { try await person.store().save(GuestKey()) }
        for unfit in ["12345", String(repeating: "1", count: 65)] {
            person.types(Secret(unfit))
            await #expect(throws: PINError.invalid) { try await person.store().save(GuestKey()) }
        }
    }

    @Test("Wrong PINs are counted over restarts and delayed, and the tenth deletes the key")
    func wrong() async throws {
        let person = try await person(GuestKey())
        for left in [9, 8, 7] { #expect(await person.tries("wrong one") == .wrong(left: left)) }
        let asked = person.asked.count
        #expect(await person.tries(Self.pin.reveal()) == .wait(30), "the right one waits too")
        #expect(person.asked.count == asked, "who has to wait is not asked")
        person.waits(-3600)
        #expect(await person.tries("wrong one") == .wait(30), "a clock that was set back keeps nobody out for longer")
        person.waits(3600)

        var pause: TimeInterval = 30
        for left in [6, 5, 4, 3, 2, 1] {
            person.waits(pause)
            #expect(await person.tries("wrong one") == .wrong(left: left))
            pause *= 2
            #expect(await person.tries("wrong one") == .wait(pause))
        }
        person.waits(pause)
        #expect(await person.tries("wrong one") == .erased)
        person.waits(86_400)
        #expect(await person.tries(Self.pin.reveal()) == .erased)
        #expect(try Data(contentsOf: person.file).range(of: Data("sealed".utf8)) == nil)
    }

    @Test("The right PIN resets the count of wrong ones")
    func forgets() async throws {
        let person = try await person(GuestKey())
        for _ in 0..<2 { #expect(await person.tries("wrong one") != nil) }
        #expect(await person.tries(Self.pin.reveal()) == nil)
        #expect(await person.tries("wrong one") == .wrong(left: 9))
    }

    @Test("An interrupted attempt is counted, also as the last one")
    func cutOff() async throws {
        let person = try await person(GuestKey())
        var text = String(decoding: try Data(contentsOf: person.file), as: UTF8.self)
        #expect(text.contains(#""wrong":0"#))
        text = text.replacing(#""wrong":0"#, with: #""wrong":10"#)
        try Data(text.utf8).write(to: person.file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: person.file.path)

        #expect(await person.tries(Self.pin.reveal()) == .erased)
        #expect(try Data(contentsOf: person.file).range(of: Data("sealed".utf8)) == nil)
    }

    @Test("Concurrent wrong PINs are counted like consecutive ones")
    func together() async throws {
        let person = try await person(GuestKey())
        person.types(Secret("wrong one"))
        let problems = await withTaskGroup { group in
            for _ in 0..<5 { group.addTask { await person.tries("wrong one") } }
            return await group.reduce(into: [PINError?]()) { $0.append($1) }
        }
        let wrong = problems.compactMap { if case .wrong(let left) = $0 { left } else { nil } }
        #expect(Set(wrong) == [9, 8, 7] && wrong.count == 3, "after three there is a wait")
    }

    @Test("A missing, foreign or damaged file is refused")
    func faults() async throws {
        let person = try await person(GuestKey())
        let missing = person.folder.appending(path: "none.json")
        await #expect(throws: SecretStoreError.notFound(name: "none.json")) { try await person.store(at: missing).unlock("open") }
        try await person.store(at: missing).delete()

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: person.file.path)
        await #expect(throws: SecretStoreError.self) { try await person.store().unlock("open") }
        try FileManager.default.removeItem(at: person.file)
        try Data("{}".utf8).write(to: person.file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: person.file.path)
        await #expect(throws: SecretStoreError.self) { try await person.store().unlock("open") }
        try await person.store().delete()
        #expect(!FileManager.default.fileExists(atPath: person.file.path))
    }

    @Test("A folder writable by others is refused for saving and loading")
    func folder() async throws {
        let person = try await person(GuestKey())
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: person.folder.path)

        await #expect(throws: SecretStoreError.self) { try await person.store().save(GuestKey()) }
        await #expect(throws: SecretStoreError.self) { try await person.store().unlock("open") }
    }

    @Test("A PIN error states the remaining attempts")
    func words() {
        #expect(PINError.invalid.description.contains("6 to 64 characters"))
        #expect(PINError.wrong(left: 2).description.contains("2 tries are left"))
        #expect(PINError.wrong(left: 1).description.contains("One try is left"))
        #expect(PINError.wait(29.5).description == "Too many wrong PINs. Try again in 30 s.")
        #expect(PINError.erased.description.contains("Ask the house for a new link"))
    }
}
