import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The readings of the house's meters per hour, under the names of Seed 001 (`EnergyReading`).
enum EnergyExport {
    struct Meter: Sendable {
        let device: Device
        let entity: Entity
        let metering: EnergyMetering
    }

    static func meters(among devices: [Device]) -> [Meter] {
        devices.flatMap { device in
            device.entities.compactMap { entity in
                EnergyMetering(entity, of: device).map { Meter(device: device, entity: entity, metering: $0) }
            }
        }
    }

    /// Hours that are looked up at once.
    private static let batchSize = 1000

    /// The elements of a JSON array: all known hours, including those that are not stored as hours yet.
    static func write(_ meters: [Meter], until now: Date, _ db: Database, to put: (Data) throws -> Void) throws {
        var separator = "\n"
        for meter in meters {
            var from = Date(timeIntervalSince1970: 0)
            while true {
                let hours = try ReadingRecords.hours(
                    meter.entity.id, Readings.Span(from: from, to: now.addingTimeInterval(3600)), asOf: now, limit: batchSize, db)
                for hour in hours {
                    try put(Data((separator + (try ExportRow.pretty(meter.reading(hour)))).utf8))
                    separator = ",\n"
                }
                guard hours.count == batchSize, let last = hours.last else { break }
                from = last.hour.addingTimeInterval(3600)
            }
        }
    }
}

extension EnergyExport.Meter {
    /// Power in watts, as the hour's mean; amounts in the house's own unit: kWh, m³ of gas, litres of water.
    fileprivate func reading(_ hour: HourlyReading) -> JSONValue {
        var reading: [String: JSONValue] = [
            "timestamp": .string(ExportRow.text(hour.hour)), "energyType": .string(metering.energy.rawValue),
            "deviceID": .string(device.id), "device": .string(device.name), "entityID": .string(entity.id),
        ]
        let isMade = metering.energy == .solar
        switch metering.quantity {
        case .power: reading[isMade ? "instantaneousGeneration" : "instantaneousPower"] = .number(hour.mean * metering.factor)
        case .total:
            reading[isMade ? "cumulativeGeneration" : "cumulativeConsumption"] = .number(hour.last * metering.factor)
            // The meter's count within the hour.
            reading["amount"] = .number(hour.used * metering.factor)
            reading["unit"] = .string(metering.energy.unit)
        }
        return .object(reading)
    }
}
