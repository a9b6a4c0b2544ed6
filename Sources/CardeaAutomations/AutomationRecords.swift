import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Reads and writes automations in the database.
enum AutomationRecords {
    private static let columns =
        "id, name, owner, is_on, triggers, conditions, actions, off_because, version, created_at, changed_at"

    /// The columns with their values decrypted.
    private static let decryptedColumns = """
        id, opened(name, 'automations.name', id), owner, is_on, opened(triggers, 'automations.triggers', id),
        opened(conditions, 'automations.conditions', id), opened(actions, 'automations.actions', id), off_because, version, created_at,
        changed_at
        """

    static func all(_ db: Database) throws -> [Automation] {
        try Row.fetchAll(
            db, sql: "SELECT \(decryptedColumns) FROM automations ORDER BY opened(name, 'automations.name', id) COLLATE NOCASE, id"
        ).map(automation)
    }

    static func one(_ id: String, _ db: Database) throws -> Automation? {
        try Row.fetchOne(db, sql: "SELECT \(decryptedColumns) FROM automations WHERE id = ?", arguments: [id]).map(automation)
    }

    static func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM automations") ?? 0 }

    static func write(_ automation: Automation, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO automations (\(columns)) VALUES (:id, sealed(:name, 'automations.name', :id), :owner, :isOn,
                    sealed(:triggers, 'automations.triggers', :id), sealed(:conditions, 'automations.conditions', :id),
                    sealed(:actions, 'automations.actions', :id), :offBecause, :version, :createdAt, :changedAt)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, owner = excluded.owner, is_on = excluded.is_on,
                    triggers = excluded.triggers, conditions = excluded.conditions, actions = excluded.actions,
                    off_because = excluded.off_because, version = excluded.version, changed_at = excluded.changed_at
                """,
            arguments: [
                "id": automation.id, "name": automation.name, "owner": automation.owner, "isOn": automation.isOn,
                "triggers": try encode(automation.triggers), "conditions": try encode(automation.conditions),
                "actions": try encode(automation.actions), "offBecause": automation.offBecause?.rawValue, "version": automation.version,
                "createdAt": automation.createdAt.milliseconds, "changedAt": automation.changedAt.milliseconds,
            ])
    }

    static func remove(_ id: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM automations WHERE id = ?", arguments: [id])
    }

    private static func automation(_ row: Row) throws -> Automation {
        let (triggers, conditions, actions): (String, String, String) = (row[4], row[5], row[6])
        // A value that cannot be decrypted reads as the empty text. Without its conditions an automation would do unwanted things, so it
        // is off and has no parts.
        let isWhole = ![triggers, conditions, actions].contains("")
        let isOn: Bool = row[3]
        return Automation(
            id: row[0], name: row[1], owner: row[2], isOn: isOn && isWhole, triggers: try isWhole ? decode(triggers) : [],
            conditions: try isWhole ? decode(conditions) : [], actions: try isWhole ? decode(actions) : [],
            offBecause: (row[7] as String?).flatMap(Automation.OffReason.init), version: row[8], createdAt: Date(milliseconds: row[9]),
            changedAt: Date(milliseconds: row[10]))
    }

    private static func encode(_ parts: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(parts), as: UTF8.self)
    }

    private static func decode<Part: Decodable>(_ text: String) throws -> [Part] {
        try JSONDecoder().decode([Part].self, from: Data(text.utf8))
    }

    // MARK: Runs

    /// Records a run.
    ///
    /// - Returns: its number.
    static func add(_ firing: AutomationEvaluator.Activation, _ result: AutomationRun.Result, in db: Database) throws -> Int64 {
        try insert(
            firing.automationID, at: firing.at, trigger: firing.trigger, event: firing.eventID, result,
            unknown: result == .notKnown ? firing.unknown : [], in: db)
    }

    /// Inserts a run, which has no outcomes yet.
    static func insert(
        _ automationID: String, at moment: Date, trigger: Int?, event: String?, _ result: AutomationRun.Result, unknown: [String] = [],
        in db: Database
    ) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO automation_runs (automation_id, at, trigger_place, happening, result, is_dry, outcomes, unknown)
                VALUES (?, ?, ?, ?, ?, ?, '[]', ?)
                """,
            arguments: [automationID, moment.milliseconds, trigger, event, result.rawValue, result == .tried, try encode(unknown)])
        return db.lastInsertedRowID
    }

    static func setOutcomes(_ outcomes: [AutomationRun.Outcome], of run: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE automation_runs SET outcomes = sealed(?, 'automation_runs.outcomes', number) WHERE number = ?",
            arguments: [try encode(outcomes), run])
    }

    /// The runs of an automation, newest first.
    static func runs(of id: String, before number: Int64?, limit: Int, _ db: Database) throws -> [AutomationRun] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT number, at, trigger_place, happening, result, is_dry, opened(outcomes, 'automation_runs.outcomes', number),
                    unknown
                FROM automation_runs WHERE automation_id = ?1 AND (?2 IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3
                """, arguments: [id, number, limit]
        ).compactMap { row in
            guard let result = AutomationRun.Result(rawValue: row[4]) else { return nil }
            let outcomes: String = row[6]
            return AutomationRun(
                id: "\(row[0] as Int64)", automationID: id, at: Date(milliseconds: row[1]), trigger: row[2], event: row[3], result: result,
                // A value that cannot be decrypted reads as the empty text; the rest of the list is still returned.
                isDry: row[5], outcomes: try outcomes.isEmpty ? [] : decode(outcomes), unknown: try decode(row[7]))
        }
    }

    /// The times of each automation's runs since a moment.
    static func runTimes(since moment: Date, _ db: Database) throws -> [(automationID: String, at: Date)] {
        try Row.fetchAll(
            db, sql: "SELECT automation_id, at FROM automation_runs WHERE at > ? AND result IN ('ran', 'loop') ORDER BY number",
            arguments: [moment.milliseconds]
        ).map { ($0[0], Date(milliseconds: $0[1])) }
    }
}
