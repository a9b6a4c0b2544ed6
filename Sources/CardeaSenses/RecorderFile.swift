import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// What a Home Assistant's recorder has kept: the `home-assistant_v2.db` of version 2023.4 and newer (schema 36 on), which keeps a table of states
/// and one of the entities they are of. It is only read.
final class RecorderFile {
    private let database: DatabaseQueue
    private var last: Int64 = 0

    init(at file: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        database = try DatabaseQueue(path: file.path, configuration: configuration)
        let isRecorder = try database.read { db in
            let columns = try db.tableExists("states") ? Set(try db.columns(in: "states").map(\.name)) : []
            return try columns.isSuperset(of: ["state_id", "state", "last_updated_ts", "metadata_id"]) && db.tableExists("states_meta")
        }
        guard isRecorder else {
            throw PastProblem("it is an SQLite file, but no recorder database of Home Assistant 2023.4 or newer")
        }
    }

    /// The next states of what the house knows, oldest first; nil after the last. What a thing could not say is left out.
    func next(_ count: Int, of house: PastHouse) async throws -> [PastImport.NumberedLine]? {
        let after = last
        let rows = try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.state_id, m.entity_id, s.state, s.last_updated_ts FROM states s JOIN states_meta m USING (metadata_id)
                    WHERE s.state_id > ? ORDER BY s.state_id LIMIT ?
                    """, arguments: [after, count]
            ).map { row in
                // Another's file may hold anything anywhere.
                (
                    id: row[0] as Int64, entity: String.fromDatabaseValue(row[1]) ?? "", state: String.fromDatabaseValue(row[2]),
                    at: Double.fromDatabaseValue(row[3])
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
                return (number, .success(PastLine(timestamp: moment, personID: name, kind: "presence", value: value)))
            }
            guard house.knows(entity: row.entity) else { return nil }
            return (number, .success(PastLine(timestamp: moment, entityID: row.entity, kind: "state", value: .string(state))))
        }
    }
}

/// By what a file is known to be a database and no lines.
public enum RecorderMark {
    public static func leads(_ file: FileHandle) throws -> Bool {
        try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
}
