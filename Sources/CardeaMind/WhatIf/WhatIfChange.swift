import CardeaModel
import Foundation

/// An imagined change.
public enum WhatIfChange: Hashable, Sendable {
    /// A room is kept at a temperature, every day within these hours; nil for all day. °C.
    case temperature(roomID: String, celsius: Double, during: QuietHours?)
    /// A device is on, or off, every day within these hours; nil for all day.
    case power(deviceID: String, isOn: Bool, during: QuietHours?)
    /// A pass, a schedule, a role or a flag is different.
    case access(AccessReplay.RuleChange)
    /// An entity is watched by this rule instead of the present ones; nil for no rule.
    case watch(entityID: String, WatchRule?)

    /// °C at which a room may be imagined to be kept.
    public static let temperatures: ClosedRange<Double> = 5...35
}
