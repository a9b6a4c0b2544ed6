import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Frigate over a real broker", .serialized, .timeLimit(.minutes(10)))
struct FrigateBrokerTests {
    private func withRunningIntegration(
        _ broker: MosquittoBroker, prefix: String? = "frigate", _ body: @Sendable (IntegrationFixture) async throws -> Void
    ) async throws {
        try await IntegrationFixture(MQTTSettings(host: "127.0.0.1", port: broker.port, frigatePrefix: prefix)).run { house in
            try await house.health("it listens") { $0.status == .connected }
            try await body(house)
        }
    }

    @Test("A detection is reported once with its later picture; updates and retained messages do not repeat it")
    func seen() async throws {
        let broker = try await MosquittoBroker()
        try broker.scratch.write("new.jpg", "the picture")
        // An earlier picture and event: the broker repeats them to each new subscriber.
        try await broker.publish("frigate/front_door/car/snapshot", "an older picture", retained: true)
        try await broker.publish("frigate/events", FrigateMessages.car(.end, "before"), retained: true)
        try await withRunningIntegration(broker) { house in
            try await house.events.log.waitUntil("the kept event is told") { $0.sightings.map(\.id) == ["before"] }

            try await broker.publish("frigate/events", FrigateMessages.car(.new, "a"))
            try await broker.publish("frigate/front_door/car/snapshot", file: broker.scratch.path("new.jpg"))
            let told = try await house.events.log.waitUntil("the car is told") { $0.sightings.count == 2 }.sightings
            for phase in [FrigateEvent.Phase.update, .end, .end] {
                try await broker.publish("frigate/events", FrigateMessages.car(phase, "a"))
            }
            try await broker.publish("frigate/events", "{broken")
            try await broker.publish("frigate/events", FrigateMessages.car(.new, "mistake", isFalse: true))
            try await broker.publish("frigate/events", FrigateMessages.car(.end, "fence"))

            #expect(told.last?.id == "a" && told.last?.picture == Data("the picture".utf8) && told.first?.picture == nil)
            let all = try await house.events.log.waitUntil("the fence is told") { $0.sightings.last?.id == "fence" }.sightings
            #expect(all.map(\.id) == ["before", "a", "fence"])
        }
    }

    @Test("Frigate's stop and return are reported, and unsaved reports are sent again")
    func comesAndGoes() async throws {
        let broker = try await MosquittoBroker()
        try await broker.publish("frigate/available", "offline", retained: true)
        try await withRunningIntegration(broker) { house in
            try await house.events.log.waitUntil("it is away") { $0.there == [.frigate: false] }
            try await house.health("that is said") { $0.notices.contains { $0.message == "Frigate reports that it is stopped." } }
            try await broker.publish("frigate/available", "online", retained: true)
            try await house.events.log.waitUntil("it is back") { $0.there == [.frigate: true] }

            house.events.log.change { $0.refusals = 1 }
            try await broker.publish("frigate/events", FrigateMessages.car(.end, "a"))
            try await house.events.log.waitUntil("the house had no room") { $0.refusals == 0 }
            try await broker.publish("frigate/events", FrigateMessages.car(.end, "fence"))
            try await house.events.log.waitUntil("the fence is told") { $0.sightings.contains { $0.id == "fence" } }
            try await broker.publish("frigate/events", FrigateMessages.car(.end, "a"))
            try await house.events.log.waitUntil("it is told after all") { $0.sightings.map(\.id) == ["fence", "a"] }

            try await broker.publish("frigate/available", "offline", retained: true)
            try await house.events.log.waitUntil("it is away") { $0.there == [.frigate: false] }
            try await broker.crash()
            try await house.events.log.waitUntil("nobody says so any more") { $0.there == [.frigate: true] }
        }
    }

    @Test("Frigate topics are subscribed only if configured")
    func unasked() async throws {
        let broker = try await MosquittoBroker()
        try await withRunningIntegration(broker, prefix: nil) { house in
            try await broker.publish("frigate/events", FrigateMessages.car(.end, "a"))
            try await broker.publish("homeassistant/button/bell/config", #"{"name": "Bell", "cmd_t": "bell"}"#, retained: true)
            try await house.sink.log.waitUntil("the button is there") { $0.devices["bell"] != nil }

            #expect(house.events.log.now.sightings.isEmpty)
        }
    }
}
