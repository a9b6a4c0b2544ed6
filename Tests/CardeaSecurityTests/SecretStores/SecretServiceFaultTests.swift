import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaSecurity

/// Tests behaviour that a real keyring does not show on demand, against a scripted one.
@Suite("Secret Service faults lose no secret and block no caller", .timeLimit(.minutes(5)))
struct SecretServiceFaultTests {
    private typealias Reply = ScriptedDBus.Reply

    /// A test with its own bus, whose keyring has the secret `sesame` unless it is given another.
    private func onBus(
        keeping kept: [UInt8]? = Array("sesame".utf8), _ script: ScriptedDBus.Script = ScriptedDBus.Script(),
        _ body: (ScriptedDBus) async throws -> Void
    ) async throws {
        let bus = try ScriptedDBus(keeping: kept, script)
        defer { bus.end() }
        try await body(bus)
    }

    private func answering(_ member: String, _ reply: @escaping @Sendable (ScriptedDBus.Call) -> Reply) -> ScriptedDBus.Script {
        ScriptedDBus.Script(reply: { $0.member == member ? reply($0) : nil })
    }

    @Test("An invalid answer of the keyring is reported with advice")
    func malformed() async throws {
        let number: @Sendable (inout DBusWriter) -> Void = { answer in answer.variant("u") { $0.uint32(1) } }
        let faults: [(String, has: Bool, @Sendable (ScriptedDBus.Call) -> Reply)] = [
            ("SearchItems", true, { _ in .answer("s") { $0.string("of another kind") } }),
            ("SearchItems", true, { call in .bytes(ScriptedDBus.message(.signal, to: call.serial, signature: "aoao") { $0.data([]) }) }),
            ("SearchItems", true, { _ in .answer("aoao") { $0.data([1, 0, 0, 0, 0x2F, 0x2F]) } }),
            ("SearchItems", true, { _ in .answer("aoao") { $0.uint32(1 << 19) } }),
            ("SearchItems", true, { _ in .bytes(Array("B\u{2}\u{0}\u{1}".utf8) + [UInt8](repeating: 0, count: 12)) }),
            ("SearchItems", true, { _ in .bytes(Array("l\u{2}\u{0}\u{1}".utf8) + [UInt8](repeating: 255, count: 12)) }),
            (
                "SearchItems", true,
                { call in
                    let fields = { (fields: inout DBusWriter) in
                        fields.byte(9)
                        fields.variant("d") { $0.data([0, 0, 0, 0]) }
                    }
                    return .bytes(ScriptedDBus.message(to: call.serial, signature: "aoao", fields: fields) { $0.data([]) })
                }
            ),
            ("Get", false, { _ in .answer("v", number) }),
            (
                "OpenSession", true,
                { _ in
                    .answer("vo") { answer in
                        number(&answer)
                        answer.string("/session")
                    }
                }
            ),
        ]
        for (member, has, reply) in faults {
            try await onBus(keeping: has ? Array("sesame".utf8) : nil, answering(member, reply)) { bus in
                let error = try #require(await #expect(throws: SecretStoreError.self) { try await bus.store.load("pin") })
                #expect(error == .unexpectedStatus(code: "what the Secret Service does not say"))
                #expect(
                    error.description
                        == "The keeper of secrets answered what the Secret Service does not say, which is not known here. "
                        + "Try again; if it stays, report it.")
                #expect(bus.secret == (has ? Array("sesame".utf8) : nil))
            }
        }
    }

    @Test("A refusal is reported by its meaning, and an unknown one by its name")
    func refused() async throws {
        let refusals: [(String, SecretStoreError)] = [
            ("org.freedesktop.Secret.Error.NoSuchObject", .notFound(name: "pin")),
            (
                "org.freedesktop.DBus.Error.AccessDenied",
                .denied("The keyring does not let this program in. Allow it in the keyring's settings.")
            ),
            ("com.example.Odd", .unexpectedStatus(code: "com.example.Odd")),
        ]
        for (name, expected) in refusals {
            try await onBus(answering("GetSecret") { _ in .refusal(name) }) { bus in
                await #expect(throws: expected) { try await bus.store.load("pin") }
            }
        }
    }

    @Test("A missing keyring and a required prompt are reported, and nothing is saved or deleted")
    func notYet() async throws {
        let none = answering("ReadAlias") { _ in .answer("o") { $0.string("/") } }
        try await onBus(keeping: nil, none) { bus in
            let error = try #require(
                await #expect(throws: SecretStoreError.self) { try await bus.store.save(Secret("x"), as: "pin", for: .background) })
            #expect(error == .unavailable(reason: "no keyring has been made yet; the desktop's password manager makes one"))
            #expect(bus.secret == nil)
        }
        try await onBus(answering("Delete") { _ in .answer("o") { $0.string("/prompt/1") } }) { bus in
            await #expect { try await bus.store.delete("pin") } throws: { isLocked($0) }
            let secret = try await bus.store.load("pin")
            #expect(secret.reveal() == "sesame")
        }
        let asking = answering("CreateItem") { _ in
            .answer("oo") { answer in
                answer.string("/")
                answer.string("/prompt/1")
            }
        }
        try await onBus(keeping: nil, asking) { bus in
            await #expect { try await bus.store.save(Secret("x"), as: "pin", for: .background) } throws: { isLocked($0) }
        }
    }

    // GNOME's keyring does this while another program saves under the same name.
    @Test("A secret is saved although the keyring lists an item unknown to the bus")
    func notOnTheBusYet() async throws {
        let asked = Mutex<[String]>([])
        func refusing(_ error: String) -> ScriptedDBus.Script {
            ScriptedDBus.Script(reply: { call in
                asked.withLock { $0.append(call.member) }
                return call.member == "SetSecret" ? .refusal(error) : nil
            })
        }
        try await onBus(refusing("org.freedesktop.DBus.Error.UnknownMethod")) { bus in
            try await bus.store.save(Secret("new"), as: "pin", for: .background)
            #expect(asked.withLock(\.self).last == "CreateItem")
        }
        try await onBus(refusing("org.freedesktop.DBus.Error.AccessDenied")) { bus in
            await #expect(throws: SecretStoreError.self) { try await bus.store.save(Secret("new"), as: "pin", for: .background) }
            #expect(asked.withLock(\.self).last == "SetSecret")
        }
    }

    @Test("A foreign item that is no text is reported and left unchanged")
    func noText() async throws {
        try await onBus(keeping: [0xFF, 0xFE, 0x00]) { bus in
            let error = try #require(await #expect(throws: SecretStoreError.self) { try await bus.store.load("pin") })
            #expect(error == .corrupted("What the keyring holds as pin is no text. Delete it and save it again."))
            #expect(bus.secret == [0xFF, 0xFE, 0x00])
            try await bus.store.delete("pin")
            #expect(bus.secret == nil)
        }
    }

    @Test("A keyring that disconnects before or during a call is reported as not answering")
    func hungUp() async throws {
        let scripts = [
            ScriptedDBus.Script(greeting: .hangUp),
            // The third call, with the rest of it unread.
            ScriptedDBus.Script(atHead: { $0 == 3 ? .hangUp : nil }),
            answering("SetSecret") { _ in .hangUp },
            answering("SetSecret") { call in .bytes(Array(ScriptedDBus.message(to: call.serial, signature: "") { _ in }.prefix(9))) },
        ]
        for script in scripts {
            try await onBus(script) { bus in
                // The last one leaves half an answer on an open connection.
                let store = bus.store(timeout: .milliseconds(500))
                await #expect(throws: SecretStoreError.unavailable(reason: "the keyring does not answer")) {
                    try await store.save(Secret("new"), as: "pin", for: .background)
                }
            }
        }
    }

    @Test("A bus that rejects the user or never ends its greeting is reported")
    func greeting() async throws {
        try await onBus(ScriptedDBus.Script(greeting: .bytes(Array("REJECTED EXTERNAL\r\n".utf8)))) { bus in
            await #expect(throws: SecretStoreError.unavailable(reason: "the session bus belongs to somebody else")) {
                try await bus.store.load("pin")
            }
        }
        try await onBus(ScriptedDBus.Script(greeting: .endless(Array("OK and so on ".utf8)))) { bus in
            await #expect(throws: SecretStoreError.unexpectedStatus(code: "what the Secret Service does not say")) {
                try await bus.store.load("pin")
            }
        }
    }

    @Test("Unrelated bus messages without end block no caller")
    func flood() async throws {
        let news = ScriptedDBus.message(.signal, to: 0, signature: "s") { $0.string("something happened") }
        // So many at a time that there is always more to read.
        let flood = Array(repeatElement(news, count: 2_000).joined())
        try await onBus(answering("SearchItems") { _ in .endless(flood) }) { bus in
            await #expect(throws: SecretStoreError.unavailable(reason: "the keyring does not answer")) {
                try await bus.store(timeout: .milliseconds(200)).load("pin")
            }
        }
    }

    @Test("An answer with unknown header fields is read, also after other signals")
    func laterBus() async throws {
        let script = ScriptedDBus.Script(reply: { call in
            guard call.member == "GetSecret" else { return nil }
            let fields = { (fields: inout DBusWriter) in
                for (code, type) in [(6, "s"), (9, "u"), (20, "g"), (21, "o")] as [(UInt8, String)] {
                    fields.align(8)
                    fields.byte(code)
                    fields.variant(type) { value in
                        switch type {
                        case "u": value.uint32(0)
                        case "g": value.signature("as")
                        default: value.string("/of/a/later/bus")
                        }
                    }
                }
            }
            let news = ScriptedDBus.message(.signal, to: 0, signature: "s", fields: fields) { $0.string("something happened") }
            return .bytes(
                news
                    + ScriptedDBus.message(to: call.serial, signature: "(oayays)", fields: fields) { answer in
                        answer.align(8)
                        answer.string("/session")
                        answer.data([])
                        answer.data("from a later bus".utf8)
                        answer.string("text/plain")
                    })
        })
        try await onBus(script) { bus in
            let secret = try await bus.store.load("pin")
            #expect(secret.reveal() == "from a later bus")
        }
    }

    @Test("A long secret reaches a slow keyring whole, and one that stops reading is reported as not answering")
    func slow() async throws {
        let long = String(repeating: "sésame 🔑\n", count: 60_000)
        try await onBus { bus in
            try await bus.store.save(Secret(long), as: "pin", for: .background)
            #expect(bus.secret == Array(long.utf8))
        }
        // The fourth call carries the secret, after the greeting, the search and the session.
        try await onBus(ScriptedDBus.Script(atHead: { $0 == 4 ? .deaf : nil })) { bus in
            await #expect(throws: SecretStoreError.unavailable(reason: "the keyring does not answer")) {
                try await bus.store(timeout: .milliseconds(500)).save(Secret(long), as: "pin", for: .background)
            }
            #expect(bus.secret == Array("sesame".utf8))
        }
    }

    @Test("Every form of bus address is supported, and one that leads nowhere is reported")
    func addresses() async throws {
        let bus = try ScriptedDBus(isAbstract: true, keeping: Array("sesame".utf8))
        defer { bus.end() }
        let name = bus.path.replacing(" ", with: "%20")
        for address in ["unix:abstract=\(name)", "tcp:host=localhost;unix:flag,bad=%zz,guid=0123,abstract=\(name),guid=4567"] {
            let store = SecretServiceStore(environment: ["DBUS_SESSION_BUS_ADDRESS": address], timeout: .seconds(120))
            #expect(try await store.load("pin").reveal() == "sesame")
        }
        for (address, reason) in [
            ("unix:path=\(name)", "the session bus does not answer (No such file or directory)"),
            ("unix:path=/\(String(repeating: "x", count: 200))", "the session bus has too long an address"),
            ("unix:guid=0123", "there is no session bus"), ("tcp:host=localhost", "there is no session bus"),
        ] {
            await #expect(throws: SecretStoreError.unavailable(reason: reason)) {
                try await SecretServiceStore(environment: ["DBUS_SESSION_BUS_ADDRESS": address]).load("pin")
            }
        }
    }
}
