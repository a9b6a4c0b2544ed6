import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension HouseEventRecords {
    /// Selects events that may contain the words of a search. No event that contains one is left out.
    struct TextMatch {
        /// Devices whose name contains a word. All their events match.
        var devices: Set<String>
        /// Actors whose name contains a word. All their actions match.
        var actors: Set<String>
        /// The other events that may match; nil for none.
        var others: OtherEvents?

        enum OtherEvents {
            /// All events, for words that the house uses of anything: "open", "yesterday", 19.
            case all
            /// Only events with text from outside: sightings, and states in a device's own words. Events older than `since` are left out.
            case quoted(Set<String>, since: Date?)
        }

        /// True if no event can contain the words.
        var isEmpty: Bool { devices.isEmpty && actors.isEmpty && others == nil }

        var condition: SQL {
            var ways: [SQL] = []
            if !devices.isEmpty { ways.append("device_id IN \(devices)") }
            if !actors.isEmpty { ways.append("(actor IN \(actors) AND kind IN ('asked', 'presence'))") }
            switch others {
            case .all: ways.append("1")
            case .quoted(let stems, let since):
                // Encrypted values are read to compare them. Non-ASCII letters are read as well, since SQLite does not fold their case.
                let values = stems.sorted().map { stem -> SQL in "value LIKE \("%" + stem + "%")" } + ["value GLOB '*[^ -~]*'"]
                ways.append(
                    """
                    (at >= \(since?.milliseconds ?? Int64.min)
                    AND (kind = 'seen' OR (kind = 'state' AND (\(values.joined(separator: " OR "))))))
                    """)
            case nil: break
            }
            return ways.isEmpty ? "0" : "(\(ways.joined(separator: " OR ")))"
        }
    }

    /// Every value of a column that is in an index of its own: it is skipped through, so that only as many rows are read as there are
    /// values.
    static func distinctValues(_ column: String, _ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db.cachedStatement(
                sql: """
                    WITH RECURSIVE found(one) AS (
                        SELECT min(\(column)) FROM happenings WHERE \(column) IS NOT NULL
                        UNION ALL
                        SELECT (SELECT min(\(column)) FROM happenings WHERE \(column) IS NOT NULL AND \(column) > one) FROM found
                        WHERE one IS NOT NULL
                    )
                    SELECT one FROM found WHERE one IS NOT NULL
                    """))
    }

    /// The time at which the latest `count` events begin; nil if there are no more than that.
    static func start(ofLatest count: Int, _ db: Database) throws -> Date? {
        let at = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT at FROM happenings ORDER BY at DESC LIMIT 1 OFFSET ?"), arguments: [count])
        return at.map { Date(milliseconds: $0) }
    }
}
