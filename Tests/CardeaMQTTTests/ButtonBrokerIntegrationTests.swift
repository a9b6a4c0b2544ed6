import CardeaHub
import CardeaModel
import CardeaMosquitto
import CardeaSecurity
import CardeaTestSupport
import CardeaTriggers
import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import CardeaMQTT

@Suite("Buttons that publish to a separate broker", .serialized, .timeLimit(.minutes(10)))
struct ButtonBrokerIntegrationTests {
    /// A broker that requires client certificates, and the endpoint that has one.
    private func withEndpoint(_ body: @Sendable (MosquittoBroker, ButtonBrokerIntegration, AwaitableValue<[Bool]>) async throws -> Void)
        async throws
    {
        let scratch = try await TestCertificates.make()
        let broker = try await MosquittoBroker(
            """
            allow_anonymous true
            cafile \(scratch.path("ca.crt"))
            certfile \(scratch.path("server.crt"))
            keyfile \(scratch.path("server.key"))
            require_certificate true
            """, in: scratch)
        let settings = try ButtonBrokerSettings(
            host: "127.0.0.1", port: broker.port, certificatePEM: try scratch.read("hub.crt"), keyPEM: Secret(try scratch.read("hub.key")),
            caPEM: try scratch.read("ca.crt"))
        let sink = RecordingPublishingSink()
        let logger = Logger(label: "endpoint") { _ in SwiftLogNoOpLogHandler() }
        let endpoint = ButtonBrokerIntegration(
            settings: settings, sink: sink, logger: logger, backoff: Backoff(base: .milliseconds(20), cap: .milliseconds(100)))
        let group = ServiceGroup(services: [endpoint], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let outcome: Result<Void, any Error>
            do {
                try await sink.seen.waitUntil("it is connected") { $0 == [true] }
                outcome = .success(try await body(broker, endpoint, sink.seen))
            } catch {
                outcome = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try outcome.get()
        }
    }

    private func identity(_ broker: MosquittoBroker) -> [String] {
        ["--cafile", broker.scratch.path("ca.crt"), "--cert", broker.scratch.path("hub.crt"), "--key", broker.scratch.path("hub.key")]
    }

    private func message(_ answer: BrokerMessage.ExpectedReply? = nil, within seconds: TimeInterval = 120) -> BrokerMessage {
        BrokerMessage(
            topic: "home/garage", payload: Array("open".utf8), risk: .open, commandID: "cmd_1",
            notAfter: Date().addingTimeInterval(seconds),
            answer: answer)
    }

    @Test("A publication is sent once at QoS 1, not retained, with an expiry; the device's report confirms it")
    func published() async throws {
        try await withEndpoint { broker, endpoint, _ in
            let listener = try await broker.listener(to: ["home/#"], identity: identity(broker), ["-q", "1"])
            // A state from before the press does not answer it.
            try await broker.publish("home/garage/state", "open", retained: true, identity(broker))
            let heard = AwaitableValue(0)
            let answer = BrokerMessage.ExpectedReply(topic: "home/garage/state") {
                $0 == Array("open".utf8)
            } onReply: {
                heard.change { $0 += 1 }
            }

            let carriage = await endpoint.publish(message(answer))
            let seen = try await listener.until("it is seen") { $0.contains { $0.topic == "home/garage" } }
            #expect(carriage == .acknowledged && heard.now == 0)
            try await broker.publish("home/garage/state", "opening", retained: false, identity(broker))
            try await broker.publish("home/garage/state", "open", retained: false, identity(broker))
            try await heard.waitUntil("the device has answered") { $0 == 1 }

            let command = seen.filter { $0.topic == "home/garage" }
            #expect(command.map(\.payload) == ["open"] && command.first?.isRetained == false)
            // The broker counts down from five.
            #expect((1...5).contains(command.first.flatMap { Int($0.expiry) } ?? 0))
            #expect(command.first?.userProperties.contains("cardea-command-id:cmd_1") == true)
        }
    }

    private func refusalReason(_ carriage: PublishResult) -> String? { if case .refused(let reason) = carriage { reason } else { nil } }

    @Test("Without a subscriber, after its deadline or without a broker, a publication is never sent, not even later")
    func notPublished() async throws {
        try await withEndpoint { broker, endpoint, standing in
            #expect(refusalReason(await endpoint.publish(message()))?.contains("no client subscribes") == true)
            #expect(await endpoint.publish(message(within: -1)) == .dropped)

            try await broker.crash()
            try await standing.waitUntil("the loss is noticed") { $0 == [true, false] }
            #expect(await endpoint.publish(message()) == .notConnected)

            try await broker.start()
            let listener = try await broker.listener(to: ["home/#"], identity: identity(broker))
            try await standing.waitUntil("it is back") { $0 == [true, false, true] }
            try await broker.publish("home/garage", "fence", retained: false, identity(broker))
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            #expect(seen.map(\.payload) == ["fence"])
        }
    }

    @Test("A frozen broker is probed first and gets no message to deliver when it resumes")
    func frozen() async throws {
        try await withEndpoint { broker, endpoint, standing in
            let listener = try await broker.listener(to: ["home/#"], identity: identity(broker))
            broker.signal(SIGSTOP)
            #expect(await endpoint.publish(message()) == .refused("timeout"))
            broker.signal(SIGCONT)
            try await standing.waitUntil("it is there") { $0.last == true }
            try await broker.publish("home/garage", "fence", retained: false, identity(broker))
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            #expect(seen.map(\.payload) == ["fence"])
        }
    }

    @Test("An app without a hub publishes directly and reports failures in the same words")
    func withoutHub() async throws {
        try await withEndpoint { broker, _, _ in
            let listener = try await broker.listener(to: ["home/#"], identity: identity(broker))
            let app = MosquittoTriggerBroker()
            var settings = TriggerSettings(clientID: "app")
            (settings.endpoint, settings.port, settings.rootCA) = ("127.0.0.1", broker.port, try broker.scratch.read("ca.crt"))
            (settings.certificate, settings.privateKey) = (
                try broker.scratch.read("hub.crt"), Secret(try broker.scratch.read("hub.key"))
            )

            for _ in 0..<2 { try await app.publish(Array("open".utf8), on: "home/garage", settings) }
            await #expect(throws: TriggerError.dropped) { try await app.publish([1], on: "nowhere", settings) }
            settings.privateKey = Secret(try broker.scratch.read("server.key"))
            let mismatched = settings
            await #expect(throws: TriggerError.mismatch) { try await app.publish([1], on: "home/garage", mismatched) }
            settings.privateKey = Secret(try broker.scratch.read("hub.key"))
            let good = settings
            try await broker.crash()
            await #expect(throws: TriggerError.self) { try await app.publish([1], on: "home/garage", good) }
            await #expect(throws: TriggerError.notConnected) { try await app.publish([1], on: "home/garage", good) }
            await app.close()

            let seen = listener.messages.filter { $0.topic == "home/garage" }
            #expect(seen.map(\.payload) == ["open", "open"] && seen.allSatisfy { !$0.isRetained })
        }
    }

    /// While one caller closed the old connection, another opened one of its own; the first once took that for its own, and its message
    /// went to the wrong broker.
    @Test("During a change of an app's settings no message goes to another broker")
    func changingSettings() async throws {
        try await withEndpoint { broker, _, _ in
            let listener = try await broker.listener(to: ["home/#"], identity: identity(broker))
            let app = MosquittoTriggerBroker()
            var settings = TriggerSettings(clientID: "app")
            (settings.endpoint, settings.port, settings.rootCA) = ("127.0.0.1", broker.port, try broker.scratch.read("ca.crt"))
            (settings.certificate, settings.privateKey) = (
                try broker.scratch.read("hub.crt"), Secret(try broker.scratch.read("hub.key"))
            )
            var changed = (elsewhere: settings, renamed: settings)
            // There is no subscriber.
            (changed.elsewhere.port, changed.renamed.clientID) = (1, "renamed")
            let (old, elsewhere, renamed) = (settings, changed.elsewhere, changed.renamed)

            for _ in 0..<5 {
                try await app.publish(Array("before".utf8), on: "home/garage", old)
                async let lost = #expect(throws: TriggerError.notConnected) {
                    try await app.publish(Array("elsewhere".utf8), on: "home/garage", elsewhere)
                }
                // The second client may be disconnected: that is one message less, and none at the wrong place.
                try? await app.publish(Array("here".utf8), on: "home/garage", renamed)
                _ = await lost
            }
            try await app.publish(Array("fence".utf8), on: "home/garage", old)
            let seen = try await listener.until("the fence is seen") { $0.contains { $0.payload == "fence" } }
            await app.close()

            #expect(!seen.contains { $0.payload == "elsewhere" })
        }
    }

