/// One person's display preferences (Seed 001).
public struct Preferences: Hashable, Sendable {
    public var temperatureUnit = TemperatureUnit.celsius
    /// Money per kWh.
    public var energyCostRate = 0.15
    /// Money per litre.
    public var waterCostRate = 0.006
    /// A client's display settings for each room, by room id.
    public var displayByRoom: [String: JSONValue] = [:]
    /// Rises with every change; 0 while nothing was ever chosen.
    public var version = 0

    public init() {}

    /// Throws if it cannot be stored.
    public func check() throws(FieldError) {
        try FieldError.check(energyCostRate, 0...1_000_000, "energy_cost_rate")
        try FieldError.check(waterCostRate, 0...1_000_000, "water_cost_rate")
        guard displayByRoom.count <= 200 else { throw .tooMany(field: "display_preferences_by_room", 200) }
    }
}
