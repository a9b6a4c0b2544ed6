import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Readings API", .timeLimit(.minutes(10)))
struct ReadingsAPITests {
    @Test("Readings of a day are served raw and hourly to callers who may see the sensor")
    func history() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for word in ["19", "23"] {
                house.clock.advance(by: 60)
                try await house.doorBackend.report(word, at: "sensor.hall")
            }
            house.clock.advance(by: 60)
            let path = "/api/v1/devices/hall-sensor/history"

            let raw = try await ask(.get, path)
            #expect(raw.status == 200 && raw.body["resolution"] == "raw" && raw.body["unit_of_measurement"] == "°C")
            #expect(raw.body["points"]?.array.map { $0["value"] } == [19, 23] && raw.body["next_from"] == .null)
            let hour = try await ask(.get, path + "?resolution=hour&entity_id=sensor.hall&from=2026-11-21T14:00:00Z")
            let point = try #require(hour.body["points"]?.array.first)
            #expect(point["min"] == 19 && point["max"] == 23 && point["mean"] == 21 && point["count"] == 2 && point["value"] == nil)
            #expect(try await ask(.get, path + "?to=2026-11-21T13:00:00Z").body["points"] == [])
            for bad in [
                "?resolution=day", "?from=yesterday", "?entity_id=sensor.cellar", "?from=2026-11-21T14:00:00Z&to=2026-11-21T14:00:00Z",
            ] {
                #expect(try await ask(.get, path + bad).status == 400, "\(bad)")
            }
            #expect(try await ask(.get, "/api/v1/devices/nowhere/history").status == 404)
            #expect(try await ask(.get, "/api/v1/devices/front-door/history").status == 400)
            let (_, guest) = try await house.resident("Gil", role: "guest", by: owner)
            let gil = TestAPIClient(client: client, token: guest.access)
            for path in [path, "/api/v1/energy", "/api/v1/environment"] {
                #expect(try await gil(.get, path).status == 403)
            }
        }
    }

    @Test("Members read energy and indoor air values too")
    func energyAndAir() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (_, member) = try await house.resident("Ben", role: "member", by: owner)
            let ben = TestAPIClient(client: client, token: member.access)
            try await house.hub.devices.announce(
                Device(
                    id: "meter", name: "Meter", deviceClass: .sensor, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now,
                    entities: [
                        Entity(id: "sensor.power", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: []),
                        Entity(id: "sensor.energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "kWh", verbs: []),
                    ]))
            _ = try await ask(.post, "/api/v1/rooms", #"{"name":"Hall"}"#)
            _ = try await ask(.patch, "/api/v1/devices/hall-sensor", #"{"room_id":"hall"}"#)
            for (word, power) in [("100", "250"), ("102", "300")] {
                house.clock.advance(by: 60)
                try await house.doorBackend.report(word, at: "sensor.energy")
                try await house.doorBackend.report(power, at: "sensor.power")
                try await house.doorBackend.report(word, at: "sensor.hall")
            }
            house.clock.advance(by: 1)

            let energy = try await ben(.get, "/api/v1/energy")
            let use = try #require(energy.body["readings"]?.array.first)
            #expect(use["energy_type"] == "electricity" && use["power"] == 300 && use["energy"] == 2 && use["unit"] == "kWh")
            #expect(use["cost"] == 0.3 && use["meters"]?.array.count == 2)
            let air = try await ben(.get, "/api/v1/environment?room_id=hall")
            let reading = try #require(air.body["readings"]?.array.first)
            #expect(reading["metric"] == "temperature" && reading["value"] == 102 && reading["min"] == 100 && reading["count"] == 2)
            #expect(reading["unit_of_measurement"] == "°C" && reading["room_id"] == "hall")
            #expect(try await ben(.get, "/api/v1/environment?room_id=cellar").body["readings"] == [])
            #expect(try await ben(.get, "/api/v1/energy?from=2026-11-22T00:00:00Z").status == 400)
        }
    }
}
