import CardeaModel

extension Schema {
    fileprivate static let moneyRate = number(0...1_000_000)
}

extension PreferencesBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "temperature_unit": .enumeration(TemperatureUnit.self), "energy_cost_rate": .moneyRate.about("Money per kWh; 0.15 by default"),
        "water_cost_rate": .moneyRate.about("Money per litre; 0.006 by default"),
        "display_preferences_by_room": .map(atMost: 200).about("Any values of a client, by room id; 16 KiB in all"),
    ])
    public static let example: JSONValue? = ["temperature_unit": "celsius", "energy_cost_rate": 0.32]
}

extension PreferencesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "temperature_unit": .enumeration(TemperatureUnit.self), "energy_cost_rate": .number(), "water_cost_rate": .number(),
        "display_preferences_by_room": .map(), "version": .version,
    ])
}
