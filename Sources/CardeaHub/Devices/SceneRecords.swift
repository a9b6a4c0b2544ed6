import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Scenes as rows.
enum SceneRecords {
    static func all(_ db: Database) throws -> [Scene] {
        let actions = Dictionary(
            grouping: try Row.fetchAll(db, sql: "SELECT \(actionColumns) FROM scene_actions ORDER BY scene_id, position"),
            by: { $0[0] as String })
        return try Row.fetchAll(db, sql: "SELECT \(columns) FROM scenes ORDER BY name COLLATE NOCASE, id").map {
            try scene($0, actions: actions[$0[0]] ?? [])
        }
    }

    static func one(_ id: String, _ db: Database) throws -> Scene? {
        guard let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM scenes WHERE id = ?", arguments: [id]) else { return nil }
        let actions = try Row.fetchAll(
            db, sql: "SELECT \(actionColumns) FROM scene_actions WHERE scene_id = ? ORDER BY position", arguments: [id])
        return try scene(row, actions: actions)
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM scenes") ?? 0
    }

    static func write(_ scene: Scene, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO scenes (id, name, icon, version, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, icon = excluded.icon, version = excluded.version,
                    changed_at = excluded.changed_at
                """,
            arguments: [
                scene.id, scene.name, scene.icon, scene.version, scene.createdAt.milliseconds, scene.changedAt.milliseconds,
            ])
        try db.execute(sql: "DELETE FROM scene_actions WHERE scene_id = ?", arguments: [scene.id])
        for (position, action) in scene.actions.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO scene_actions (scene_id, position, device_id, entity_id, verb, value, transition)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    scene.id, position, action.deviceID, action.entityID, action.verb.rawValue,
                    try action.value.map(JSONText.encode), action.transition,
                ])
        }
    }

    private static let columns = "id, name, icon, version, created_at, changed_at"
    private static let actionColumns = "scene_id, device_id, entity_id, verb, value, transition"

    private static func scene(_ row: Row, actions: [Row]) throws -> Scene {
        Scene(
            id: row[0], name: row[1], icon: row[2],
            actions: try actions.compactMap { row in
                guard let verb = Verb(rawValue: row[3]) else { return nil }
                return DeviceAction(
                    deviceID: row[1], entityID: row[2], verb: verb, value: try (row[4] as String?).map(JSONText.decode),
                    transition: row[5])
            }, version: row[3], createdAt: Date(milliseconds: row[4]), changedAt: Date(milliseconds: row[5]))
    }
}
