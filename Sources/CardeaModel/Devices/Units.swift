/// The house keeps °C, W and kWh; everything else is taken as it comes.
public enum Units {
    public struct Conversion: Hashable, Sendable {
        public let unit: String
        let factor: Double
        var offset = 0.0

        public func apply(_ number: Double) -> Double { (number + offset) * factor }
    }

    public static func conversion(from unit: String, deviceClass: String?) -> Conversion? {
        switch (deviceClass, unit) {
        case ("temperature", "°F"): Conversion(unit: "°C", factor: 5.0 / 9, offset: -32)
        case ("temperature", "K"): Conversion(unit: "°C", factor: 1, offset: -273.15)
        case ("power", "kW"): Conversion(unit: "W", factor: 1000)
        case ("energy", "Wh"): Conversion(unit: "kWh", factor: 0.001)
        case ("energy", "MWh"): Conversion(unit: "kWh", factor: 1000)
        default: nil
        }
    }
}
