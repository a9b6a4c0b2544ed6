import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Presses and retained messages", .timeLimit(.minutes(10)))
struct SensorPressAutomationTests {
    private func button(_ house: TestHouse) -> Device {
        Device(
            id: "button", name: "Button", deviceClass: .sensor, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
            entities: [
                Entity(id: "sensor.action", kind: .sensor, name: "Action", verbs: []),
                Entity(id: "event.button", kind: .event, name: "Button", verbs: []),
                Entity(id: "binary_sensor.edge", kind: .binarySensor, name: "Edge", verbs: []),
            ])
    }

    private func rule(_ entity: String, _ word: String) -> String {
        """
        {"name":"Press","triggers":[{"type":"state","entity_id":"\(entity)","to":"\(word)"}],
        "actions":[{"type":"control","device_id":"front-door","action":"lock"}]}
        """
    }

    /// Expects the number of runs of a rule on `entity` after each report.
    private func expect(_ expected: [Int], runsOf entity: String, at word: String, after reports: [EntityReport]) async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await house.hub.devices.announce(self.button(house))
            await house.runMind()
            let made = try await ask(.post, "/api/v1/automations", self.rule(entity, word))
            let id = try #require(made.body["automation_id"]?.string)
            var counts: [Int] = []
            for report in reports {
                house.clock.advance(by: 10)
                try await house.hub.devices.report([report])
                await house.runMind()
                let history = try await ask(.get, "/api/v1/automations/\(id)/history").body["runs"]?.array ?? []
                counts.append(history.count { $0["result"] == "ran" })
            }
            #expect(counts == expected)
        }
    }

    private func word(_ value: String, isFresh: Bool = true) -> EntityReport {
        EntityReport(entityID: "sensor.action", state: EntityState(value), isFresh: isFresh, isPress: isFresh && value != "unknown")
    }

    @Test("Three presses of a sensor that goes silent between them give three runs")
    func three() async throws {
        let reports = ["single", "unknown", "single", "unknown", "single"].map { word($0) }
        try await expect([1, 1, 2, 2, 3], runsOf: "sensor.action", at: "single", after: reports)
    }

    @Test("A repeated state and a retained message are no press")
    func repeated() async throws {
        let reports = [word("single"), word("double"), word("double"), word("single", isFresh: false), word("double", isFresh: false)]
        try await expect([0, 1, 1, 1, 1], runsOf: "sensor.action", at: "double", after: reports)
    }

    @Test("Each event of the same type is a separate run")
    func events() async throws {
        func event(_ second: Int, _ type: String) -> EntityReport {
            EntityReport(
                entityID: "event.button", state: EntityState("2026-11-28T20:00:0\(second).000Z", attributes: ["event_type": .string(type)]),
                isPress: true)
        }
        let reports = [event(1, "single"), event(2, "single"), event(3, "hold"), event(4, "single")]
        try await expect([1, 2, 2, 3], runsOf: "event.button", at: "single", after: reports)
    }

    @Test("A contact found pressed after a broker outage runs nothing; the next press does")
    func kept() async throws {
        func edge(_ value: String, isFresh: Bool = true) -> EntityReport {
            EntityReport(entityID: "binary_sensor.edge", state: EntityState(value), isFresh: isFresh)
        }
        let reports = [edge("off"), edge("on"), edge("off"), edge("on", isFresh: false), edge("off"), edge("on")]
        try await expect([0, 1, 1, 1, 1, 2], runsOf: "binary_sensor.edge", at: "on", after: reports)
    }
}
