import Foundation

/// What the whole house prefers (Seed 004, item 26).
public struct HousePreferences: Hashable, Sendable {
    /// °C.
    public var defaultTemperature = 21.0
    /// Kept for other clients; the hub does nothing by it.
    public var savesEnergy = false
    /// Kept for other clients; the hub does nothing by it.
    public var securityLevel = SecurityLevel.medium
    public var quietHours: QuietHours?
    /// Nobody is at home for days.
    public var isOnVacation = false
    /// The people who answer a guest whose pass asks each time.
    public var asksAnsweredBy = ApproverGroup.inviters
    public var floors = 1

    public init() {}

    /// Refuses what cannot be kept.
    public func check() throws(FieldError) {
        try FieldError.check(defaultTemperature, 5...35, "preferences.default_temperature")
        try FieldError.check(Double(floors), 1...200, "number_of_floors")
    }
}

public enum SecurityLevel: String, Codable, Hashable, Sendable, CaseIterable {
    case low, medium, high, maximum
}

/// Every day from one time to another by the house's clock; over midnight where `to` is not after `from`.
public struct QuietHours: Codable, Hashable, Sendable {
    public let from: TimeOfDay
    public let to: TimeOfDay

    public init(from: TimeOfDay, to: TimeOfDay) {
        self.from = from
        self.to = to
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        from = try fields.decode(TimeOfDay.self, forKey: .from)
        to = try fields.decodeEnd(forKey: .to)
    }

    private enum CodingKeys: String, CodingKey { case from, to }

    public func contains(_ instant: Date, in zone: TimeZone) -> Bool {
        WeeklySchedule(lines: [.init(days: Set(Weekday.allCases), from: from, to: to)]).contains(instant, in: zone)
    }
}
