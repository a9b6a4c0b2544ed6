import CardeaAPI
import CardeaClient
import CardeaClientNIO
import CardeaHTTP
import CardeaHub
import CardeaSecurity
import CardeaNetwork
import CardeaTestSupport
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

private let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A folder that is deleted after the test.
private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

private func own(_ folder: URL, names: [String] = ["localhost", "127.0.0.1"], clock: ManualClock = ManualClock()) throws -> HubIdentity {
    try own(folder, clock: clock) { names }
}

private func own(_ folder: URL, clock: ManualClock, names: @escaping @Sendable () -> [String]) throws -> HubIdentity {
    try HubIdentity(.own(folder: folder, names: names), now: { clock.now }, sleep: { try await clock.sleep(until: $0) }, logger: quiet)
}

/// A house behind TLS on a real socket.
private func serving(
    _ identity: HubIdentity, headTime: Int64? = nil, _ body: @escaping @Sendable (TestHouse, Int) async throws -> Void
) async throws {
    try await TestHouse.open { house in
        var settings = HTTPSettings(hosts: [])
        if let headTime { settings.limits.headTimeout = headTime }
        let door = try HubApplication(
            hub: house.hub, mind: house.mind, automations: house.automations, settings: settings,
            address: CurrentPublicURL("https://localhost"), identity: identity)
        try await house.withServer(through: door) { try await body(house, $0) }
    }
}

