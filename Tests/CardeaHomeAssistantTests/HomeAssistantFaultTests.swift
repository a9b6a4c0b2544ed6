import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHomeAssistant

@Suite("Home Assistant connection faults", .serialized, .timeLimit(.minutes(5)))
struct HomeAssistantFaultTests {
    private func connected(_ fake: FakeHomeAssistant, _ house: IntegrationFixture) async throws {
        try await house.health("it is connected") { $0.status == .connected }
        try await house.sink.log.waitUntil("the lock is there") { $0.statuses["front-door"] == .online }
    }

    @Test("A healthy instance is mirrored and commanded, and its state report confirms the command")
    func healthy() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                #expect(
                    house.sink.log.now.last("lock.front_door")
                        == EntityReport(entityID: "lock.front_door", state: .init("locked"), isFresh: false))

                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))
                fake.lines.now.last?.send(
                    "[\(FakeHomeAssistant.changed("lock.front_door", "unlocking")),\(FakeHomeAssistant.changed("lock.front_door", "unlocked"))]"
                )
                let log = try await house.sink.log.waitUntil("it is open") { $0.last("lock.front_door")?.state.value == "unlocked" }

                #expect(handover == .dispatched)
                #expect(fake.calls.map { $0["service"] } == ["unlock"])
                #expect(fake.calls.first?["target"]?["entity_id"] == "lock.front_door")
                #expect(log.batches.last?.map(\.state.value) == ["unlocking", "unlocked"], "one frame is one commit")
                #expect(log.last("lock.front_door")?.isFresh == true)
            }
        }
    }

    @Test("Messages in the same packet as the upgrade response are read")
    func hastyWords() async throws {
        try await FakeHomeAssistant.run(FakeHomeAssistant(isHasty: true)) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                // Without the first frames the test never gets this far: they arrive in one packet on every connection.
                try await connected(fake, house)
            }
        }
    }

    @Test("A wrong token is reported, and is not sent repeatedly")
    func wrongToken() async throws {
        let fake = FakeHomeAssistant { message, _ in
            message["type"] == "auth" ? [.text(#"{"type": "auth_invalid", "message": "Invalid access token or password"}"#), .close] : nil
        }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                let reason = "wrong token: Home Assistant does not accept it"
                let health = try await house.health("it has failed") { $0.status == .failed && $0.reason == reason }

                #expect(fake.heard.now.count == 1)
                #expect(!"\(health)".contains("a-long-token"))
            }
        }
    }

    @Test(
        "A server with another protocol is reported",
        arguments: [("not json", 1), ("17", 1), ("[[[", 1), ("\u{0}", 1), ("[", 5000)])
    func garbage(text: String, times: Int) async throws {
        let fake = FakeHomeAssistant()
        fake.greeting.change { $0 = String(repeating: text, count: times) }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await house.health("it has failed") { $0.reason == HomeAssistantConnectionError.malformed.message }
                try await fake.lines.waitUntil("it tries again") { $0.count > 2 }
            }
        }
    }

    @Test("Unknown messages are ignored")
    func unknownMessages() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                let lines = fake.lines.now.count
                let odd = [
                    "{}", "[]", #"{"type": "event"}"#, #"{"type": "event", "event": {"event_type": "state_changed", "data": {}}}"#,
                    #"{"type": "result", "id": 1e300, "success": true}"#, #"{"type": "result", "id": "x"}"#,
                    #"{"type": "result", "id": 99999}"#,
                    #"[1, null, "x", {"type": 5}]"#,
                ]
                for text in odd { fake.lines.now.last?.send(text) }
                fake.lines.now.last?.send(FakeHomeAssistant.changed("lock.front_door", "jammed"))

                try await house.sink.log.waitUntil("it is still heard") { $0.last("lock.front_door")?.state.value == "jammed" }
                #expect(fake.lines.now.count == lines)
            }
        }
    }

    @Test("A refused call failed with Home Assistant's reason, and a connection lost during a call gives an unknown outcome")
    func refusals() async throws {
        let fake = FakeHomeAssistant { message, _ in
            guard message["type"] == "call_service", let id = message["id"]?.number else { return nil }
            let isLock = message["domain"] == "lock"
            let error =
                isLock
                ? #"{"code": "service_validation_error", "message": "Code required"}"#
                : #"{"code": "home_assistant_error", "message": "Radio failed"}"#
            return [.text(#"{"id": \#(Int(id)), "type": "result", "success": false, "error": \#(error)}"#)]
        }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)

                let lock = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))
                let light = await house.integration.perform(house.backendCommand(.setBrightness, "light.hall", value: 50))

                #expect(lock == .refused(reason: "Home Assistant: Code required"))
                #expect(light == .dispatched)
                #expect(await house.integration.health().notices.contains { $0.message == "Home Assistant reported: Radio failed" })
            }
        }
    }

    @Test("Commands are not sent late, to unknown or offline devices, or for unsupported verbs")
    func unsendable() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                let late = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door", within: -1))
                let unable = await house.integration.perform(house.backendCommand(.open, "lock.front_door"))
                let stranger = await house.integration.perform(house.backendCommand(.unlock, "lock.nowhere"))
                fake.lines.now.last?.send(FakeHomeAssistant.changed("lock.front_door", "unavailable"))
                try await house.sink.log.waitUntil("the lock is offline") { $0.statuses["front-door"] == .offline }
                let away = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))

                #expect(late == .refused(reason: "the command expired before it was sent"))
                #expect(unable == .unsupported)
                #expect(stranger == .refused(reason: "Home Assistant does not know the device"))
                #expect(away == .refused(reason: "the device is offline"))
                #expect(fake.calls.isEmpty)
                #expect(house.sink.log.now.last("lock.front_door")?.state.value == "unknown")
            }
        }
    }

    @Test("A connection lost during a call leaves the outcome unknown, and the call is never repeated")
    func closedMidCall() async throws {
        let fake = FakeHomeAssistant { message, _ in message["type"] == "call_service" ? [.close] : nil }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                let before = house.sink.log.now.pastStatuses["front-door"]?.count ?? 0

                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))
                try await house.sink.log.waitUntil("nobody knows of the lock, and it is back") {
                    ($0.pastStatuses["front-door"] ?? []).dropFirst(before).starts(with: [.unknown, .online])
                }

                #expect(handover == .dispatched)
                #expect(fake.calls.count == 1)
            }
        }
    }

    @Test("A silent connection is pinged before a command, and the command is refused")
    func silentBefore() async throws {
        var pace = IntegrationFixture.patientTiming
        pace.trustInterval = .zero
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", pace: pace).run { house in
                try await connected(fake, house)
                fake.react { _, _ in [] }

                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))

                #expect(handover == .refused(reason: "Home Assistant does not respond"))
                #expect(fake.calls.isEmpty)
            }
        }
    }

    @Test("A connection that is silent after a command is closed, and its unsent data is dropped")
    func silentAfter() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                fake.react { message, _ in ["call_service", "ping"].contains(message["type"]) ? [] : nil }
                let lines = fake.lines.now.count

                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door", within: 5))

                #expect(handover == .dispatched)
                try await fake.lines.waitUntil("it has dialled again") { $0.count > lines }
                #expect(fake.calls.count == 1)
            }
        }
    }

    @Test("A slow service on an idle connection does not close it, and other doors stay reachable")
    func slowService() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await connected(fake, house)
                fake.react { message, _ in message["type"] == "call_service" ? [] : nil }
                let lines = fake.lines.now.count

                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door", within: 5))

                #expect(handover == .dispatched)
                #expect(fake.lines.now.count == lines)
                let health = await house.integration.health()
                #expect(health.status == .connected)
            }
        }
    }

    @Test("A dead connection is detected without a command")
    func dead() async throws {
        // On a machine so slow that a healthy server looks silent too, the hub reconnects until it answers.
        let pace = HomeAssistantIntegration.Timing(ping: .milliseconds(50), patience: .seconds(2))
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", pace: pace).run { house in
                try await connected(fake, house)
                fake.react { message, _ in message["type"] == "ping" ? [] : nil }

                try await house.health("it is silent") { $0.reason == HomeAssistantConnectionError.unresponsive.message }
                fake.react { _, _ in nil }
                try await house.health("it is back") { $0.status == .connected }
            }
        }
    }

    @Test("A missing greeting times out")
    func neverGreets() async throws {
        let fake = FakeHomeAssistant()
        fake.greeting.change { $0 = nil }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", pace: .init(patience: .milliseconds(50))).run { house in
                try await house.health("it has timed out") {
                    $0.status == .failed && $0.reason == "timed out: Home Assistant no longer responds"
                }
            }
        }
    }

    @Test("An unreachable host, an unknown host and missing TLS are each reported")
    func unreachable() async throws {
        try await FakeHomeAssistant.run { fake in
            for (url, words) in [
                ("http://127.0.0.1:1", "no answer from 127.0.0.1:1"),
                ("http://no-such-host.invalid:8123", "the host name no-such-host.invalid is unknown"),
                ("https://127.0.0.1:\(fake.port)", "no TLS connection"),
            ] {
                try await IntegrationFixture(url).run { house in
                    try await house.health("it has failed: \(words)") { $0.status == .failed && $0.reason?.contains(words) == true }
                }
            }
        }
    }

    @Test("An entity used by another integration is omitted with a notice, and the others are present")
    func taken() async throws {
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", taken: ["lock.front_door"]).run { house in
                try await house.sink.log.waitUntil("the light is there") { $0.statuses["hall"] == .online }

                #expect(house.sink.log.now.devices.keys.sorted() == ["hall"])
                #expect(await house.integration.health().notices.map(\.entityID) == ["lock.front_door"])
                #expect(!house.sink.log.now.reports.contains { $0.entityID == "lock.front_door" })
            }
        }
    }

    @Test("Devices of an earlier run are unknown until read, and removed if no longer present")
    func knownBefore() async throws {
        let old = Device(
            id: "old-door", name: "Old", deviceClass: .security, integration: HomeAssistantIntegration.name, status: .online,
            attributes: [HomeAssistantMirror.keyAttribute: "entity:lock.old"], stateChangedAt: .distantPast,
            entities: [Entity(id: "lock.old", kind: .lock, name: "Old", verbs: [.lock])])
        try await IntegrationFixture("http://127.0.0.1:1", known: [old]).run { house in
            try await house.sink.log.waitUntil("it is not known") { $0.statuses["old-door"] == .unknown }
        }
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", known: [old]).run { house in
                try await house.sink.log.waitUntil("it is gone") { $0.withdrawn == ["old-door"] }
            }
        }
    }

    @Test("Added devices, states and removals during a disk failure are reported again afterwards")
    func fullDisk() async throws {
        let old = Device(
            id: "old-door", name: "Old", deviceClass: .security, integration: HomeAssistantIntegration.name, status: .online,
            attributes: [HomeAssistantMirror.keyAttribute: "entity:lock.old"], stateChangedAt: .distantPast,
            entities: [Entity(id: "lock.old", kind: .lock, name: "Old", verbs: [.lock])])
        try await FakeHomeAssistant.run { fake in
            var pace = IntegrationFixture.patientTiming
            (pace.pingInterval, pace.startupInterval) = (.milliseconds(50), .milliseconds(20))
            let household = try IntegrationFixture("http://127.0.0.1:\(fake.port)", known: [old], pace: pace)
            household.sink.log.change { $0.hasDiskSpace = false }
            try await household.run { house in
                try await house.health("that is said") { health in
                    health.status == .connected
                        && health.notices.contains { $0.message.contains("could not be stored. The states are read again") }
                }
                #expect(house.sink.log.now.devices.isEmpty && house.sink.log.now.withdrawn.isEmpty)

                house.sink.log.change { $0.hasDiskSpace = true }
                try await house.sink.log.waitUntil("all of it is told after all") { log in
                    log.statuses["front-door"] == .online && log.statuses["hall"] == .online && log.withdrawn == ["old-door"]
                        && log.last("lock.front_door") != nil
                }
                try await house.health("and nothing is owed") { $0.notices.isEmpty }
            }
        }
    }

    @Test("During Home Assistant's start missing devices stay, and after it everything is read again")
    func starting() async throws {
        let isRunning = AwaitableValue(false)
        let fake = FakeHomeAssistant { message, _ in
            guard let id = message["id"]?.number.map({ Int($0) }), !isRunning.now else { return nil }
            switch message["type"] {
            case "get_config": return [.text(#"{"id": \#(id), "type": "result", "success": true, "result": {"state": "STARTING"}}"#)]
            case "get_states": return [.text(#"{"id": \#(id), "type": "result", "success": true, "result": []}"#)]
            default: return nil
            }
        }
        let known = Device(
            id: "front-door", name: "Front Door", deviceClass: .security, integration: HomeAssistantIntegration.name, status: .online,
            attributes: [HomeAssistantMirror.keyAttribute: "entity:lock.front_door"], stateChangedAt: .distantPast,
            entities: [Entity(id: "lock.front_door", kind: .lock, name: "Front Door", verbs: [.lock, .unlock])])
        try await FakeHomeAssistant.run(fake) { fake in
            var pace = IntegrationFixture.patientTiming
            pace.startupInterval = .milliseconds(20)
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", known: [known], pace: pace).run { house in
                try await house.health("it is connected") {
                    $0.status == .connected && $0.notices.contains { $0.message.contains("still starting") }
                }
                #expect(house.sink.log.now.withdrawn.isEmpty && house.sink.log.now.statuses["front-door"] == .offline)

                isRunning.change { $0 = true }

                try await house.sink.log.waitUntil("it is back") { $0.statuses["front-door"] == .online }
                #expect(house.sink.log.now.withdrawn.isEmpty)
                #expect(house.sink.log.now.devices["hall"] != nil)
            }
        }
    }

    @Test("Changes during a write are gathered in one more commit")
    func gathered() async throws {
        let sink = GatedDeviceSink()
        try await FakeHomeAssistant.run { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)", at: sink).run { house in
                try await house.health("it is connected") { $0.status == .connected }
                sink.isOpen.change { $0 = false }
                fake.lines.now.last?.send(FakeHomeAssistant.changed("lock.front_door", "locked"))
                try await sink.waiting.waitUntil("the house writes") { $0 == 1 }

                for round in 0..<500 {
                    fake.lines.now.last?.send(FakeHomeAssistant.changed("lock.front_door", round % 2 == 0 ? "unlocked" : "locked"))
                }
                // Messages arrive in order: when this is answered, the earlier ones have been processed.
                let before = sink.batches.now.count
                let late = await house.integration.perform(house.backendCommand(.lock, "lock.front_door"))
                sink.isOpen.change { $0 = true }
                let batches = try await sink.batches.waitUntil("everything is told") { $0.reduce(0, +) >= 502 }

                #expect(late == .dispatched)
                #expect(batches.dropFirst(before).count == 2, "one that was being written, and one for all the rest")
            }
        }
    }
}

/// A sink that writes only while it is open.
private struct GatedDeviceSink: DeviceSink {
    let isOpen = AwaitableValue(true)
    let waiting = AwaitableValue(0)
    let batches = AwaitableValue<[Int]>([])

    func announce(rooms: [Room]) async throws {}
    func announce(_ device: Device) async throws {}
    func withdraw(deviceID: String, integration: String) async throws {}
    func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws {}
    func wayInHold(of entityID: String) -> WayInRestrictions { WayInRestrictions() }
    func mayMoveWayIn(topic: String) async throws -> Bool { false }

    func report(_ reports: [EntityReport]) async throws {
        waiting.change { $0 += 1 }
        try await isOpen.waitUntil("the desk opens") { $0 }
        waiting.change { $0 -= 1 }
        batches.change { $0.append(reports.count) }
    }
}
