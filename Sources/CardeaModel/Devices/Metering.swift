/// What a sensor measures of the house's energy (Seed 001's `EnergyReading`).
public struct Metering: Hashable, Sendable {
    public let energy: EnergyKind
    public let quantity: Quantity
    /// What one of the sensor's units is in the house's own: W, kWh, m³ of gas, litres of water.
    public let factor: Double

    public enum Quantity: String, Hashable, Sendable {
        /// What flows now.
        case power
        /// What has flowed.
        case total
    }

    /// Nil for a sensor that measures no energy, or in a unit nobody knows.
    public init?(_ entity: Entity, of device: Device) {
        guard entity.kind == .sensor, let deviceClass = entity.deviceClass else { return nil }
        let unit = entity.unit ?? ""
        let isSolar = Self.isSolar(entity, device)
        switch deviceClass {
        case "power":
            guard let factor = ["W": 1.0, "kW": 1000, "MW": 1_000_000][unit] else { return nil }
            self.init(energy: isSolar ? .solar : .electricity, quantity: .power, factor: factor)
        case "energy":
            guard let factor = ["Wh": 0.001, "kWh": 1, "MWh": 1000][unit] else { return nil }
            self.init(energy: isSolar ? .solar : .electricity, quantity: .total, factor: factor)
        case "gas":
            guard let factor = ["m³": 1.0, "ft³": 0.028_316_846_592, "CCF": 2.831_684_659_2][unit] else { return nil }
            self.init(energy: .gas, quantity: .total, factor: factor)
        case "water":
            guard let factor = ["L": 1.0, "m³": 1000, "gal": 3.785_411_784, "ft³": 28.316_846_592, "CCF": 2_831.684_659_2][unit] else {
                return nil
            }
            self.init(energy: .water, quantity: .total, factor: factor)
        default: return nil
        }
    }

    private init(energy: EnergyKind, quantity: Quantity, factor: Double) {
        self.energy = energy
        self.quantity = quantity
        self.factor = factor
    }

    /// Whether a device class is kept as long as energy is.
    public static func isEnergy(_ deviceClass: String?) -> Bool {
        deviceClass.map(["power", "energy", "gas", "water"].contains) == true
    }

    /// No device class says where the current comes from; names do.
    private static func isSolar(_ entity: Entity, _ device: Device) -> Bool {
        let words = [entity.id, entity.name, device.name].joined(separator: " ").lowercased().split { !$0.isLetter }
        return words.contains { ["solar", "pv", "photovoltaic", "photovoltaik"].contains($0) }
    }
}

public enum EnergyKind: String, Codable, Hashable, Sendable, CaseIterable {
    case electricity, gas, water, solar

    /// The unit in which it is counted.
    public var unit: String {
        switch self {
        case .electricity, .solar: "kWh"
        case .gas: "m³"
        case .water: "L"
        }
    }

    /// What `amount` of it costs by a person's rates; nil where they have none for it.
    public func cost(of amount: Double, by preferences: Preferences) -> Double? {
        switch self {
        case .electricity: amount * preferences.energyCostRate
        case .water: amount * preferences.waterCostRate
        case .solar: 0
        case .gas: nil
        }
    }
}

/// What a sensor tells of the air and the light in a room (Seed 001's `EnvironmentReading`).
public enum EnvironmentMetric: String, Codable, Hashable, Sendable, CaseIterable {
    case temperature, humidity, co2, pm25, voc
    case airQualityIndex = "air_quality_index"
    case lightLevel = "light_level"
    case noiseLevel = "noise_level"

    /// By the device class of a sensor; nil for one that tells of something else.
    public init?(deviceClass: String?) {
        switch deviceClass {
        case "temperature": self = .temperature
        case "humidity": self = .humidity
        case "carbon_dioxide": self = .co2
        case "pm25": self = .pm25
        case "volatile_organic_compounds", "volatile_organic_compounds_parts": self = .voc
        case "aqi": self = .airQualityIndex
        case "illuminance": self = .lightLevel
        case "sound_pressure": self = .noiseLevel
        default: return nil
        }
    }
}
