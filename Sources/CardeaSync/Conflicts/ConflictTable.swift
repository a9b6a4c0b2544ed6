import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The table of conflicts.
struct ConflictTable: Sendable {
    let sealing: SealingKey

    private struct SealedVersions: Codable {
        let mine: OutboxOperation.Edit
        let theirs: JSONValue
    }

    func add(_ id: String, lane: Data, _ mine: OutboxOperation.Edit, theirs: JSONValue, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO conflicts (id, lane, sealed, found_at) VALUES (?, ?, ?, ?)",
            arguments: [
                id, lane, try sealing.seal(JSONEncoder().encode(SealedVersions(mine: mine, theirs: theirs)), for: "conflicts/\(id)"),
                now.milliseconds,
            ])
    }

    func all(in db: Database) throws -> [Conflict] {
        try Row.fetchAll(db, sql: "SELECT id, sealed, found_at FROM conflicts ORDER BY found_at, id").map(conflict)
    }

    func find(_ id: String, in db: Database) throws -> Conflict? {
        try Row.fetchOne(db, sql: "SELECT id, sealed, found_at FROM conflicts WHERE id = ?", arguments: [id]).map(conflict)
    }

    /// Lanes for which nothing is sent until a person decides.
    func blockedLanes(in db: Database) throws -> Set<Data> {
        try Data.fetchSet(db, sql: "SELECT lane FROM conflicts")
    }

    func remove(_ id: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM conflicts WHERE id = ?", arguments: [id])
    }

    private func conflict(_ row: Row) throws -> Conflict {
        let id: String = row[0]
        let sealed = try JSONDecoder().decode(SealedVersions.self, from: sealing.open(row[1], for: "conflicts/\(id)"))
        return Conflict(id: id, local: sealed.mine, remote: sealed.theirs, foundAt: Date(milliseconds: row[2]))
    }
}
