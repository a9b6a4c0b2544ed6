import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension HappeningRecords {
    /// What bears on an automation within a time, oldest first, and how things stood before it.
    static func past(
        of automation: Automation, from: Date, to: Date, seenBy sight: Sight, _ db: Database
    ) throws -> (beginning: AutomationTrial.Beginning, past: [AutomationTrial.Past]) {
        var beginning = AutomationTrial.Beginning()
        let entities = Set(automation.triggers.compactMap(\.entityID)).union(
            automation.conditions.reduce(into: Set<String>()) { $0.formUnion($1.entities) })
        for entity in entities {
            let value = try last("value", "entity_id = \(entity) AND kind = 'state'", before: from, db)
            if let value { beginning.states.append((entity, value)) }
        }
        let people = try String.fetchAll(db, sql: "SELECT DISTINCT actor FROM happenings WHERE kind = 'presence' AND actor IS NOT NULL")
        for person in people where sight.seesEverybody || person == sight.key {
            let value = try last("value", "actor = \(person) AND kind = 'presence'", before: from, db)
            if let value { beginning.homes.append((person, value == "home")) }
        }
        for case .offline(let device) in automation.triggers {
            let value = try last("value", "device_id = \(device) AND kind = 'standing'", before: from, db)
            if value == DeviceStatus.offline.rawValue { beginning.unreachable.insert(device) }
        }
        let wanted: SQL = """
            (kind = 'state' AND entity_id IN \(entities)) OR kind IN ('presence', 'seen', 'standing') OR (kind = 'asked' AND words IS NOT NULL)
            """
        let query: SQL = """
            SELECT \(sql: columns) FROM happenings WHERE at >= \(from.milliseconds) AND at <= \(to.milliseconds) AND (\(wanted))
            ORDER BY at, number
            """
        let rows = try SQLRequest<Row>(literal: query).fetchAll(db)
        return (beginning, rows.compactMap(happening).compactMap(sight.view).map { .happening($0) })
    }

    private static func last(_ column: String, _ which: SQL, before moment: Date, _ db: Database) throws -> String? {
        let query: SQL = """
            SELECT \(sql: column) FROM happenings WHERE \(which) AND at < \(moment.milliseconds) ORDER BY at DESC, number DESC LIMIT 1
            """
        return try SQLRequest<String>(literal: query).fetchOne(db)
    }

    /// The number of the last of all.
    static func latest(_ db: Database) throws -> Int64 { try Int64.fetchOne(db, sql: "SELECT max(number) FROM happenings") ?? 0 }
}
