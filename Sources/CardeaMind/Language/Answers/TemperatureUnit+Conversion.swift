import CardeaModel

/// The house stores °C. People who read °F see and write °F.
extension TemperatureUnit {
    var symbol: String {
        switch self {
        case .celsius: "°C"
        case .fahrenheit: "°F"
        }
    }

    /// The number of degrees of this unit in one degree Celsius.
    var step: Double {
        switch self {
        case .celsius: 1
        case .fahrenheit: 1.8
        }
    }

    /// Converts °C to this unit. A temperature entered in whole °F and stored to a tenth of a degree Celsius is whole again.
    func fromCelsius(_ celsius: Double) -> Double {
        guard self == .fahrenheit else { return celsius }
        let value = celsius * 1.8 + 32
        return abs(value - value.rounded()) < 0.1 ? value.rounded() : value
    }

    /// Converts a number in this unit to °C. For °F the result is rounded to a tenth of a degree.
    func toCelsius(_ value: Double) -> Double { self == .celsius ? value : ((value - 32) * 50 / 9).rounded() / 10 }
}

extension Preferences {
    /// The preferences of a person who chose nothing but a temperature unit.
    init(reading degrees: TemperatureUnit) {
        self.init()
        temperatureUnit = degrees
    }
}
