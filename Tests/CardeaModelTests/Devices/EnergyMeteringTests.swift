import CardeaModel
import Foundation
import Testing

@Suite("Energy metering and costs")
struct EnergyMeteringTests {
    @Test("A sensor measures energy by device class and unit, and solar energy by its name")
    func metering() throws {
        func metering(_ name: String, _ deviceClass: String, _ unit: String) -> EnergyMetering? {
            let entity = Entity(id: "sensor.x", kind: .sensor, name: name, deviceClass: deviceClass, unit: unit, verbs: [])
            return EnergyMetering(
                entity,
                of: Device(id: "x", name: "Meter", deviceClass: .sensor, integration: "x", stateChangedAt: .distantPast, entities: [entity])
            )
        }

        let power = try #require(metering("Mains", "power", "kW"))
        #expect(power.energy == .electricity && power.quantity == .power && power.factor == 1000)
        #expect(metering("PV roof", "energy", "kWh")?.energy == .solar)
        #expect(metering("PVC works", "energy", "kWh")?.energy == .electricity)
        #expect(metering("Main", "water", "m³")?.factor == 1000 && metering("Main", "gas", "m³")?.energy == .gas)
        #expect(metering("Main", "energy", "BTU") == nil && metering("Hall", "temperature", "°C") == nil)
    }

    @Test("Energy costs follow the user's own rates")
    func costs() {
        let mine = Preferences()
        #expect(EnergyKind.electricity.cost(of: 100, by: mine) == 15)
        #expect(EnergyKind.water.cost(of: 1000, by: mine) == 6)
        #expect(EnergyKind.solar.cost(of: 100, by: mine) == 0)
        #expect(EnergyKind.gas.cost(of: 100, by: mine) == nil)
    }
}
