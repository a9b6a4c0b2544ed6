import CardeaHub
import CardeaModel
import CardeaMosquitto
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("MQTT integration with a real broker", .serialized, .timeLimit(.minutes(10)))
struct BrokerTests {
    private static let set = "home/back_door/set"

    /// Announces the lock with a client that is not ours, and waits until the house knows it, locked.
    private func installLock(on broker: MosquittoBroker, in house: IntegrationFixture) async throws {
        try await broker.publish(AnnouncedLock.topic, AnnouncedLock.config, retained: true)
        try await broker.publish("home/back_door/available", "online", retained: true)
        try await broker.publish("home/back_door/state", "LOCKED", retained: true)
        try await house.sink.log.waitUntil("the lock is there") {
            $0.last("lock.back_door")?.state.value == "locked" && $0.statuses["back-door"] == .online
        }
    }

    @Test("An announced lock appears, is unlocked once, and its own state report confirms the command")
    func door() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await installLock(on: broker, in: house)
            #expect(house.sink.log.now.devices["back-door"]?.entities.first?.verbs == [.lock, .unlock])
            let listener = try await broker.listener(to: ["home/back_door/set"])

            let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
            let seen = try await listener.until("the command is seen") { !$0.isEmpty }
            try await broker.publish("home/back_door/state", "UNLOCKED", retained: true)
            let report = try await house.sink.log.waitUntil("the lock answers") { $0.last("lock.back_door")?.state.value == "unlocked" }
                .last("lock.back_door")

