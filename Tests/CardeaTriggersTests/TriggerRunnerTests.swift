import CardeaSecurity
import CardeaTestSupport

import Foundation
import Synchronization
import Testing

@testable import CardeaTriggers

@Suite("Taps without a hub", .timeLimit(.minutes(5)))
struct TriggerRunnerTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private var settings: TriggerSettings {
        var settings = TriggerSettings(clientID: "app")
        (settings.endpoint, settings.certificate, settings.privateKey) = ("broker.example", "C", Secret("K"))
        settings.actions[0] = TriggerAction(title: "Garage", topic: "garage", message: "open", nfcSecret: TriggerLinks.newSecret())
        return settings
    }

    private func link(_ settings: TriggerSettings, after seconds: TimeInterval = 0) throws -> String {
        var settings = settings
        return try #require(TriggerLinks.link(for: 0, in: &settings, at: now.addingTimeInterval(seconds))).reveal()
    }

    @Test("A valid tap publishes once with two haptics and logs no secret; a press has no haptics")
    func published() async throws {
        let (broker, steps) = (ScriptedTriggerBroker(), AwaitableValue<[TriggerRunner.Event]>([]))
        let runner = TriggerRunner(
            broker: broker, used: UsedLinkStore(), now: { [now] in now }, log: { step in steps.change { $0.append(step) } }, keep: { _ in })
        let settings = settings
        let link = try link(settings)

        let tap = await runner.open(link, settings)
        let again = await runner.open(link, settings)
        let press = await runner.press(0, settings)

        #expect(tap == .init(title: "Garage", isDone: true, message: nil, feedback: .tapDone))
        #expect(tap.feedback.beats.map(\.at) == [0, 0.2] && tap.feedback.beats.allSatisfy { $0.kind == .mediumImpact })
        #expect(!again.isDone && again.message == "used before" && again.feedback.beats.count == 1)
        #expect(press.isDone && press.feedback == .none)
        #expect(broker.published == ["garage open", "garage open"])
        #expect(
            steps.now == [
                .received, .validated(index: 0), .attempted(index: 0), .published(index: 0), .received, .refused(.used),
                .attempted(index: 0),
                .published(index: 0),
            ])
    }

    @Test("A link received in the background waits for the foreground")
    func queued() async throws {
        let (broker, steps) = (ScriptedTriggerBroker(), AwaitableValue<[TriggerRunner.Event]>([]))
        let runner = TriggerRunner(
            broker: broker, used: UsedLinkStore(), isActive: false, now: { [now] in now },
            log: { step in steps.change { $0.append(step) } },
            keep: { _ in })
        let settings = settings
        let link = try link(settings)

        async let outcome = runner.open(link, settings)
        try await steps.waitUntil("it has come") { $0 == [.received] }
        #expect(broker.published.isEmpty)
        await runner.setActive(active: true)

        #expect(await outcome.isDone && broker.published == ["garage open"])
    }

    /// Used links were once known only to the running app: the system ended it, the same link was opened within two minutes, and the garage
    /// door went back down on a car.
    @Test("A used link stays used after a restart, and a link whose use cannot be stored fires nothing")
    func coldLaunch() async throws {
        struct Full: Error {}
        let broker = ScriptedTriggerBroker()
        let kept = Mutex<Data?>(nil)
        let settings = settings
        let (link, other) = (try link(settings), try link(settings, after: 1))
        func runner(used: UsedLinkStore, isFull: Bool = false) -> TriggerRunner {
            TriggerRunner(broker: broker, used: used, now: { [now] in now }) { used in
                if isFull { throw Full() }
                // Before publishing, or an app that ends in between would publish twice.
                #expect(broker.published.isEmpty)
                let document = try JSONEncoder().encode(used)
                kept.withLock { $0 = document }
            }
        }

        #expect(await runner(used: UsedLinkStore()).open(link, settings).isDone)
        let used = try JSONDecoder().decode(UsedLinkStore.self, from: try #require(kept.withLock { $0 }))
        let again = await runner(used: used).open(link, settings)
        let unkept = await runner(used: used, isFull: true).open(other, settings)

        #expect(!again.isDone && again.message == "used before")
        #expect(!unkept.isDone && unkept.message == "the use could not be kept")
        #expect(broker.published == ["garage open"])
    }

    @Test("A countdown is cancelled by the user or on leaving the app, and nothing is published")
    func countdown() async throws {
        let (broker, steps) = (ScriptedTriggerBroker(), AwaitableValue<[TriggerRunner.Event]>([]))
        let sleeps = AwaitableValue<[Duration]>([])
        let runner = TriggerRunner(
            broker: broker, used: UsedLinkStore(), now: { [now] in now },
            sleep: { duration in
                sleeps.change { $0.append(duration) }
                try await Task.sleep(for: .seconds(3600))
            }, log: { step in steps.change { $0.append(step) } }, keep: { _ in })
        var settings = settings
        settings.actions[0].countdown = 3
        let (counting, link) = (settings, try link(settings))

        async let outcome = runner.open(link, counting)
        try await sleeps.waitUntil("it counts") { $0 == [.seconds(3)] }
        await runner.setActive(active: false)

        #expect(await outcome == .init(title: "Garage", isDone: false, message: "taken back", feedback: .none))
        #expect(broker.published.isEmpty && steps.now.last == .failed(index: 0, .cancelled))
        #expect(await runner.press(0, counting).isDone)
    }

    @Test("A missing setting is reported in plain words without contacting the broker")
    func unconfigured() async throws {
        let broker = ScriptedTriggerBroker()
        let runner = TriggerRunner(broker: broker, used: UsedLinkStore(), now: { [now] in now }, keep: { _ in })
        func words(_ change: (inout TriggerSettings) -> Void) async -> String? {
            var settings = settings
            change(&settings)
            return await runner.press(0, settings).message
        }

        #expect(await words { $0.actions[0].topic = "" } == "MQTT topic empty")
        #expect(await words { $0.actions[0].message = "" } == "message empty")
        #expect(await words { $0.endpoint = "" } == "MQTT endpoint empty")
        #expect(await words { $0.certificate = "" } == "certificate empty")
        #expect(await words { $0.privateKey = Secret("") } == "private key empty")
        #expect(await words { $0.actions[0].message = "%T" } == "timestamp key format incorrect")
        #expect(await runner.press(9, settings).message == "no such button")
        #expect(broker.published.isEmpty)

        broker.setFailure(with: .notConnected)
        #expect(await words { _ in } == "client not connected")
    }
}

