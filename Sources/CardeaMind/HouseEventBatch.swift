import CardeaModel
import Foundation
import GRDB

/// A batch of events, and the position up to which it reaches.
public struct HouseEventBatch: Sendable {
    public var events: [ReportedHouseEvent]
    /// The sources of events that were reported before and have been deleted since.
    public var deleted: [String]
    public var end: FeedPosition

    public init(events: [ReportedHouseEvent], deleted: [String] = [], through: FeedPosition) {
        self.events = events
        self.deleted = deleted
        self.end = through
    }
}
