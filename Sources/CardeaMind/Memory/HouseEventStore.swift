import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Follows the house through the senses, and remembers what happened so that it can be looked up.
public struct HouseEventStore: HouseHistory {
    let store: Store
    let houseReader: any HouseReader
    let now: @Sendable () -> Date

    /// Happenings that are written down in one transaction: a door that is moved meanwhile waits for it, so it is short; and the fewer there
    /// are, the fewer doors meet one.
    private static let pageSize = 50
    /// Those of a past that is brought along.
    private static let importBatchSize = 2_000
    private static let cursorKey = "place"

    public init(store: Store, senses: any HouseReader, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.houseReader = senses
        self.now = now
    }

    /// Reads on from where it left off, to the end.
    ///
    /// - Parameters:
    ///   - pages: after so many it leaves off, wherever it is: in a house where much happens there may be no end.
    ///   - rest: what is done after each page, so that whoever moves a door is not waited out by a mind that has much to catch up on; whether to
    ///     go on then.
    /// - Returns: whether it came to the end.
    @discardableResult
    public func catchUp(pages: Int = .max, rest: () async throws -> Bool = { true }) async throws -> Bool {
        var place = try await store.read { try MindDocumentRecords.read(Self.cursorKey, as: FeedPosition.self, $0) } ?? FeedPosition()
        for _ in 0..<pages {
            let erased = try await store.read { [houseReader] in try houseReader.erasureMarker(in: $0) }
            let read = try await houseReader.events(after: place, limit: Self.pageSize)
            guard read.end != place else { return true }
            let (moment, before) = (now(), place)
            place = try await store.write { [houseReader] db in
                // Whoever was erased meanwhile is not remembered by what was read before.
                let isAsRead = try erased != nil && houseReader.erasureMarker(in: db) == erased
                let perceived = isAsRead ? read : try houseReader.events(after: before, limit: Self.pageSize, in: db)
                try HouseEventRecords.write(perceived.events, in: db)
                try HouseEventRecords.delete(perceived.deleted, in: db)
                // For as long as the journal is kept, happenings are.
                try HouseEventRecords.deleteExpired(before: RetentionRecords.cutoff(.activity, at: moment, in: db), in: db)
                try MindDocumentRecords.write(Self.cursorKey, perceived.end, at: moment, in: db)
                return perceived.end
            }
            if !read.events.isEmpty, try await !rest() { return false }
        }
        return false
    }

    /// Takes in what others have written down of the house's past. What it has already, it leaves as it is.
    ///
    /// - Parameter told: in the order in which it happened.
    /// - Returns: how many were new.
    public func importEvents(_ told: [ReportedHouseEvent]) async throws -> Int {
        var count = 0
        for start in stride(from: 0, to: told.count, by: Self.importBatchSize) {
            let part = Array(told[start..<min(start + Self.importBatchSize, told.count)])
            // What the last of them are is seen by what comes after them.
            let reach = (part.last?.event.at ?? .distantPast).addingTimeInterval(Double(HouseEventRecords.stateTolerance) / 1000)
            let later = told[(start + part.count)...].prefix { $0.event.at <= reach }
            let new: Int = try await store.write { db in
                let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM happenings") ?? 0
                try HouseEventRecords.write(part, before: later, in: db)
                return (try Int.fetchOne(db, sql: "SELECT count(*) FROM happenings") ?? 0) - before
            }
            count += new
        }
        return count
    }

    /// Has the mind learn its habits anew when it lives next: the past is to be another than the one it learned from. It is said first, so that an
    /// import that is broken off teaches what it brought.
    public func requestRelearning() async throws {
        let moment = now()
        try await store.write { try MindDocumentRecords.write(MindDocumentRecords.relearningKey, true, at: moment, in: $0) }
    }

    // MARK: Looking back

    public func events(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility) async throws -> [HouseEvent] {
        try await store.read { try HouseEventRecords.find(wanted, seenBy: sight, $0) }
    }

    public func count(_ wanted: HouseEventFilter, seenBy sight: AskerVisibility) async throws -> Int {
        try await store.read { try HouseEventRecords.count(wanted, seenBy: sight, $0) }
    }

    /// Those that may say the words that are looked for.
    func events(_ wanted: HouseEventFilter, telling words: HouseEventRecords.TextMatch?, seenBy sight: AskerVisibility) async throws
        -> [HouseEvent]
    {
        try await store.read { try HouseEventRecords.find(wanted, telling: words, seenBy: sight, $0) }
    }

    /// The devices and whoever did something, of all that is remembered, and since when the latest `count` happenings are; nil for all.
    func participants(latest count: Int) async throws -> (devices: Set<String>, actors: Set<String>, since: Date?) {
        try await store.read { db in
            (
                try HouseEventRecords.distinctValues("device_id", db), try HouseEventRecords.distinctValues("actor", db),
                try HouseEventRecords.start(ofLatest: count, db)
            )
        }
    }

    public func importedCommands(since: Date) async throws -> (happenings: [HouseEvent], since: Date?) {
        try await store.read { try HouseEventRecords.importedCommands(since: since, $0) }
    }

    public func retentionStart() async throws -> Date? {
        let moment = now()
        return try await store.read { try RetentionRecords.cutoff(.activity, at: moment, in: $0) }
    }

    /// One of them, as far as `sight` reaches.
    func event(_ number: Int64, seenBy sight: AskerVisibility) async throws -> HouseEvent? {
        try await store.read { try HouseEventRecords.one(number, seenBy: sight, $0) }
    }

    /// Whether one of them is there and not for `sight`. What is there no more betrays nobody, nor does an asking of which nobody knows any
    /// more whose it was.
    func containsHidden(_ numbers: [Int64], from sight: AskerVisibility) async throws -> Bool {
        try await store.read { db in
            try numbers.contains { number in
                guard let happening = try HouseEventRecords.one(number, seenBy: Mind.fullVisibility, db), sight.redacted(happening) == nil
                else {
                    return false
                }
                return happening.actor != nil || ![.asked, .presence].contains(happening.fact.kind)
            }
        }
    }

    public func hours(of entityID: String, from: Date, to: Date, seenBy sight: AskerVisibility) async throws -> [HourlyReading] {
        // Whose sensor it is, and whether it tells of energy, is seen from the house as the asker sees it.
        let seen = try await houseReader.house().seen(by: sight)
        guard seen.devices.contains(where: { $0.entities.contains { $0.id == entityID } }) else { return [] }
        return try await houseReader.hours(of: entityID, from: from, to: to)
    }
}
