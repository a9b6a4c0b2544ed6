/// A measurement of the air or the light in a room (Seed 001's `EnvironmentReading`).
public enum EnvironmentMetric: String, Codable, Hashable, Sendable, CaseIterable {
    case temperature, humidity, co2, pm25, voc
    case airQualityIndex = "air_quality_index"
    case lightLevel = "light_level"
    case noiseLevel = "noise_level"

    /// Creates the metric of a sensor's device class; nil for other measurements.
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
