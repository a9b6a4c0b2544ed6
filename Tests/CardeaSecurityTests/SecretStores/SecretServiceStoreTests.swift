import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Secrets in the desktop's keyring", .timeLimit(.minutes(5)))
struct SecretServiceStoreTests {
    /// A test on its own desktop, which ends with it.
    private func onDesktop(hasKeyring: Bool = true, _ body: (DesktopSession, SecretServiceStore) async throws -> Void) async throws {
        let desktop = try await DesktopSession(hasKeyring: hasKeyring)
        do {
            try await body(desktop, SecretServiceStore(environment: desktop.environment, timeout: .seconds(120)))
        } catch {
            try await desktop.end()
            throw error
        }
        try await desktop.end()
    }

    @Test("A saved secret is loaded only under its own name, and other programs of the user find it")
    func savedAndRead() async throws {
        try await onDesktop { desktop, store in
            let long = String(repeating: "sésame 🔑\n", count: 5_000)
            try await store.save(Secret("sesame"), as: "refresh-token", for: .background)
            try await store.save(Secret(long), as: "long", for: .attended)
            try await store.save(Secret(""), as: "empty", for: .background)

            #expect(try await store.load("refresh-token").reveal() == "sesame")
            #expect(try await store.load("long").reveal() == long)
            #expect(try await store.load("empty").reveal().isEmpty)
            await #expect(throws: SecretStoreError.notFound(name: "access-token")) { try await store.load("access-token") }
            #expect(store.protection == .full)
            #expect(try await desktop.run("secret-tool", "lookup", "service", "cardea", "account", "refresh-token") == ["sesame"])
        }
    }

    @Test("A save replaces the existing item, also one of another program")
    func updated() async throws {
        try await onDesktop { desktop, store in
            try await desktop.run(
                "sh", "-c", "printf old | secret-tool store --label=Cardea service cardea account pin")
            #expect(try await store.load("pin").reveal() == "old")
            for round in 1...3 { try await store.save(Secret("new \(round)"), as: "pin", for: .background) }

            #expect(try await store.load("pin").reveal() == "new 3")
            let found = try await desktop.run("secret-tool", "search", "--all", "service", "cardea", "account", "pin")
            #expect(found.filter { $0.hasPrefix("secret = ") } == ["secret = new 3"])
        }
    }