            #expect(handover == .dispatched)
            #expect(seen.map(\.payload) == ["UNLOCK"])
            #expect(seen.first?.isRetained == false)
            // The broker counts down from five.
            #expect((1...5).contains(seen.first.flatMap { Int($0.expiry) } ?? 0))
            #expect(seen.first?.userProperties.contains("cardea-command-id:command-1") == true)
            #expect(report?.isFresh == true)
        }
    }

    @Test("A button marked harmless publishes only to topics that no lock uses")
    func harmless() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await installLock(on: broker, in: house)
            house.sink.log.change { $0.heldTopics = [Self.set] }
            let listener = try await broker.listener(to: ["home/#"])
            func carriage(_ topic: String, _ risk: Risk) async -> PublishResult {
                await house.integration.publish(
                    BrokerMessage(
                        topic: topic, payload: Array("UNLOCK".utf8), risk: risk, commandID: "command-1",
                        notAfter: Date().addingTimeInterval(120)))
            }

            guard case .refused(let reason) = await carriage(Self.set, .control) else { throw CancellationError() }
            #expect(reason.contains("a door listens to this topic"))
            #expect(await carriage("home/bell", .control) == .acknowledged)
            #expect(await carriage(Self.set, .open) == .acknowledged)
            let seen = try await listener.until("both are seen") { $0.filter { $0.payload == "UNLOCK" }.count == 2 }
            #expect(seen.filter { $0.payload == "UNLOCK" }.map(\.topic) == ["home/bell", Self.set])
        }
    }

    @Test("Retained messages set the state but confirm no command")
    func retained() async throws {
        let broker = try await MosquittoBroker()
        try await broker.publish(AnnouncedLock.topic, AnnouncedLock.config, retained: true)
        try await broker.publish("home/back_door/state", "UNLOCKED", retained: true)
        try await IntegrationFixture(broker).run { house in
            let kept = try await house.sink.log.waitUntil("the kept state is known") { $0.last("lock.back_door") != nil }.last(
                "lock.back_door")
            try await broker.publish("home/back_door/state", "UNLOCKED")
            let live = try await house.sink.log.waitUntil("the lock speaks") { $0.last("lock.back_door")?.isFresh == true }

            #expect(kept?.state.value == "unlocked")
            #expect(kept?.isFresh == false)
            #expect(live.last("lock.back_door")?.state.value == "unlocked")
        }
    }

    @Test(
        "Announcements, states and withdrawals during a disk failure are applied later; commands wait meanwhile"
    )
    func fullDisk() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            let bell = "homeassistant/button/bell/config"
            try await broker.publish(bell, #"{"name": "Bell", "cmd_t": "bell"}"#, retained: true)
            try await house.sink.log.waitUntil("the button is there") { $0.statuses["bell"] != nil }
            house.sink.log.change { $0.hasDiskSpace = false }
            try await broker.publish(bell, "", retained: true)
            try await broker.publish(AnnouncedLock.topic, AnnouncedLock.config, retained: true)
            try await broker.publish("home/back_door/available", "online", retained: true)
            try await broker.publish("home/back_door/state", "LOCKED", retained: true)
            let noted = try await house.health("that is said") { health in
                health.notices.contains {
                    $0.message == "Not added yet, because the house could not write to its disk: back-door. The hub tries again."
                }
            }
            #expect(!noted.notices.contains { $0.message.contains("under another name") })
            #expect(
                await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
                    == .refused(reason: "the house has not accepted the device"))
            #expect(house.sink.log.now.devices["back-door"] == nil && house.sink.log.now.devices["bell"] != nil)

            house.sink.log.change { $0.hasDiskSpace = true }
            try await house.sink.log.waitUntil("all of it is told after all") {
                $0.last("lock.back_door")?.state.value == "locked" && $0.statuses["back-door"] == .online && $0.withdrawn == ["bell"]
            }
            try await house.health("and nothing is owed") { !$0.notices.contains { $0.message.contains("again") } }
            #expect(await house.integration.perform(house.backendCommand(.unlock, "lock.back_door")) == .dispatched)
        }
    }

    @Test("Commands are not sent to offline or unknown devices, after their deadline, or for unsupported actions")
    func refused() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await installLock(on: broker, in: house)
            let listener = try await broker.listener(to: ["home/back_door/#"])

            let late = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door", within: -1))
            let unable = await house.integration.perform(house.backendCommand(.open, "lock.back_door"))
            let unknown = await house.integration.perform(house.backendCommand(.unlock, "lock.nowhere"))
            try await broker.publish("home/back_door/available", "offline", retained: true)
            try await house.sink.log.waitUntil("the lock is offline") { $0.statuses["back-door"] == .offline }
            let offline = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))

            for handover in [late, unknown, offline] {
                guard case .refused = handover else {
                    Issue.record("\(handover)")
                    continue
                }
            }
            #expect(unable == .unsupported)
            #expect(offline == .refused(reason: "the device is offline"))
            try await broker.publish(Self.set, "fence")
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            #expect(!seen.contains { $0.payload == "UNLOCK" })
        }
    }

    @Test("A button press is sent without a confirmation")
    func unheard() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await broker.publish("homeassistant/button/bell/config", #"{"name": "Bell", "cmd_t": "bell"}"#, retained: true)
            try await house.sink.log.waitUntil("the button is there") { $0.statuses["bell"] == .online }

            #expect(await house.integration.perform(house.backendCommand(.press, "button.bell")) == .dispatchedWithoutReport)
        }
    }

    @Test("After a broker restart no command arrives late and the lock's state is read again")
    func brokerBack() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await installLock(on: broker, in: house)

            broker.signal(SIGSTOP)
            let intoTheVoid = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
            try await broker.crash()
            try await house.sink.log.waitUntil("the loss is noticed") { $0.statuses["back-door"] == .unknown }
            let whileAway = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))

            #expect(intoTheVoid == .dispatched)
            #expect(whileAway == .refused(reason: "the broker is not connected"))
            let failed = try await house.health("the loss has a reason") { $0.status == .failed }
            #expect(failed.reason?.isEmpty == false)

            try await broker.start()
            let listener = try await broker.listener(to: [Self.set, "cardea/status"])
            try await listener.until("the hub is back") { $0.contains { $0.topic == "cardea/status" && $0.payload == "online" } }
            try await broker.publish("home/back_door/state", "JAMMED", retained: true)
            try await house.sink.log.waitUntil("the state is read again") { $0.last("lock.back_door")?.state.value == "jammed" }
            try await broker.publish(Self.set, "fence")
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            #expect(!seen.contains { $0.payload == "UNLOCK" })
            #expect(await house.integration.health().status == .connected)

            // The broker has lost the lock's availability.
            let tooEarly = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
            #expect(tooEarly == .refused(reason: "the device has not reported yet that it is available"))
            try await broker.publish("home/back_door/available", "online", retained: true)
            try await house.sink.log.waitUntil("the lock is back") { $0.statuses["back-door"] == .online }
            let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
            #expect(handover == .dispatched)
            try await listener.until("a new command is seen") { $0.contains { $0.payload == "UNLOCK" } }
        }
    }

    @Test("A frozen broker gets no command to deliver when it resumes")
    func frozen() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker, trust: .zero).run { house in
            try await installLock(on: broker, in: house)
            let listener = try await broker.listener(to: [Self.set])

            broker.signal(SIGSTOP)
            let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.back_door"))
            broker.signal(SIGCONT)

            #expect(handover == .refused(reason: "the broker does not respond"))
            try await broker.publish(Self.set, "fence")
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            #expect(seen.map(\.payload) == ["fence"])
        }
    }

    @Test("The hub publishes birth and leaving messages, and its will is published when it fails")
    func birthAndWill() async throws {
        let broker = try await MosquittoBroker()
        let listener = try await broker.listener(to: ["cardea/status"])
        let settings = MQTTSettings(host: "127.0.0.1", port: broker.port, clientID: "the-hub")
        try await IntegrationFixture(settings).run { house in
            try await listener.until("the birth is seen") { $0.map(\.payload) == ["online"] }
            // A client with our id makes the broker disconnect us and publish our will.
            try await broker.publish("x", "y", ["-i", "the-hub"])
            try await listener.until("the will is seen, and the return") { $0.map(\.payload) == ["online", "offline", "online"] }
        }
        try await listener.until("the goodbye is seen") { $0.map(\.payload) == ["online", "offline", "online", "offline"] }
    }

    @Test("Each connection sends one non-retained request for new announcements")
    func birth() async throws {
        let broker = try await MosquittoBroker()
        let listener = try await broker.listener(to: ["homeassistant/status", "cardea/status"])
        let settings = MQTTSettings(host: "127.0.0.1", port: broker.port, clientID: "the-hub")
        try await IntegrationFixture(settings).run { _ in
            try await listener.until("one connection has asked") { $0.contains { $0.topic == "homeassistant/status" } }
            // A client with our id makes the broker disconnect us.
            try await broker.publish("x", "y", ["-i", "the-hub"])
            let seen = try await listener.until("two connections have asked") { $0.count { $0.topic == "homeassistant/status" } == 2 }
            #expect(seen.filter { $0.topic == "homeassistant/status" }.map(\.payload) == ["online", "online"])
        }
        let late = try await broker.listener(to: ["homeassistant/status", "cardea/status"])
        let kept = try await late.until("the goodbye was kept") { $0.contains { $0.topic == "cardea/status" } }
        #expect(!kept.contains { $0.topic == "homeassistant/status" })
    }

    @Test("Devices without an availability topic are available while the broker is connected")
    func noAvailability() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            _ = try await house.health("it is connected") { $0.status == .connected }
            try await broker.publish("homeassistant/switch/pump/config", #"{"name": "Pump", "cmd_t": "p", "stat_t": "s"}"#)
            try await house.sink.log.waitUntil("the pump is there") { $0.statuses["pump"] == .online }
            try await broker.crash()
            try await house.sink.log.waitUntil("nobody knows") { $0.statuses["pump"] == .unknown }
        }
    }

    @Test("Messages that arrive together make one report; oversized messages are counted")
    func batches() async throws {
        let broker = try await MosquittoBroker()
        try await IntegrationFixture(broker).run { house in
            try await installLock(on: broker, in: house)
            try broker.scratch.write("large", String(repeating: "x", count: 300 * 1024))
            try await broker.publish("home/back_door/state", file: broker.scratch.path("large"))
            let health = try await house.health("the large message is counted") { $0.notices.contains { $0.message.contains("256 KiB") } }
            #expect(health.status == .connected)

            let words = Array(repeating: ["UNLOCKING", "UNLOCKED"], count: 500).flatMap(\.self)
            try broker.scratch.write("states", words.joined(separator: "\n"))
            try await ChildProcess.run(
                "sh", ["-c", "mosquitto_pub -h 127.0.0.1 -p \(broker.port) -t home/back_door/state -l < states"],
                directory: broker.scratch.url)
            let log = try await house.sink.log.waitUntil("all is reported") { $0.reports.filter(\.isFresh).count >= 1000 }
            #expect(log.batches.contains { $0.count > 1 })
            #expect(log.last("lock.back_door")?.state.value == "unlocked")
        }
    }
}

