import Foundation

/// A day of the week, by its wire name.
public enum Weekday: String, Codable, Hashable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun

    /// From the Gregorian calendar's number, 1 for Sunday.
    init(gregorian: Int) {
        self = Self.allCases[(gregorian + 5) % 7]
    }
}
