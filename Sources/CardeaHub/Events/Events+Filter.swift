import CardeaModel
import Foundation
import GRDB

extension Events {
    /// Which events somebody wants to see.
    public struct Filter: Hashable, Sendable {
        /// A camera, or a source of events without one.
        public var place: String?
        public var type: String?
        public var incidentID: String?
        /// From this moment on.
        public var from: Date?
        /// Up to this moment, with it.
        public var to: Date?
        public var searchTerms: SearchTerms?

        public init(
            place: String? = nil, type: String? = nil, incidentID: String? = nil, from: Date? = nil, to: Date? = nil,
            words: SearchTerms? = nil
        ) {
            self.place = place
            self.type = type
            self.incidentID = incidentID
            self.from = from
            self.to = to
            self.searchTerms = words
        }

        var firstKey: Int64 { from.map { EventKey.first(at: $0.milliseconds) } ?? 0 }
        var endKey: Int64 { to.map { EventKey.first(at: $0.milliseconds) + EventKey.perMillisecond } ?? Int64.max }
        /// Whether the counts by days answer it.
        var usesDayCounts: Bool { searchTerms == nil && incidentID == nil }
    }

    /// Words to look for, in any order, in descriptions, kinds and cameras' names. Each is found in its other endings too.
    public struct SearchTerms: Hashable, Sendable {
        private let phrases: [String]

        public static let maxWords = 8

        /// nil where there is no word in it, or more than eight.
        public init?(_ text: String) {
            let words = Self.words(text)
            guard text.utf8.count <= 256, (1...Self.maxWords).contains(words.count) else { return nil }
            phrases = words.map { Self.phrase([$0]) }
        }

        /// What FTS5 is asked. Place and kind are in it too, so that a common word at a rare place is found without walking all its events;
        /// whether they are meant exactly is the row's to say.
        func matchExpression(place: String?, type: String?) -> String {
            let columns = [("place", place), ("type", type)].compactMap { column, value -> String? in
                let words = Self.words(value ?? "")
                return words.isEmpty ? nil : "\(column) : \(Self.phrase(words))"
            }
            return (phrases + columns).joined(separator: " AND ")
        }

        private static func words(_ text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

        /// In quotation marks nothing is an operator; no word holds one.
        private static func phrase(_ words: [Substring]) -> String { "\"\(words.joined(separator: " "))\"" }
    }
}

/// How many events there are, without walking them: whole days are counted already, and only the days at the ends are looked into.
enum EventCounter {
    /// A search counts this far.
    static let searchLimit = 1000

    private struct DayRange {
        let first: Int64
        let end: Int64
        let count: Int
    }

    /// All that fit, and below which key to begin so that `offset` of them are passed over, with what is still to be skipped from there.
    static func count(
        _ filter: Events.Filter, offset: Int, _ db: Database
    ) throws -> (total: Int, below: Int64, skipping: Int) {
        guard filter.usesDayCounts else {
            return (try EventRecords.count(filter, below: filter.endKey, atMost: searchLimit, db), filter.endKey, offset)
        }
        let days = try Self.dayRanges(filter, db)
        let total = days.reduce(0) { $0 + $1.count }
        var left = offset
        for part in days {
            if left < part.count { return (total, min(part.end, filter.endKey), left) }
            left -= part.count
        }
        return (total, filter.firstKey, 0)
    }

    /// Newest first.
    private static func dayRanges(_ filter: Events.Filter, _ db: Database) throws -> [DayRange] {
        let (first, end) = (filter.firstKey, filter.endKey)
        guard first < end else { return [] }
        var (conditions, arguments) = (["day >= ?", "day <= ?"], StatementArguments([first / EventKey.day, (end - 1) / EventKey.day]))
        for (column, value) in [("place", filter.place), ("type", filter.type)] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            arguments += [value]
        }
        let sql = "SELECT day, sum(events) FROM event_days WHERE \(conditions.joined(separator: " AND ")) GROUP BY day ORDER BY day DESC"
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
            let day: Int64 = row[0]
            let (opens, closes) = (day * EventKey.day, (day + 1) * EventKey.day)
            if opens >= first, closes <= end { return DayRange(first: opens, end: closes, count: row[1]) }
            // A day that is cut by the span is looked into.
            var part = filter
            part.from = Date(milliseconds: EventKey.milliseconds(max(opens, first)))
            let count = try EventRecords.count(part, below: min(closes, end), atMost: Int.max, db)
            return DayRange(first: max(opens, first), end: min(closes, end), count: count)
        }
    }
}
