import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension HouseEventRecords {
    /// Which happenings may say the words that somebody looks for. None that says one is left out.
    struct TextMatch {
        /// Whatever happened to these says one, by its device's name.
        var devices: Set<String>
        /// Whatever these did says one.
        var actors: Set<String>
        /// Which of the others may; nil for none.
        var others: OtherEvents?

        enum OtherEvents {
            /// What the house says of anything: "open", "yesterday", 19.
            case all
            /// What only somebody else can have said: what was seen, and what a thing said in words of its own. No others are older than `since`.
            case quoted(Set<String>, since: Date?)
        }

        /// Whether nothing can say it.
        var isEmpty: Bool { devices.isEmpty && actors.isEmpty && others == nil }

        var condition: SQL {
            var ways: [SQL] = []
            if !devices.isEmpty { ways.append("device_id IN \(devices)") }
            if !actors.isEmpty { ways.append("(actor IN \(actors) AND kind IN ('asked', 'presence'))") }
            switch others {
            case .all: ways.append("1")
            case .quoted(let stems, let since):
                // What is sealed is read to know what it says. Letters beside ASCII are folded as SQLite does not fold them.
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

    /// Every value of a column that is in an index of its own: it is skipped through, so that only as many rows are read as there are values.
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

    /// When the latest so many begin; nil where there are no more.
    static func start(ofLatest count: Int, _ db: Database) throws -> Date? {
        let at = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT at FROM happenings ORDER BY at DESC LIMIT 1 OFFSET ?"), arguments: [count])
        return at.map { Date(milliseconds: $0) }
    }
}
