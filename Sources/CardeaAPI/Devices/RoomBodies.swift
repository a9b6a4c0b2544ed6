import CardeaModel

/// `POST /api/v1/rooms` and `PUT /api/v1/rooms/{id}`. A field that is left out gets the value of a room without a description.
public struct RoomBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var roomType: RoomKind?
    public var floor: Int?
    public var squareFootage: Double?
    public var ceilingHeight: Double?
    public var windowCount: Int?
    public var doorCount: Int?
    public var preferredTemperature: Double?
    public var preferredHumidity: Double?
    public var lightingPreferences: LightingBody?
    public var activities: [String]?
    /// The place among the rooms, counted from 0.
    public var position: Int?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, floor, activities, position
        case roomType = "room_type"
        case squareFootage = "square_footage"
        case ceilingHeight = "ceiling_height"
        case windowCount = "window_count"
        case doorCount = "door_count"
        case preferredTemperature = "preferred_temperature"
        case preferredHumidity = "preferred_humidity"
        case lightingPreferences = "lighting_preferences"
    }

    public init(name: String) {
        self.name = name
    }

    public var traits: RoomTraits {
        var traits = RoomTraits(name: name)
        traits.kind = roomType ?? .other
        traits.floor = floor ?? 0
        traits.squareFootage = squareFootage
        traits.ceilingHeight = ceilingHeight
        traits.windowCount = windowCount ?? 0
        traits.doorCount = doorCount ?? 0
        traits.preferredTemperature = preferredTemperature
        traits.preferredHumidity = preferredHumidity
        traits.lighting = lightingPreferences?.preferences ?? LightingPreferences()
        traits.activities = activities ?? []
        return traits
    }
}

public struct LightingBody: Codable, Sendable {
    @Nullable public var defaultBrightness: Int?
    @Nullable public var colorTemperature: Int?
    public var automaticControl: Bool?
    public var motionActivated: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case defaultBrightness = "default_brightness"
        case colorTemperature = "color_temperature"
        case automaticControl = "automatic_control"
        case motionActivated = "motion_activated"
    }

    public init(_ lighting: LightingPreferences) {
        defaultBrightness = lighting.defaultBrightness
        colorTemperature = lighting.colorTemperature
        automaticControl = lighting.automaticControl
        motionActivated = lighting.motionActivated
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.closedContainer(keyedBy: CodingKeys.self)
        _defaultBrightness = Nullable(wrappedValue: try container.decodeIfPresent(Int.self, forKey: .defaultBrightness))
        _colorTemperature = Nullable(wrappedValue: try container.decodeIfPresent(Int.self, forKey: .colorTemperature))
        automaticControl = try container.decodeIfPresent(Bool.self, forKey: .automaticControl)
        motionActivated = try container.decodeIfPresent(Bool.self, forKey: .motionActivated)
    }

    var preferences: LightingPreferences {
        var lighting = LightingPreferences()
        // Older clients sent 0 for "no default".
        lighting.defaultBrightness = defaultBrightness == 0 ? nil : defaultBrightness
        lighting.colorTemperature = colorTemperature
        lighting.automaticControl = automaticControl ?? false
        lighting.motionActivated = motionActivated ?? false
        return lighting
    }
}

/// A room, whole.
public struct RoomDescriptionAnswer: Codable, Sendable {
    public let roomID: String
    public let name: String
    public let roomType: RoomKind
    public let floor: Int
    @Nullable public private(set) var squareFootage: Double?
    @Nullable public private(set) var ceilingHeight: Double?
    public let windowCount: Int
    public let doorCount: Int
    @Nullable public private(set) var preferredTemperature: Double?
    @Nullable public private(set) var preferredHumidity: Double?
    public let lightingPreferences: LightingBody
    public let activities: [String]
    public let version: Int

    enum CodingKeys: String, CodingKey {
        case name, floor, activities, version
        case roomID = "room_id"
        case roomType = "room_type"
        case squareFootage = "square_footage"
        case ceilingHeight = "ceiling_height"
        case windowCount = "window_count"
        case doorCount = "door_count"
        case preferredTemperature = "preferred_temperature"
        case preferredHumidity = "preferred_humidity"
        case lightingPreferences = "lighting_preferences"
    }

    public init(_ room: Room) {
        roomID = room.id
        name = room.name
        roomType = room.traits.kind
        floor = room.traits.floor
        squareFootage = room.traits.squareFootage
        ceilingHeight = room.traits.ceilingHeight
        windowCount = room.traits.windowCount
        doorCount = room.traits.doorCount
        preferredTemperature = room.traits.preferredTemperature
        preferredHumidity = room.traits.preferredHumidity
        lightingPreferences = LightingBody(room.traits.lighting)
        activities = room.traits.activities
        version = room.version
    }
}

public struct RoomsAnswer: Codable, Sendable {
    /// In the order in which people walk through them.
    public let rooms: [RoomDescriptionAnswer]
    public let total: Int

    public init(rooms: [RoomDescriptionAnswer]) {
        self.rooms = rooms
        total = rooms.count
    }
}
