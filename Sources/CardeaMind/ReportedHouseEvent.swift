import CardeaModel
import Foundation
import GRDB

/// An event with its source, as it is reported to the mind.
public struct ReportedHouseEvent: Hashable, Sendable {
    /// Its `id` is ignored: the mind assigns one.
    public let event: HouseEvent
    /// The identity of the event, by which a repeated report is recognised: `command:{id}`, `journal:{seq}`.
    public let source: String

    public init(_ event: HouseEvent, source: String) {
        self.event = event
        self.source = source
    }

    /// The prefix of the sources of imported history.
    public static let importedPrefix = "past"

    /// True if the event is from imported history.
    var isImported: Bool { source.hasPrefix(Self.importedPrefix + ":") }
}
