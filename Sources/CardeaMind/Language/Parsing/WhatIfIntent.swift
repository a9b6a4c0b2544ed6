import CardeaModel

/// "What would it cost to keep 22 degrees all night?"
public struct WhatIfIntent: Hashable, Sendable {
    /// °C.
    public var temperature: Double?
    /// True if it was said without a unit. It is then in the requester's degrees.
    public var hasNoUnit = false
    /// Seconds.
    public var duration: Double?
    /// True if the hours of "all night" are meant.
    public var isNight = false
    public var asksCost = false
    public var subject = DeviceReference()
}
