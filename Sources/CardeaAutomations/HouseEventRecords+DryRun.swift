import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension HouseEventRecords {
    /// The events that concern an automation within a period, oldest first, and the state before it.
    ///
    /// - Parameter devices: those of the entities that it depends on.
    static func dryRunInput(
        of automation: Automation, on devices: Set<String>, from: Date, to: Date, seenBy visibility: RequesterVisibility, _ db: Database
    ) throws -> (beginning: AutomationDryRun.InitialState, past: [AutomationDryRun.PastEvent]) {
        var beginning = AutomationDryRun.InitialState()
        let entities = automation.entities
        for entity in entities {
            let value = try lastValue("value", "entity_id = \(entity) AND kind = 'state'", before: from, db)
            if let value { beginning.states.append((entity, value)) }
        }
        let people = try String.fetchAll(db, sql: "SELECT DISTINCT actor FROM happenings WHERE kind = 'presence' AND actor IS NOT NULL")
        for person in people where visibility.seesEverybody || person == visibility.key {
            let value = try lastValue("value", "actor = \(person) AND kind = 'presence'", before: from, db)
            if let value { beginning.presence.append((person, value == "home")) }
        }
        for case .offline(let device) in automation.triggers {
            if try wasOffline(device, before: from, db) { beginning.unreachable.insert(device) }
        }
        for device in devices {
            if try wasUnknown(device, at: from, db) { beginning.unknownDevices.insert(device) }
        }
        let bearing = relevance(on: automation, devices)
        let query: SQL = """
            SELECT \(sql: columns) FROM happenings WHERE at >= \(from.milliseconds) AND at <= \(to.milliseconds) AND (\(bearing))
            ORDER BY at, number
            """
        let rows = try SQLRequest<Row>(literal: query).fetchAll(db)
        return (beginning, rows.compactMap(event).compactMap(visibility.redacted).map { .event($0) })
    }

    /// The most events that are read for one dry run.
    static let dryRunLimit = 100_000

    /// The time from which the events of an automation can be read for a dry run: the beginning, or later if there are more than `most`.
    static func earliestReadable(of automation: Automation, on devices: Set<String>, from: Date, to: Date, _ db: Database) throws -> Date {
        let bearing = relevance(on: automation, devices)
        let query: SQL = """
            SELECT at FROM happenings WHERE at >= \(from.milliseconds) AND at <= \(to.milliseconds) AND (\(bearing))
            ORDER BY at DESC LIMIT 1 OFFSET \(dryRunLimit)
            """
        return try SQLRequest<Int64>(literal: query).fetchOne(db).map { Date(milliseconds: $0 + 1) } ?? from
    }

    private static func relevance(on automation: Automation, _ devices: Set<String>) -> SQL {
        var kinds: Set<HouseEventFilter.Kind> = [.presence]
        for trigger in automation.triggers {
            if case .seen = trigger { kinds.insert(.seen) }
            if case .offline = trigger { kinds.insert(.standing) }
        }
        let hearsOfRefusals = automation.triggers.contains { if case .refused = $0 { true } else { false } }
        return """
            (kind = 'state' AND entity_id IN \(automation.entities)) OR (kind = 'standing' AND device_id IN \(devices)) OR kind IN \(Set(kinds.map(\.rawValue)))
            OR (kind = 'asked' AND words IS NOT NULL AND \(hearsOfRefusals))
            """
    }

    /// Returns true if a device last reported itself offline, whatever happened to its connection since.
    static func wasOffline(_ device: String, before moment: Date, _ db: Database) throws -> Bool {
        try lastValue("value", "device_id = \(device) AND kind = 'standing' AND value <> 'unknown'", before: moment, db)
            == DeviceStatus.offline.rawValue
    }

    /// Returns true if a device was lost before a moment and neither came back nor reported since. For a device that reported itself
    /// offline, later reports do not count.
    private static func wasUnknown(_ device: String, at moment: Date, _ db: Database) throws -> Bool {
        let status = try lastValue("value", "device_id = \(device) AND kind = 'standing'", before: moment, db).flatMap(DeviceStatus.init)
        guard status == .unknown else { return status == .offline }
        let query: SQL = """
            SELECT NOT EXISTS (
                SELECT 1 FROM happenings WHERE device_id = \(device) AND kind = 'state' AND at < \(moment.milliseconds)
                    AND value NOT IN ('unknown', 'unavailable', '')
                    AND at > (
                        SELECT max(at) FROM happenings
                        WHERE device_id = \(device) AND kind = 'standing' AND at < \(moment.milliseconds)))
            """
        return try SQLRequest<Bool>(literal: query).fetchOne(db) ?? true
    }

    private static func lastValue(_ column: String, _ which: SQL, before moment: Date, _ db: Database) throws -> String? {
        let query: SQL = """
            SELECT \(sql: column) FROM happenings WHERE \(which) AND at < \(moment.milliseconds) ORDER BY at DESC, number DESC LIMIT 1
            """
        return try SQLRequest<String>(literal: query).fetchOne(db)
    }

    /// The last state of an entity that was not unknown; nil if there is none.
    static func lastState(of entityID: String, _ db: Database) throws -> (entityID: String, value: String, at: Date)? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT value, at FROM happenings WHERE entity_id = ? AND kind = 'state' AND value NOT IN ('unknown', 'unavailable', '')
                    ORDER BY at DESC, number DESC LIMIT 1
                    """), arguments: [entityID]
        ).map { (entityID, $0[0], Date(milliseconds: $0[1])) }
    }
}
