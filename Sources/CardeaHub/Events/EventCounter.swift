import CardeaModel
import Foundation
import GRDB

/// Counts events without walking them: whole days are counted already, and only the days at the ends are walked.
enum EventCounter {
    /// The highest count of a search.
    static let searchLimit = 1000

    private struct DayRange {
        let first: Int64
        let end: Int64
        let count: Int
    }

    /// The number of matches, and the key to begin below so that `offset` of them are skipped, with the number still to be skipped from
    /// there.
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
        var (conditions, arguments) = (
            ["day >= ?", "day <= ?"], StatementArguments([first / EventSortKey.day, (end - 1) / EventSortKey.day])
        )
        for (column, value) in [("place", filter.place), ("type", filter.type)] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            arguments += [value]
        }
        let sql = "SELECT day, sum(events) FROM event_days WHERE \(conditions.joined(separator: " AND ")) GROUP BY day ORDER BY day DESC"
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
            let day: Int64 = row[0]
            let (opens, closes) = (day * EventSortKey.day, (day + 1) * EventSortKey.day)
            if opens >= first, closes <= end { return DayRange(first: opens, end: closes, count: row[1]) }
            // A day that is only partly in the period is counted row by row.
            var part = filter
            part.from = Date(milliseconds: EventSortKey.milliseconds(max(opens, first)))
            let count = try EventRecords.count(part, below: min(closes, end), atMost: Int.max, db)
            return DayRange(first: max(opens, first), end: min(closes, end), count: count)
        }
    }
}
