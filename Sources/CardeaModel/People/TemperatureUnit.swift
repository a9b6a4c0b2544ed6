public enum TemperatureUnit: String, Codable, Hashable, Sendable, CaseIterable {
    case celsius, fahrenheit
}
