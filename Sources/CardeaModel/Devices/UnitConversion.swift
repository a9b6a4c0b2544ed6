/// The house keeps °C, W and kWh; everything else is taken as it comes.
public enum UnitConversion {
    public struct Factor: Hashable, Sendable {
        public let unit: String
        let factor: Double
        var offset = 0.0

        public func apply(_ number: Double) -> Double { (number + offset) * factor }
    }

    public static func conversion(from unit: String, deviceClass: String?) -> Factor? {
        switch (deviceClass, unit) {
        case ("temperature", "°F"): Factor(unit: "°C", factor: 5.0 / 9, offset: -32)
        case ("temperature", "K"): Factor(unit: "°C", factor: 1, offset: -273.15)
        case ("power", "kW"): Factor(unit: "W", factor: 1000)
        case ("energy", "Wh"): Factor(unit: "kWh", factor: 0.001)
        case ("energy", "MWh"): Factor(unit: "kWh", factor: 1000)
        default: nil
        }
    }
}
