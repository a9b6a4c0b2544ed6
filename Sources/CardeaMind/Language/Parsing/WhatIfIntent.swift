import CardeaModel

/// "What would it cost to keep 22 degrees all night?"
public struct WhatIfIntent: Hashable, Sendable {
    /// °C.
    public var temperature: Double?
    /// Whether it came without a unit: then it is meant in the asker's degrees.
    public var hasNoUnit = false
    /// Seconds.
    public var duration: Double?
    /// The sentence's hours, "all night", where they are meant; minutes since midnight.
    public var isNight = false
    public var asksCost = false
    public var subject = DeviceReference()
}