/// Sends bytes to the port and nothing more, and waits until the hub disconnects.
private func hungUp(on port: Int, saying bytes: [UInt8]) async throws {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(host: "127.0.0.1", port: port).get()
    if !bytes.isEmpty { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
    try await channel.closeFuture.get()
}

/// Returns whether the house reports that it is ready, to a client that trusts it by `pin`.
private func ask(_ port: Int, host: String = "127.0.0.1", pin: String?) async throws -> Bool {
    try await ask(port, host: host, pins: [pin].compactMap(\.self))
}

private func ask(_ port: Int, host: String = "127.0.0.1", pins: [String]) async throws -> Bool {
    let (hub, book) = (try HubAddress("https://\(host):\(port)"), PinStore())
    if !pins.isEmpty { book.trust(Set(try pins.map { try Pin($0) }), at: hub) }
    return try await withNIOTransport(pins: book) { try await CardeaClient(hub: hub, transport: $0).house.health() == .ready }
}

@Suite("TLS of the hub", .serialized, .timeLimit(.minutes(5)))
struct TLSTests {
    @Test("A client with the hub's key connects and signs in; one with another or no key sends nothing")
    func pinned() async throws {
        try await withFolder { folder in
            let identity = try own(folder)
            try await serving(identity) { house, port in
                #expect(try await ask(port, pin: identity.info.pin))
                #expect(try await ask(port, host: "localhost", pin: identity.info.pin))
                let wrong = "sha256/" + Data(repeating: 7, count: 32).base64EncodedString()
                for pin in [wrong, identity.info.backupPin, nil] {
                    await #expect(throws: ClientError.untrusted(host: "127.0.0.1")) { try await ask(port, pin: pin) }
                }

                try await house.claim()
                let (hub, book) = (try HubAddress("https://127.0.0.1:\(port)"), PinStore())
                book.trust([try Pin(identity.info.pin)], at: hub)
                try await withNIOTransport(pins: book) { transport in
                    let client = CardeaClient(hub: hub, transport: transport)
                    try await client.sessions.login(username: "owner", password: TestHouse.password)
                    let certificate = try await client.house.certificate()
                    #expect(certificate.pin == identity.info.pin && certificate.backupPin == identity.info.backupPin)
                    #expect(certificate.fingerprintSHA256 == identity.info.fingerprint)
                    #expect(try await client.devices.get("front-door").name == "Front door")
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<20 { group.addTask { _ = try await client.people.me() } }
                        try await group.waitForAll()
                    }
                    var devices = client.eventStream.devices().makeAsyncIterator()
                    for _ in 0..<4 { #expect(await devices.next() != nil) }
                    try await house.doorBackend.report("unlocked", at: "lock.front_door")
                    #expect(await devices.next()?.entities.first?.state == "unlocked")
                }
            }
        }
    }

    @Test("After the switch to the spare key only clients that know it connect")
    func spareKey() async throws {
        try await withFolder { folder in
            let before = try own(folder).info
            let spare = try #require(before.backupPin)
            try FileManager.default.removeItem(at: folder.appending(path: "tls.key"))
            try FileManager.default.moveItem(at: folder.appending(path: "tls-backup.key"), to: folder.appending(path: "tls.key"))
            try FileManager.default.removeItem(at: folder.appending(path: "tls.crt"))
            let identity = try own(folder)
            #expect(identity.info.pin == spare)
            try await serving(identity) { _, port in
                let isReady = try await ask(port, pins: [before.pin, spare])
                #expect(isReady)
                await #expect(throws: ClientError.untrusted(host: "127.0.0.1")) { try await ask(port, pins: [before.pin]) }
            }
        }
    }

    @Test("Large transfers work both ways over a pinned connection, and to no other key")
    func large() async throws {
        try await withFolder { folder in
            let identity = try own(folder)
            try await serving(identity) { house, port in
                try await house.claim()
                let (hub, book) = (try HubAddress("https://127.0.0.1:\(port)"), PinStore())
                book.trust([try Pin(identity.info.pin)], at: hub)
                let (contract, room) = (folder.appending(path: "openapi.json"), folder.appending(path: "room.json"))
                try Data(#"{"name":"Attic"}"#.utf8).write(to: room)
                try await withNIOTransport(pins: book) { transport in
                    let client = CardeaClient(hub: hub, transport: transport)
                    try await client.sessions.login(username: "owner", password: TestHouse.password)
                    try await client.untyped.download(["openapi.json"], to: contract)
                    #expect(try JSONSerialization.jsonObject(with: Data(contentsOf: contract)) is [String: Any])
                    _ = try await client.untyped.upload(
                        .file(room), by: .post, to: ["api", "v1", "rooms"], contentType: "application/json", key: "attic")
                    #expect(try await client.rooms.list().rooms.map(\.name) == ["Attic"])
                }
                let wrong = PinStore()
                wrong.trust([Pin(digest: Data(repeating: 7, count: 32))], at: hub)
                for book in [wrong, PinStore()] {
                    try await withNIOTransport(pins: book) { transport in
                        let client = CardeaClient(hub: hub, transport: transport)
                        let elsewhere = folder.appending(path: "elsewhere")
                        await #expect(throws: ClientError.untrusted(host: "127.0.0.1")) {
                            try await client.untyped.download(["openapi.json"], to: elsewhere, isOpen: true)
                        }
                        await #expect(throws: ClientError.untrusted(host: "127.0.0.1")) {
                            try await client.untyped.upload(.file(room), by: .post, to: ["api", "v1", "rooms"], isOpen: true)
                        }
                    }
                }
            }
        }
    }

    @Test("Plain HTTP, noise and silence on the TLS port cause no crash, and their connections are closed")
    func noise() async throws {
        try await withFolder { folder in
            let identity = try own(folder)
            try await serving(identity, headTime: 1) { _, port in
                await #expect(throws: (any Error).self) {
                    try await withNIOTransport(pins: PinStore()) {
                        try await $0.send(TransportRequest(method: .get, url: try #require(URL(string: "http://127.0.0.1:\(port)/readyz"))))
                    }
                }
                var random = SeededGenerator.forTest(1)
                let noise = (0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                // The beginning of a handshake that stops: ten bytes of a record of 512.
                let half: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03]
                for said in [noise, [], half, [0x00], Array("GET / HTTP/1.1\r\n\r\n".utf8)] {
                    try await hungUp(on: port, saying: said)
                    // On a slow machine a valid request head can be late too; it is sent again.
                    try await waitUntil { (try? await ask(port, pin: identity.info.pin)) == true }
                }
            }
        }
    }

    @Test("Key files are private and permanent, and one with open permissions is refused")
    func keys() async throws {
        try await withFolder { folder in
            let first = try own(folder).info
            let again = try own(folder).info
            #expect(again == first)
            #expect(first.backupPin != nil && first.backupPin != first.pin)
            for name in ["tls.key", "tls-backup.key"] {
                let path = folder.appending(path: name).path
                #expect((try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
            let key = folder.appending(path: "tls.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key.path)
            let problem = #expect(throws: IdentityError.self) { try own(folder) }
            #expect(problem?.description.contains("chmod 600") == true)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
            try Data("nonsense".utf8).write(to: key)
            #expect(throws: IdentityError.self) { try own(folder) }
        }
    }

    @Test("A certificate is renewed a month early with the same key while running; a new name gives a new certificate")
    func renewal() async throws {
        try await withFolder { folder in
            let clock = ManualClock()
            let identity = try own(folder, clock: clock)
            let first = identity.info
            #expect(first.notAfter == clock.now.addingTimeInterval(90 * 86_400))
            clock.advance(by: 59 * 86_400)
            identity.refresh()
            #expect(identity.info == first)
            clock.advance(by: 86_400)
            identity.refresh()
            #expect(identity.info.pin == first.pin && identity.info.fingerprint != first.fingerprint)
            #expect(identity.info.notAfter == clock.now.addingTimeInterval(90 * 86_400))

            let renamed = try own(folder, names: ["localhost", "127.0.0.1", "house.example", "::1"], clock: clock).info
            #expect(renamed.pin == first.pin && renamed.fingerprint != identity.info.fingerprint)
            #expect(try own(folder, names: ["localhost"], clock: clock).info == renamed)
        }
    }

    @Test(
        "A certificate from a clock ahead is reissued with the same key once the clock is corrected",
        arguments: [TimeInterval(10 * 3600), TimeInterval(43 * 365 * 86_400)])
    func setRight(ahead: TimeInterval) async throws {
        try await withFolder { folder in
            let clock = ManualClock()
            let right = clock.now
            clock.jump(to: right.addingTimeInterval(ahead))
            let identity = try own(folder, clock: clock)
            let first = identity.info

            clock.jump(to: right)
            identity.refresh()

            let second = identity.info
            #expect(second.pin == first.pin && second.backupPin == first.backupPin && second.fingerprint != first.fingerprint)
            #expect(second.notAfter == right.addingTimeInterval(90 * 86_400))
            identity.refresh()
            #expect(identity.info == second)
            #expect(try own(folder, clock: clock).info == second)
        }
    }

    /// After its router assigned another address, a house was reached under a name that its certificate lacked until a restart.
    @Test("After a change of address while running the next certificate includes it, with the same key")
    func renamed() async throws {
        try await withFolder { folder in
            let names = Mutex(["localhost", "192.168.1.7"])
            let identity = try own(folder, clock: ManualClock()) { names.withLock { $0 } }
            let first = identity.info
            names.withLock { $0 = ["localhost", "192.168.1.9"] }

            identity.refresh()

            let second = identity.info
            #expect(second.pin == first.pin && second.backupPin == first.backupPin && second.fingerprint != first.fingerprint)
            // No change: no new certificate. A removed name does not require a new one.
            identity.refresh()
            names.withLock { $0 = ["localhost"] }
            identity.refresh()
            #expect(identity.info == second)
        }
    }

    @Test("A custom certificate is reloaded on change, a partial file is ignored, and a pair must match")
    func files() async throws {
        try await withFolder { one in
            try await withFolder { other in
                try await withFolder { folder in
                    let (first, second) = (try own(one).info, try own(other).info)
                    let (certificate, key) = (folder.appending(path: "house.pem"), folder.appending(path: "house.key"))
                    @Sendable func copy(_ from: URL) throws {
                        for (name, place) in [("tls.key", key), ("tls.crt", certificate)] {
                            try Data(contentsOf: from.appending(path: name)).write(to: place, options: .atomic)
                            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.path)
                        }
                    }
                    try copy(one)
                    let clock = ManualClock()
                    @Sendable func read() throws -> HubIdentity {
                        try HubIdentity(
                            .files(certificate: certificate, key: key), now: { clock.now }, sleep: { try await clock.sleep(until: $0) },
                            logger: quiet)
                    }
                    let identity = try read()
                    #expect(identity.info.pin == first.pin && identity.info.backupPin == nil)
                    try await serving(identity) { _, port in
                        #expect(try await ask(port, pin: first.pin))
                        try copy(other)
                        identity.refresh()
                        #expect(try await ask(port, pin: second.pin))
                        await #expect(throws: ClientError.untrusted(host: "127.0.0.1")) { try await ask(port, pin: first.pin) }
                        try Data("-----BEGIN CERT".utf8).write(to: certificate)
                        identity.refresh()
                        #expect(try await ask(port, pin: second.pin))
                    }
                    try Data(contentsOf: one.appending(path: "tls.crt")).write(to: certificate)
                    #expect(throws: IdentityError.mismatch(certificate: certificate.path, key: key.path)) { try read() }
                }
            }
        }
    }

    @Test(
        "An expiring certificate is reported a month early, an unreadable one too, and a missing one is not"
    )
    func looked() async throws {
        try await withFolder { folder in
            let clock = ManualClock()
            let file = CertificateExpiryCheck.ownCertificateURL(in: folder)
            #expect(CertificateExpiryCheck.warning(of: file, isOwn: true, at: clock.now) == nil)
            #expect(CertificateExpiryCheck.warning(of: file, isOwn: false, at: clock.now)?.contains("Put one there") == true)
            let end = try own(folder, clock: clock).info.notAfter

            #expect(CertificateExpiryCheck.warning(of: file, isOwn: true, at: end.addingTimeInterval(-30 * 86_400)) == nil)
            let soon = CertificateExpiryCheck.warning(of: file, isOwn: true, at: end.addingTimeInterval(-30 * 86_400 + 1))
            #expect(soon?.contains("ends on \(end.formatted(.iso8601))") == true)
            let over = CertificateExpiryCheck.warning(of: file, isOwn: false, at: end.addingTimeInterval(1))
            #expect(over?.contains("ended on") == true && over?.contains("Have it renewed") == true)
            try Data("-----BEGIN CERT".utf8).write(to: file)
            #expect(CertificateExpiryCheck.warning(of: file, isOwn: true, at: clock.now)?.contains("Start the hub again") == true)
        }
    }

    @Test("A printed pin is parsed, and other texts are refused")
    func pins() throws {
        let text = "sha256/" + Data(1...32).base64EncodedString()
        #expect(try Pin(text).description == text)
        #expect(try Pin(" sha256//" + Data(1...32).base64EncodedString()) == Pin(text))
        // One house in 64 could not be claimed by its key: its digest's leading slash was taken for the second of two.
        for first in UInt8.min ... .max {
            let digest = Data([first] + Array(repeating: first ^ 0x5A, count: 31))
            #expect(try Pin("sha256/" + digest.base64EncodedString()).digest == digest)
            #expect(try Pin("sha256//" + digest.base64EncodedString()).digest == digest)
        }
        for nonsense in ["", "sha256/", "sha256/AAAA", "sha1/" + Data(1...20).base64EncodedString(), text + "=", "md5"] {
            #expect(throws: ClientError.self) { try Pin(nonsense) }
        }
    }
}
