import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Former IDs of devices and entities, as rows. Each leads to the current ID, and never to another former one.
enum AliasRecords {
    enum Kind: String {
        case device, entity
    }

    /// The current ID; nil if `id` is not a former one.
    static func target(_ kind: Kind, _ id: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM aliases WHERE kind = ? AND alias = ?"), arguments: [kind.rawValue, id])
    }

    static func resolve(_ kind: Kind, _ id: String, _ db: Database) throws -> String { try target(kind, id, db) ?? id }

    /// The current device and entity of these IDs.
    static func resolvePlace(_ deviceID: String, _ entityID: String?, _ db: Database) throws -> (deviceID: String, entityID: String?) {
        if let stays = try entityID.flatMap({ try target(.entity, $0, db) }) {
            return (try owner(of: stays, db) ?? resolve(.device, deviceID, db), stays)
        }
        return (try resolve(.device, deviceID, db), entityID)
    }

    /// The device of the entity that replaced `id`; nil if `id` is not a former ID.
    static func owner(ofFormer id: String, _ db: Database) throws -> String? {
        try target(.entity, id, db).map { try owner(of: $0, db) ?? $0 }
    }

    private static func owner(of entityID: String, _ db: Database) throws -> String? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT device_id FROM entities WHERE id = ?"), arguments: [entityID])
    }

    /// The former IDs of a current one.
    static func formerIDs(_ kind: Kind, of id: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db.cachedStatement(sql: "SELECT alias FROM aliases WHERE kind = ? AND id = ? ORDER BY alias"), arguments: [kind.rawValue, id])
    }

    static func all(_ kind: Kind, _ db: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(db, sql: "SELECT alias, id FROM aliases WHERE kind = ?", arguments: [kind.rawValue])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// Makes `former` another name of `id`, and with it every name that led to `former`.
    static func add(_ kind: Kind, _ former: String, of id: String, at now: Date, in db: Database) throws {
        try db.execute(sql: "UPDATE aliases SET id = ? WHERE kind = ? AND id = ?", arguments: [id, kind.rawValue, former])
        try db.execute(
            sql: "INSERT OR REPLACE INTO aliases (kind, alias, id, since) VALUES (?, ?, ?, ?)",
            arguments: [kind.rawValue, former, id, now.milliseconds])
    }
}
