import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Follows the house through its event feed, and stores events so that they can be looked up.
public struct HouseEventStore: HouseHistory {
    let store: Store
    let houseReader: any HouseReader
    let now: @Sendable () -> Date

    /// The number of events written in one transaction. A door command waits for the transaction, so it is short; and the fewer
    /// transactions there are, the fewer commands meet one.
    private static let pageSize = 50
    /// The number of imported events written in one transaction.
    private static let importBatchSize = 2_000
    private static let cursorKey = "place"

    public init(store: Store, houseReader: any HouseReader, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.houseReader = houseReader
        self.now = now
    }

    /// Reads the feed from the last position to its end.
    ///
    /// - Parameters:
    ///   - pages: the most pages to read. In a busy house the feed may have no end.
    ///   - rest: called after each page, so that a door command does not wait while the mind catches up; returns whether to go on.
    /// - Returns: true if the end was reached.
    @discardableResult
    public func catchUp(pages: Int = .max, rest: () async throws -> Bool = { true }) async throws -> Bool {
        var place = try await store.read { try MindDocumentRecords.read(Self.cursorKey, as: FeedPosition.self, $0) } ?? FeedPosition()
        for _ in 0..<pages {
            let erased = try await store.read { [houseReader] in try houseReader.erasureMarker(in: $0) }
            let read = try await houseReader.events(after: place, limit: Self.pageSize)
            guard read.end != place else { return true }
            let (moment, before) = (now(), place)
            place = try await store.write { [houseReader] db in
                // If a person was erased meanwhile, events read before are not stored but read again.
                let isAsRead = try erased != nil && houseReader.erasureMarker(in: db) == erased
                let perceived = isAsRead ? read : try houseReader.events(after: before, limit: Self.pageSize, in: db)
                try HouseEventRecords.write(perceived.events, in: db)
                try HouseEventRecords.delete(perceived.deleted, in: db)
                // Events are kept as long as the journal.
                try HouseEventRecords.deleteExpired(before: RetentionRecords.cutoff(.activity, at: moment, in: db), in: db)
                try MindDocumentRecords.write(Self.cursorKey, perceived.end, at: moment, in: db)
                return perceived.end
            }
            if !read.events.isEmpty, try await !rest() { return false }
        }
        return false
    }

    /// Imports past events. Events already on record stay as they are.
    ///
    /// - Parameter events: in the order in which they happened.
    /// - Returns: the number of new events.
    public func importEvents(_ events: [ReportedHouseEvent]) async throws -> Int {
        var count = 0
        for start in stride(from: 0, to: events.count, by: Self.importBatchSize) {
            let part = Array(events[start..<min(start + Self.importBatchSize, events.count)])
            // The last events of a part can only be judged by those that follow.
            let reach = (part.last?.event.at ?? .distantPast).addingTimeInterval(Double(HouseEventRecords.stateTolerance) / 1000)
            let later = events[(start + part.count)...].prefix { $0.event.at <= reach }
            let new: Int = try await store.write { db in
                let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM happenings") ?? 0
                try HouseEventRecords.write(part, before: later, in: db)
                return (try Int.fetchOne(db, sql: "SELECT count(*) FROM happenings") ?? 0) - before
            }
            count += new
        }
        return count
    }

    /// Makes the mind learn its habits anew at its next start, since the past will change. It is called before an import, so that an
    /// interrupted import is learned from as well.
    public func requestRelearning() async throws {
        let moment = now()
        try await store.write { try MindDocumentRecords.write(MindDocumentRecords.relearningKey, true, at: moment, in: $0) }
    }

    // MARK: Queries

    public func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        try await store.read { try HouseEventRecords.find(wanted, seenBy: visibility, $0) }
    }

    public func count(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> Int {
        try await store.read { try HouseEventRecords.count(wanted, seenBy: visibility, $0) }
    }

    /// The events that may contain the words of the search.
    func events(_ wanted: HouseEventFilter, matching words: HouseEventRecords.TextMatch?, seenBy visibility: RequesterVisibility)
        async throws
        -> [HouseEvent]
    {
        try await store.read { try HouseEventRecords.find(wanted, matching: words, seenBy: visibility, $0) }
    }

    /// The devices and actors of all stored events, and the time since which the latest `count` events are; nil for all.
    func participants(latest count: Int) async throws -> (devices: Set<String>, actors: Set<String>, since: Date?) {
        try await store.read { db in
            (
                try HouseEventRecords.distinctValues("device_id", db), try HouseEventRecords.distinctValues("actor", db),
                try HouseEventRecords.start(ofLatest: count, db)
            )
        }
    }

    public func importedCommands(since: Date) async throws -> (events: [HouseEvent], since: Date?) {
        try await store.read { try HouseEventRecords.importedCommands(since: since, $0) }
    }

    public func retentionStart() async throws -> Date? {
        let moment = now()
        return try await store.read { try RetentionRecords.cutoff(.activity, at: moment, in: $0) }
    }

    /// The event with this number, as far as the requester may see it.
    func event(_ number: Int64, seenBy visibility: RequesterVisibility) async throws -> HouseEvent? {
        try await store.read { try HouseEventRecords.one(number, seenBy: visibility, $0) }
    }

    /// Returns true if one of these events exists and the requester may not see it. Deleted events reveal nothing, nor do commands and
    /// presences without an actor.
    func containsHidden(_ numbers: [Int64], from visibility: RequesterVisibility) async throws -> Bool {
        try await store.read { db in
            try numbers.contains { number in
                guard let event = try HouseEventRecords.one(number, seenBy: Mind.fullVisibility, db), visibility.redacted(event) == nil
                else {
                    return false
                }
                return event.actor != nil || ![.asked, .presence].contains(event.fact.kind)
            }
        }
    }

    public func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] {
        // The sensor's owner, and whether it measures energy, come from the house as the requester sees it.
        let seen = try await houseReader.house().seen(by: visibility)
        guard seen.devices.contains(where: { $0.entities.contains { $0.id == entityID } }) else { return [] }
        return try await houseReader.hours(of: entityID, from: from, to: to)
    }
}
