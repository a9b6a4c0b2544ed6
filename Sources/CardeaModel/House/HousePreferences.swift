import Foundation

/// Preferences of the whole house (Seed 004, item 26).
public struct HousePreferences: Hashable, Sendable {
    /// °C.
    public var defaultTemperature = 21.0
    /// Kept for other clients; the hub does nothing by it.
    public var savesEnergy = false
    /// Kept for other clients; the hub does nothing by it.
    public var securityLevel = SecurityLevel.medium
    public var quietHours: QuietHours?
    /// The house is empty for days.
    public var isOnVacation = false
    /// The people who answer a guest whose pass asks each time.
    public var asksAnsweredBy = ApproverGroup.inviters
    public var floors = 1

    public init() {}

    /// Throws if it cannot be stored.
    public func check() throws(FieldError) {
        try FieldError.check(defaultTemperature, 5...35, "preferences.default_temperature")
        try FieldError.check(Double(floors), 1...200, "number_of_floors")
    }
}
