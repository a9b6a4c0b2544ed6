import CardeaModel
import Foundation
import GRDB

/// A happening as somebody tells it to the mind.
public struct ReportedHouseEvent: Hashable, Sendable {
    /// Its `id` is not used: the mind gives it one.
    public let event: HouseEvent
    /// By which it is known when it is told again: `command:{id}`, `journal:{seq}`.
    public let source: String

    public init(_ happening: HouseEvent, source: String) {
        self.event = happening
        self.source = source
    }

    /// How the sources begin of what somebody brought along of the house's past.
    public static let importedPrefix = "past"

    /// Whether it is of a past that somebody brought along.
    var isImported: Bool { source.hasPrefix(Self.importedPrefix + ":") }
}