@Suite("Broker authentication with a real broker", .serialized, .timeLimit(.minutes(10)))
struct BrokerAccessTests {
    private func settings(_ port: Int, _ change: (inout MQTTSettings) -> Void) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1", port: port)
        change(&settings)
        return settings
    }

    @Test("A missing broker is reported with its reason")
    func nobody() async throws {
        let port = try MosquittoBroker.freePort()
        try await IntegrationFixture(settings(port) { _ in }).run { house in
            try await house.health("the failure is told") { $0.status == .failed && $0.reason == "connection refused" }
        }
        try await IntegrationFixture(MQTTSettings(host: "no-such-host.invalid")).run { house in
            try await house.health("the failure is told") { $0.status == .failed && $0.reason?.contains("host name") == true }
        }
    }

    @Test("A wrong password is reported, and the right one connects")
    func password() async throws {
        let scratch = try TemporaryFolder()
        try await ChildProcess.run("mosquitto_passwd", ["-c", "-b", scratch.path("passwords"), "hub", "right"])
        let broker = try await MosquittoBroker("allow_anonymous false\npassword_file \(scratch.path("passwords"))", in: scratch)

        try await IntegrationFixture(settings(broker.port) { ($0.username, $0.password) = ("hub", "wrong") }).run { house in
            try await house.health("the failure is told") { $0.status == .failed && $0.reason?.hasPrefix("not authorised") == true }
        }
        try await IntegrationFixture(settings(broker.port) { ($0.username, $0.password) = ("hub", "right") }).run { house in
            _ = try await house.health("it is connected") { $0.status == .connected }
        }
    }

    @Test("A missing publish permission is detected by the birth message")
    func publishRefused() async throws {
        let scratch = try TemporaryFolder()
        try await ChildProcess.run("mosquitto_passwd", ["-c", "-b", scratch.path("passwords"), "hub", "right"])
        try scratch.write("acl", "user hub\ntopic read #\n")
        let broker = try await MosquittoBroker(
            "allow_anonymous false\npassword_file \(scratch.path("passwords"))\nacl_file \(scratch.path("acl"))", in: scratch)

        try await IntegrationFixture(settings(broker.port) { ($0.username, $0.password) = ("hub", "right") }).run { house in
            let health = try await house.health("the refusal is told") { $0.status == .connected && $0.reason != nil }
            #expect(health.reason?.contains("does not allow publishing") == true)
            #expect(health.notices.contains { $0.message.contains("135") })
        }
    }

    @Test("The broker's certificate must be trusted and match the host name")
    func certificates() async throws {
        let scratch = try await TestCertificates.make()
        let broker = try await MosquittoBroker(
            "allow_anonymous true\ncertfile \(scratch.path("server.crt"))\nkeyfile \(scratch.path("server.key"))", in: scratch)
        let ca = try scratch.read("ca.crt")
        let other = try scratch.read("other-ca.crt")

        try await IntegrationFixture(settings(broker.port) { ($0.tls, $0.caPEM) = (true, other) }).run { house in
            try await house.health("the failure is told") {
                $0.status == .failed && $0.reason?.hasPrefix("the broker's certificate is not trusted") == true
            }
        }
        try await IntegrationFixture(settings(broker.port) { $0.tls = true }).run { house in
            try await house.health("the failure is told") {
                $0.status == .failed && $0.reason?.hasPrefix("the broker's certificate is not trusted") == true
            }
        }
        try await IntegrationFixture(settings(broker.port) { ($0.tls, $0.caPEM) = (true, ca) }).run { house in
            _ = try await house.health("it is connected") { $0.status == .connected }
        }
        try await IntegrationFixture(settings(broker.port) { ($0.tls, $0.caPEM) = (true, "no certificate") }).run { house in
            let health = try await house.health("the failure is told") {
                $0.status == .failed && $0.reason?.contains("certificate") == true
            }
            #expect(health.reason?.contains("/proc") == false)
        }
    }

    @Test("A certificate for another name is refused")
    func wrongName() async throws {
        let scratch = try await TestCertificates.make()
        let broker = try await MosquittoBroker(
            "allow_anonymous true\ncertfile \(scratch.path("elsewhere.crt"))\nkeyfile \(scratch.path("elsewhere.key"))", in: scratch)
        let ca = try scratch.read("ca.crt")

        try await IntegrationFixture(settings(broker.port) { ($0.tls, $0.caPEM) = (true, ca) }).run { house in
            try await house.health("the failure is told") {
                $0.status == .failed && $0.reason?.hasPrefix("the broker's certificate is not trusted") == true
            }
        }
    }

    @Test("A broker that requires a client certificate gets it, and its absence is reported")
    func mutual() async throws {
        let scratch = try await TestCertificates.make()
        let broker = try await MosquittoBroker(
            """
            allow_anonymous true
            cafile \(scratch.path("ca.crt"))
            certfile \(scratch.path("server.crt"))
            keyfile \(scratch.path("server.key"))
            require_certificate true
            use_identity_as_username true
            """, in: scratch)
        let ca = try scratch.read("ca.crt")
        let (certificate, key) = (try scratch.read("hub.crt"), try scratch.read("hub.key"))

        try await IntegrationFixture(settings(broker.port) { ($0.tls, $0.caPEM) = (true, ca) }).run { house in
            // The broker disconnects at once, and sometimes its reason is lost; a later attempt gets it.
            _ = try await house.health("the failure is told") {
                $0.status == .failed && $0.reason?.contains("a client certificate") == true
            }
        }
        try await IntegrationFixture(
            settings(broker.port) { ($0.tls, $0.caPEM, $0.certPEM, $0.keyPEM) = (true, ca, certificate, key) }
        ).run { house in
            _ = try await house.health("it is connected") { $0.status == .connected }
            try await broker.log.waitUntil("the broker knows our name") { $0.contains { $0.contains("u'hub'") } }
        }
    }

    @Test("An MQTT 3.1.1 broker is served without expiry and properties")
    func older() async throws {
        let broker = try await MosquittoBroker()
        var options = ConnectionOptions(host: "127.0.0.1", port: broker.port, clientID: "old")
        options.onlyMQTT311 = true
        let connection = try await MosquittoConnection.open(options)
        let listener = try await broker.listener(to: ["a"])

        #expect(!connection.speaksMQTT5)
        #expect(try await connection.subscribe(["a", "b"]) == [0, 0])
        #expect(await connection.answers(within: .seconds(60)))
        try await connection.publish(
            OutgoingMessage(topic: "a", payload: Array("x".utf8), expiry: 5, userProperties: [(name: "n", value: "v")]))
        let seen = try await listener.until("it is seen") { !$0.isEmpty }
        #expect(seen.first?.expiry == "")
        #expect(seen.first?.userProperties == "")
        var messages = connection.messages.makeAsyncIterator()
        #expect(await messages.next()?.first?.payload == Array("x".utf8))

        await connection.close()
        await #expect(throws: MQTTConnectionError.closed) { try await connection.publish(OutgoingMessage(topic: "a", payload: [])) }
        #expect(await messages.next() == nil)
    }
}

/// A household authority, another one, and their certificates.
enum TestCertificates {
    static func make() async throws -> TemporaryFolder {
        let scratch = try TemporaryFolder()
        func openssl(_ arguments: String...) async throws { try await ChildProcess.run("openssl", arguments, directory: scratch.url) }
        for name in ["ca", "other-ca"] {
            try await openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                "-keyout", "\(name).key", "-out", "\(name).crt")
        }
        for (name, names) in [
            ("server", "DNS:localhost,IP:127.0.0.1"), ("elsewhere", "DNS:elsewhere.example,IP:192.0.2.1"), ("hub", "DNS:hub"),
        ] {
            try scratch.write("\(name).ext", "subjectAltName=\(names)\n")
            try await openssl(
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)", "-keyout", "\(name).key",
                "-out", "\(name).csr")
            try await openssl(
                "x509", "-req", "-in", "\(name).csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile",
                "\(name).ext", "-out", "\(name).crt")
        }
        return scratch
    }
}
