/// The quantity that a sensor measures of the house's energy (Seed 001's `EnergyReading`).
public struct EnergyMetering: Hashable, Sendable {
    public let energy: EnergyKind
    public let quantity: Quantity
    /// The factor from the sensor's unit to the stored one: W, kWh, m³ of gas, litres of water.
    public let factor: Double

    public enum Quantity: String, Hashable, Sendable {
        /// The present rate.
        case power
        /// The accumulated amount.
        case total
    }

    /// Nil for a sensor that measures no energy, or in an unknown unit.
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

    /// Returns whether the retention time for energy applies to a device class.
    public static func isEnergy(_ deviceClass: String?) -> Bool {
        deviceClass.map(["power", "energy", "gas", "water"].contains) == true
    }

    /// No device class says where the current comes from; names do.
    private static func isSolar(_ entity: Entity, _ device: Device) -> Bool {
        let words = [entity.id, entity.name, device.name].joined(separator: " ").lowercased().split { !$0.isLetter }
        return words.contains { ["solar", "pv", "photovoltaic", "photovoltaik"].contains($0) }
    }
}
