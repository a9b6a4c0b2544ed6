import CardeaModel

/// `PUT /api/v1/people/me/preferences`. A field that is left out gets its default.
public struct PreferencesBody: WireFormat.Body, Encodable, Sendable {
    public var temperatureUnit: TemperatureUnit?
    public var energyCostRate: Double?
    public var waterCostRate: Double?
    public var displayPreferencesByRoom: [String: JSONValue]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case temperatureUnit = "temperature_unit"
        case energyCostRate = "energy_cost_rate"
        case waterCostRate = "water_cost_rate"
        case displayPreferencesByRoom = "display_preferences_by_room"
    }

    public init() {}

    public var preferences: Preferences {
        var preferences = Preferences()
        preferences.temperatureUnit = temperatureUnit ?? preferences.temperatureUnit
        preferences.energyCostRate = energyCostRate ?? preferences.energyCostRate
        preferences.waterCostRate = waterCostRate ?? preferences.waterCostRate
        preferences.displayByRoom = displayPreferencesByRoom ?? [:]
        return preferences
    }
}

/// One person's display preferences.
public struct PreferencesAnswer: Codable, Sendable {
    public let temperatureUnit: TemperatureUnit
    /// Money per kWh.
    public let energyCostRate: Double
    /// Money per litre.
    public let waterCostRate: Double
    public let displayPreferencesByRoom: [String: JSONValue]
    public let version: Int

    enum CodingKeys: String, CodingKey {
        case version
        case temperatureUnit = "temperature_unit"
        case energyCostRate = "energy_cost_rate"
        case waterCostRate = "water_cost_rate"
        case displayPreferencesByRoom = "display_preferences_by_room"
    }

    public init(_ preferences: Preferences) {
        temperatureUnit = preferences.temperatureUnit
        energyCostRate = preferences.energyCostRate
        waterCostRate = preferences.waterCostRate
        displayPreferencesByRoom = preferences.displayByRoom
        version = preferences.version
    }
}
