/// The description and preferences of a room (Seed 004, item 27).
public struct RoomTraits: Hashable, Sendable {
    public var name: String
    public var kind = RoomKind.other
    /// 0 is the ground floor.
    public var floor = 0
    public var squareFootage: Double?
    /// Feet, as the seed counts.
    public var ceilingHeight: Double?
    public var windowCount = 0
    public var doorCount = 0
    /// °C.
    public var preferredTemperature: Double?
    /// Percent.
    public var preferredHumidity: Double?
    public var lighting = LightingPreferences()
    public var activities: [String] = []

    public init(name: String) {
        self.name = name
    }

    /// The traits as they are kept, or the first that cannot be.
    public func checked() throws(FieldError) -> RoomTraits {
        var traits = self
        do { traits.name = try Name.check(name) } catch { throw .name(field: "name", error) }
        try FieldError.check(Double(floor), -20...200, "floor")
        try FieldError.check(squareFootage, 1...100_000, "square_footage")
        try FieldError.check(ceilingHeight, 1...100, "ceiling_height")
        try FieldError.check(Double(windowCount), 0...1000, "window_count")
        try FieldError.check(Double(doorCount), 0...1000, "door_count")
        try FieldError.check(preferredTemperature, 5...35, "preferred_temperature")
        try FieldError.check(preferredHumidity, 0...100, "preferred_humidity")
        try FieldError.check(lighting.defaultBrightness.map(Double.init), 1...100, "lighting_preferences.default_brightness")
        try FieldError.check(lighting.colorTemperature.map(Double.init), 1000...12_000, "lighting_preferences.color_temperature")
        guard activities.count <= 32 else { throw .tooMany(field: "activities", 32) }
        traits.activities = []
        for (place, activity) in activities.enumerated() {
            do { traits.activities.append(try Name.check(activity)) } catch { throw .name(field: "activities.\(place)", error) }
        }
        return traits
    }
}
