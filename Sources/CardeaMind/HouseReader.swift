import CardeaModel
import Foundation
import GRDB

/// All that the mind perceives of the house. It declares this and knows no hub: whoever puts the house together fills it.
public protocol HouseReader: Sendable {
    /// The whole house as it stands; for the mind alone, who shows it by `Sight`.
    func house() async throws -> HouseSnapshot

    /// What happened after a place, oldest first; for the mind alone.
    func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch

    /// The same as it stands in a transaction of the house's store.
    func events(after place: FeedPosition, limit: Int, in db: Database) throws -> HouseEventBatch

    /// Another whenever somebody was erased, and nil while somebody is: what was perceived before may name them, and is perceived anew in
    /// the transaction in which it is remembered.
    func erasureMarker(in db: Database) throws -> String?

    /// A sensor's hours, oldest first.
    func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading]

    /// Rings whenever something may have happened.
    func changes() -> AsyncStream<Void>
}

/// How far the mind has read.
public struct FeedPosition: Hashable, Sendable, Codable {
    /// The last row of the journal.
    public var journal: Int64
    /// The last entry of the audit trail, which alone holds what was refused.
    public var trail: Int64

    public init(journal: Int64 = 0, trail: Int64 = 0) {
        self.journal = journal
        self.trail = trail
    }
}

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
