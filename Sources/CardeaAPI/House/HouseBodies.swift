import CardeaModel
import Foundation

/// `GET /api/v1/house`
public struct HouseAnswer: Codable, Sendable {
    public let houseID: String
    public let name: String
    public let timeZone: String
    public let now: Date
    public let publicURL: String
    public let rooms: [RoomAnswer]
    /// Nil from a hub that does not send it.
    public let numberOfRooms: Int?
    public let numberOfFloors: Int?
    /// The capabilities of its devices, in Seed 004's words; nil from a hub that does not send them.
    public let capabilities: [String]?
    /// The house's preferences; omitted if the caller may not see the state of devices.
    public let preferences: HousePreferencesBody?
    /// The people who answer a guest whose pass asks each time; left out like the preferences, and nil from a hub that does not send it.
    public let asksAnsweredBy: ApproverGroup?
    public let version: Int?

    enum CodingKeys: String, CodingKey {
        case name, now, rooms, preferences, version, capabilities
        case houseID = "house_id"
        case timeZone = "time_zone"
        case publicURL = "public_url"
        case numberOfRooms = "number_of_rooms"
        case asksAnsweredBy = "asks_answered_by"
        case numberOfFloors = "number_of_floors"
    }

    public init(
        houseID: String, name: String, timeZone: String, now: Date, publicURL: String, rooms: [RoomAnswer], numberOfFloors: Int? = nil,
        capabilities: [String]? = nil, preferences: HousePreferencesBody? = nil, asksAnsweredBy: ApproverGroup? = nil, version: Int? = nil
    ) {
        self.houseID = houseID
        self.name = name
        self.timeZone = timeZone
        self.now = now
        self.publicURL = publicURL
        self.rooms = rooms
        numberOfRooms = rooms.count
        self.numberOfFloors = numberOfFloors
        self.capabilities = capabilities
        self.preferences = preferences
        self.asksAnsweredBy = asksAnsweredBy
        self.version = version
    }
}

public struct RoomAnswer: Codable, Sendable {
    public let roomID: String
    public let name: String

    enum CodingKeys: String, CodingKey {
        case name
        case roomID = "room_id"
    }

    public init(roomID: String, name: String) {
        self.roomID = roomID
        self.name = name
    }
}

/// `PUT /api/v1/house`. An omitted field stays as it is.
public struct ChangeHouseBody: WireFormat.Body, Encodable, Sendable {
    public var name: String?
    /// An IANA name.
    public var timeZone: String?
    public var numberOfFloors: Int?
    public var preferences: HousePreferencesBody?
    public var asksAnsweredBy: ApproverGroup?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, preferences
        case timeZone = "time_zone"
        case numberOfFloors = "number_of_floors"
        case asksAnsweredBy = "asks_answered_by"
    }

    public init(
        name: String? = nil, timeZone: String? = nil, numberOfFloors: Int? = nil, preferences: HousePreferencesBody? = nil,
        asksAnsweredBy: ApproverGroup? = nil
    ) {
        self.name = name
        self.timeZone = timeZone
        self.numberOfFloors = numberOfFloors
        self.preferences = preferences
        self.asksAnsweredBy = asksAnsweredBy
    }

    /// Returns the preferences with this change applied.
    public func applied(to preferences: HousePreferences) -> HousePreferences {
        var changed = preferences
        if let numberOfFloors { changed.floors = numberOfFloors }
        if let asksAnsweredBy { changed.asksAnsweredBy = asksAnsweredBy }
        guard let body = self.preferences else { return changed }
        if let temperature = body.defaultTemperature { changed.defaultTemperature = temperature }
        if let saves = body.energySavingMode { changed.savesEnergy = saves }
        if let level = body.securityLevel { changed.securityLevel = level }
        if let hours = body.quietHours { changed.quietHours = hours.wrappedValue }
        if let vacation = body.vacationMode { changed.isOnVacation = vacation }
        return changed
    }
}

/// Quiet hours are `{"from":"22:00","to":"07:00"}` by the house's clock, or null for none.
public struct HousePreferencesBody: Codable, Sendable {
    public var defaultTemperature: Double?
    public var energySavingMode: Bool?
    public var securityLevel: SecurityLevel?
    /// Nil for no change.
    public var quietHours: Nullable<QuietHours>?
    public var vacationMode: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case defaultTemperature = "default_temperature"
        case energySavingMode = "energy_saving_mode"
        case securityLevel = "security_level"
        case quietHours = "quiet_hours"
        case vacationMode = "vacation_mode"
    }

    public init(_ preferences: HousePreferences) {
        defaultTemperature = preferences.defaultTemperature
        energySavingMode = preferences.savesEnergy
        securityLevel = preferences.securityLevel
        quietHours = Nullable(wrappedValue: preferences.quietHours)
        vacationMode = preferences.isOnVacation
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.closedContainer(keyedBy: CodingKeys.self)
        defaultTemperature = try container.decodeIfPresent(Double.self, forKey: .defaultTemperature)
        energySavingMode = try container.decodeIfPresent(Bool.self, forKey: .energySavingMode)
        securityLevel = try container.decodeIfPresent(SecurityLevel.self, forKey: .securityLevel)
        quietHours =
            container.contains(.quietHours)
            ? Nullable(wrappedValue: try container.decodeIfPresent(QuietHours.self, forKey: .quietHours)) : nil
        vacationMode = try container.decodeIfPresent(Bool.self, forKey: .vacationMode)
    }
}