    @Test("A certificate error is reported at its field in plain words")
    func settings() async throws {
        let scratch = try await TestCertificates.make()
        let (certificate, key) = (try scratch.read("hub.crt"), try scratch.read("hub.key"))
        let other = try scratch.read("server.key")
        func problem(_ host: String, _ certificate: String, _ key: String, ca: String? = nil, port: Int? = nil) -> String? {
            do throws(ButtonBrokerSettings.EndpointError) {
                _ = try ButtonBrokerSettings(host: host, port: port, certificatePEM: certificate, keyPEM: Secret(key), caPEM: ca)
                return nil
            } catch {
                return error.rawValue
            }
        }

        #expect(problem("broker.example", certificate, key) == nil)
        #expect(problem("", certificate, key) == "MQTT endpoint empty")
        #expect(problem("broker.example", "", key) == "certificate empty")
        #expect(problem("broker.example", certificate, "") == "private key empty")
        #expect(problem("broker.example", key, key) == "certificate or private key incorrect")
        #expect(problem("broker.example", certificate, "rubbish") == "certificate or private key incorrect")
        #expect(problem("broker.example", certificate, other) == "certificate and private key mismatch")
        #expect(problem("broker.example", certificate, key, ca: "rubbish") == "root CA is not readable PEM")
        #expect(problem("broker.example", certificate, key, port: 0) == "the port is 1 to 65535")
    }
}

/// Records the reported connection states.
private final class RecordingPublishingSink: PublishingSink {
    let seen = AwaitableValue<[Bool]>([])

    func reportConnection(_ way: ButtonPublication.Broker, isUp: Bool) async {
        seen.change { $0.append(isUp) }
    }
}
