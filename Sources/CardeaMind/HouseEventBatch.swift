import CardeaModel
import Foundation
import GRDB

/// What was perceived, and the place up to which it reaches.
public struct HouseEventBatch: Sendable {
    public var events: [ReportedHouseEvent]
    /// By their sources: what was told before and has been deleted since.
    public var deleted: [String]
    public var end: FeedPosition

    public init(told: [ReportedHouseEvent], deleted: [String] = [], through: FeedPosition) {
        self.events = told
        self.deleted = deleted
        self.end = through
    }
}