    @Test("Concurrent saves under one name leave one item with one of their values")
    func savedAtOnce() async throws {
        try await onDesktop { desktop, store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...8 { group.addTask { try await store.save(Secret("\(number)"), as: "pin", for: .background) } }
                try await group.waitForAll()
            }

            #expect(try await (1...8).map(String.init).contains(store.load("pin").reveal()))
            try await store.delete("pin")
            await #expect(throws: SecretStoreError.notFound(name: "pin")) { try await store.load("pin") }
        }
    }

    @Test("A deleted secret is absent and can be deleted again")
    func deleted() async throws {
        try await onDesktop { _, store in
            try await store.save(Secret("sesame"), as: "pin", for: .background)
            try await store.save(Secret("stays"), as: "other", for: .background)
            try await store.delete("pin")
            try await store.delete("pin")

            await #expect(throws: SecretStoreError.notFound(name: "pin")) { try await store.load("pin") }
            #expect(try await store.load("other").reveal() == "stays")
        }
    }

    @Test("A locked keyring is reported as locked without a password prompt")
    func locked() async throws {
        try await onDesktop { desktop, store in
            try await store.save(Secret("sesame"), as: "pin", for: .background)
            try await desktop.lockKeyring()

            for name in ["pin", "never-saved"] {
                await #expect { try await store.load(name) } throws: { isLocked($0) }
                await #expect { try await store.save(Secret("new"), as: name, for: .background) } throws: { isLocked($0) }
                await #expect { try await store.delete(name) } throws: { isLocked($0) }
            }
            try await store.check()
        }
    }

    @Test("A missing bus, a missing keyring and a keyring that hangs are reported without a long wait")
    func absent() async throws {
        for environment in [[:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"], ["XDG_RUNTIME_DIR": "/nowhere"]] {
            await #expect { try await SecretServiceStore(environment: environment).load("pin") } throws: { isUnavailable($0) }
        }
        try await onDesktop(hasKeyring: false) { _, store in
            await #expect { try await store.save(Secret("sesame"), as: "pin", for: .background) } throws: { isUnavailable($0) }
        }
        try await onDesktop { desktop, _ in
            desktop.signalKeyring(SIGSTOP)
            let hasty = SecretServiceStore(environment: desktop.environment, timeout: .milliseconds(200))
            await #expect { try await hasty.load("pin") } throws: { isUnavailable($0) }
        }
    }

    @Test("A keyring is preferred and takes over a sealed file's secrets; without one the file is used with a warning")
    func best() async throws {
        try await onDesktop { desktop, keyring in
            let folder = desktop.folder.appending(path: "cardea")
            let without = await SecretStoreSelection.best(folder: folder, environment: [:])
            try await without.save(Secret("sesame"), as: "pin", for: .background)
            #expect(without is SealedFileStore)
            guard case .reduced(let warning) = without.protection else { return #expect(without.protection != .full) }
            #expect(warning.contains("secrets.key") && warning.contains("Start a keyring"))

            let with = await SecretStoreSelection.best(folder: folder, environment: desktop.environment, timeout: .seconds(120))
            #expect(with is SecretServiceStore && with.protection == .full)
            #expect(try await keyring.load("pin").reveal() == "sesame")
            await #expect(throws: SecretStoreError.notFound(name: "pin")) { try await without.load("pin") }
        }
    }

    @Test("A property holds the last loaded or saved value, and so do its copies")
    func property() async throws {
        struct LoginSession {
            @StoredSecret var token: Secret?
        }
        try await onDesktop { _, store in
            let session = LoginSession(token: StoredSecret("token", in: store))
            let other = LoginSession(token: StoredSecret("token", in: store))
            #expect(try await session.$token.load() == nil)
            try await session.$token.save(Secret("sesame"))

            #expect(session.token?.reveal() == "sesame")
            #expect(other.token == nil)
            #expect(try await other.$token.load()?.reveal() == "sesame")
            try await session.$token.delete()
            #expect(session.token == nil)
            #expect(other.token?.reveal() == "sesame")
            #expect(try await other.$token.load() == nil)
            #expect(other.token == nil)
        }
    }
}

@Suite("D-Bus messages")
struct DBusMessageTests {
    @Test("A truncated or altered message is refused or read within its bounds")
    func hostile() throws {
        var random = SeededGenerator.forTest(4)
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            var reader = DBusReader(bytes)
            _ = try? (reader.string(), reader.strings(), reader.data(), reader.boolean())
            let fixed = [UInt8(ascii: "l"), 2, 0, 1] + bytes.prefix(12)
            if var head = try? DBusHeader(fixed: fixed) { try? head.read(fields: bytes) }
        }
        var writer = DBusWriter()
        writer.array(alignedTo: 4) { for path in ["/", "/org", "/org/cardea"] { $0.string(path) } }
        var whole = DBusReader(writer.bytes)
        #expect(try whole.strings() == ["/", "/org", "/org/cardea"])
        for length in 0..<writer.bytes.count {
            var reader = DBusReader(Array(writer.bytes.prefix(length)))
            #expect(throws: DBusError.malformed) { try reader.strings() }
        }
    }

    @Test("A truncated message is refused; an altered one is read or refused within its bounds")
    func altered() throws {
        let whole = ScriptedDBus.message(to: 7, signature: "aoao") { body in
            for _ in 1...2 { body.array(alignedTo: 4) { $0.string("/org/cardea") } }
        }
        func read(_ bytes: [UInt8]) throws -> (head: DBusHeader, paths: [String]) {
            var head = try DBusHeader(fixed: Array(bytes.prefix(DBusHeader.fixedLength)))
            let rest = bytes.dropFirst(DBusHeader.fixedLength)
            try head.read(fields: Array(rest.prefix(head.fieldsLength)))
            var body = DBusReader(Array(rest.dropFirst(head.fieldsLength)))
            return (head, try body.strings() + body.strings())
        }

        let (head, paths) = try read(whole)
        #expect(head.kind == .methodReturn && head.replySerial == 7 && head.signature == "aoao" && paths == ["/org/cardea", "/org/cardea"])
        for length in whole.indices { #expect(throws: DBusError.malformed) { try read(Array(whole.prefix(length))) } }
        for index in whole.indices {
            for value in UInt8.min...UInt8.max {
                var altered = whole
                altered[index] = value
                do { _ = try read(altered) } catch { #expect(error as? DBusError == .malformed) }
            }
        }
        var unended = DBusReader([2, 0, 0, 0, 0x2F, 0x2F, 0x2F])
        #expect(throws: DBusError.malformed) { try unended.string() }
    }
}

func isLocked(_ error: any Error) -> Bool {
    if case SecretStoreError.locked? = error as? SecretStoreError { true } else { false }
}

func isUnavailable(_ error: any Error) -> Bool {
    if case SecretStoreError.unavailable? = error as? SecretStoreError { true } else { false }
}
