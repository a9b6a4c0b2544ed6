import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// The database of Home Assistant's recorder: the `home-assistant_v2.db` of version 2023.4 and newer (schema 36 on). It has a table of
/// states, one of their entities, and a third of state attributes, such as units. It is only read.
final class HomeAssistantRecorderFile {
    private let database: DatabaseQueue
    private let query: String
    private var last: Int64 = 0

    init(at file: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        database = try DatabaseQueue(path: file.path, configuration: configuration)
        let (isRecorder, hasAttributes) = try database.read { db in
            func columns(_ table: String) throws -> Set<String> {
                try db.tableExists(table) ? Set(try db.columns(in: table).map(\.name)) : []
            }
            let states = try columns("states")
            return (
                try states.isSuperset(of: ["state_id", "state", "last_updated_ts", "metadata_id"]) && db.tableExists("states_meta"),
                try states.contains("attributes_id") && columns("state_attributes").isSuperset(of: ["attributes_id", "shared_attrs"])
            )
        }
        guard isRecorder else {
            throw HistoryImportError("it is an SQLite file, but no recorder database of Home Assistant 2023.4 or newer")
        }
        // Only the units of sensors are needed; a foreign file may have any value in any column.
        let unit = """
            CASE WHEN m.entity_id GLOB 'sensor.*' AND json_valid(a.shared_attrs)
            THEN json_extract(a.shared_attrs, '$.unit_of_measurement') END
            """
        query = """
            SELECT s.state_id, m.entity_id, s.state, s.last_updated_ts, \(hasAttributes ? unit : "NULL")
            FROM states s JOIN states_meta m USING (metadata_id)
            \(hasAttributes ? "LEFT JOIN state_attributes a ON a.attributes_id = s.attributes_id" : "")
            WHERE s.state_id > ? ORDER BY s.state_id LIMIT ?
            """
    }

    /// The next states of entities and people that the house knows, oldest first; nil after the last. States that mean "not known" are
    /// left out.
    func next(_ count: Int, of house: HistoryLineResolver) async throws -> [HistoryImporter.NumberedLine]? {
        let (after, query) = (last, query)
        let rows = try await database.read { db in
            try Row.fetchAll(db, sql: query, arguments: [after, count]).map { row in
                // A foreign file may have any value in any column.
                (
                    id: row[0] as Int64, entity: String.fromDatabaseValue(row[1]) ?? "", state: String.fromDatabaseValue(row[2]),
                    at: Double.fromDatabaseValue(row[3]), unit: String.fromDatabaseValue(row[4])
                )
            }
        }
        guard let end = rows.last else { return nil }
        last = end.id
        return rows.compactMap { row in
            guard let state = row.state, let at = row.at, (0..<253_402_300_800).contains(at),
                !["unavailable", "unknown", ""].contains(state)
            else { return nil }
            let moment = Date(timeIntervalSince1970: at)
            let number = Int(clamping: row.id)
            if let person = row.entity.split(separator: ".", maxSplits: 1).last.map(String.init), row.entity.hasPrefix("person.") {
                let name = person.replacing("_", with: " ")
                guard house.knows(person: name) else { return nil }
                let value: JSONValue = state == "home" ? "home" : "away"
                return (number, .success(HistoryLine(timestamp: moment, personID: name, kind: "presence", value: value)))
            }
            guard house.knows(entity: row.entity) else { return nil }
            let line = HistoryLine(timestamp: moment, entityID: row.entity, kind: "state", value: .string(state), unit: row.unit)
            return (number, .success(line))
        }
    }
}
