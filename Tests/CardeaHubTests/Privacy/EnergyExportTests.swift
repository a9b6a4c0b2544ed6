import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Energy history export", .timeLimit(.minutes(5)))
struct EnergyExportTests {
    // The last week was missing, since it is stored as single readings, and each device class was in place of the kind of energy.
    @Test("The export has every hour, including the last week's, by energy kind and in standard units")
    func hours() async throws {
        try await TestHouse.open { house in
            _ = try await house.claim()
            let meter = Device(
                id: "meter", name: "Meter", deviceClass: .sensor, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
                entities: [
                    Entity(id: "sensor.energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "Wh", verbs: []),
                    Entity(id: "sensor.power", kind: .sensor, name: "Power", deviceClass: "power", unit: "kW", verbs: []),
                    Entity(id: "sensor.roof", kind: .sensor, name: "Solar roof", deviceClass: "energy", unit: "kWh", verbs: []),
                    Entity(id: "sensor.warmth", kind: .sensor, name: "Warmth", deviceClass: "temperature", unit: "°C", verbs: []),
                ])
            try await house.hub.devices.announce(meter)
            func hour(_ count: Double) async throws {
                for part in 0..<4 {
                    let wattHours = (count + Double(part) / 4) * 1000
                    try await house.doorBackend.report("\(wattHours)", at: "sensor.energy")
                    try await house.doorBackend.report("1.5", at: "sensor.power")
                    try await house.doorBackend.report("\(count)", at: "sensor.roof")
                    try await house.doorBackend.report("21", at: "sensor.warmth")
                    house.clock.advance(by: 900)
                }
            }
            for count in 0..<2 { try await hour(Double(count)) }
            house.clock.advance(by: 9 * 86_400)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.readings.condenseImported()
            for count in 2..<4 { try await hour(Double(count)) }

            let meters = EnergyExport.meters(among: house.hub.devices.all.devices)
            let now = house.clock.now
            let text = try await house.store.read { db in
                var bytes = Data("[".utf8)
                try EnergyExport.write(meters, until: now, db) { bytes += $0 }
                return bytes + Data("]".utf8)
            }
            guard case .array(let readings) = try JSONDecoder().decode(JSONValue.self, from: text) else { throw CancellationError() }
            func of(_ entity: String) -> [JSONValue] { readings.filter { $0["entityID"] == .string(entity) } }
            #expect(of("sensor.energy").count == 4 && of("sensor.warmth").isEmpty)
            #expect(
                of("sensor.energy").allSatisfy { $0["energyType"] == "electricity" && $0["unit"] == "kWh" && $0["deviceID"] == "meter" })
            #expect(of("sensor.energy").map { $0["cumulativeConsumption"] } == [0.75, 1.75, 2.75, 3.75])
            #expect(of("sensor.energy").map { $0["amount"] } == [0.75, 0.75, 0.75, 0.75])
            #expect(of("sensor.power").allSatisfy { $0["instantaneousPower"] == 1500 && $0["amount"] == nil })
            #expect(of("sensor.roof").map { $0["cumulativeGeneration"] } == [0, 1, 2, 3])
            #expect(of("sensor.roof").allSatisfy { $0["energyType"] == "solar" })
        }
    }
}
