import CardeaModel

/// The house counts in °C. Whoever reads °F says and hears it so.
extension TemperatureUnit {
    var symbol: String {
        switch self {
        case .celsius: "°C"
        case .fahrenheit: "°F"
        }
    }

    /// How many of them a degree Celsius is.
    var step: Double {
        switch self {
        case .celsius: 1
        case .fahrenheit: 1.8
        }
    }

    /// How a temperature of the house reads in them. What was said in whole degrees Fahrenheit and is kept to a tenth of a degree Celsius is whole
    /// again.
    func fromCelsius(_ celsius: Double) -> Double {
        guard self == .fahrenheit else { return celsius }
        let value = celsius * 1.8 + 32
        return abs(value - value.rounded()) < 0.1 ? value.rounded() : value
    }

    /// What a number that was said in them is to the house.
    func toCelsius(_ value: Double) -> Double { self == .celsius ? value : ((value - 32) * 50 / 9).rounded() / 10 }
}

extension Preferences {
    /// Those of somebody who chose nothing but the degrees in which they read temperatures.
    init(reading degrees: TemperatureUnit) {
        self.init()
        temperatureUnit = degrees
    }
}