@Suite("Two-phase writing of tags")
struct TagConfiguratorTests {
    @Test("The new secret is valid once read back, and any earlier failure keeps the old one")
    func phases() async throws {
        let kept = Mutex<[TriggerSettings]>([])
        let old = TriggerLinks.newSecret()
        var settings = TriggerSettings(clientID: "app")
        settings.actions[1].nfcSecret = old

        for (writer, failure) in [
            (ScriptedTagWriter(.failure(.lost)), TagWritingError.lost), (ScriptedTagWriter(.failure(.cancelled)), .cancelled),
            (ScriptedTagWriter(.success("smp://action?idx=1")), .notReadBack),
        ] {
            let configuration = TagConfigurator(writer: writer) { settings in kept.withLock { $0.append(settings) } }
            await #expect(throws: failure) { _ = try await configuration.write(1, settings) }
            var last = try #require(kept.withLock { $0.last })
            #expect(last.actions[1].nfcSecret?.reveal() == old.reveal() && last.actions[1].pendingSecret != nil)
            TagConfigurator.discardPendingSecrets(&last)
            #expect(last.actions[1].pendingSecret == nil)
        }

        let done = try await TagConfigurator(writer: ScriptedTagWriter(nil)) { settings in kept.withLock { $0.append(settings) } }
            .write(1, settings)
        #expect(done.actions[1].isConfigured && done.actions[1].nfcSecret?.reveal() != old.reveal() && done.actions[1].pendingSecret == nil)

        var removed = done
        TagConfigurator.remove(1, from: &removed)
        #expect(!removed.actions[1].isConfigured)
        #expect(TagWritingError.cancelled.message == nil && TagWritingError.lost.message != nil)
    }
}

/// A tag writer that reads back what it wrote, or behaves as scripted.
private struct ScriptedTagWriter: TagWriter {
    static let isAvailable = true
    let outcome: Result<String, TagWritingError>?

    init(_ outcome: Result<String, TagWritingError>?) {
        self.outcome = outcome
    }

    func write(_ link: Secret, asking message: String) async throws(TagWritingError) -> String {
        guard let outcome else { return link.reveal() }
        return try outcome.get()
    }
}

private final class ScriptedTriggerBroker: TriggerBroker {
    private let state = Mutex((published: [String](), failure: TriggerError?.none))

    var published: [String] { state.withLock { $0.published } }

    func setFailure(with failure: TriggerError) { state.withLock { $0.failure = failure } }

    func publish(_ payload: [UInt8], on topic: String, _ settings: TriggerSettings) async throws(TriggerError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        state.withLock { $0.published.append("\(topic) \(String(decoding: payload, as: UTF8.self))") }
    }
}
