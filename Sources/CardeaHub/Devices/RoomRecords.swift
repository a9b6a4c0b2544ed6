import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Rooms as rows.
enum RoomRecords {
    static func all(_ db: Database) throws -> [Room] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM rooms ORDER BY position, id").map(room)
    }

    static func one(_ id: String, _ db: Database) throws -> Room? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM rooms WHERE id = ?", arguments: [id]).map(room)
    }

    /// Returns whether the room exists, or was removed.
    static func exists(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT 1 FROM rooms WHERE id = ?1 UNION ALL SELECT 1 FROM removed_rooms WHERE id = ?1", arguments: [id]) == true
    }

    /// - Parameter foundName: the integration's name for it; nil for a room that people make.
    static func insert(_ room: Room, at position: Int, foundName: String? = nil, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO rooms (id, name, position, found_name) VALUES (?, ?, ?, ?)",
            arguments: [room.id, room.name, position, foundName])
        try update(room, in: db)
    }

    /// Renames a room to its integration's current name. Returns false if it does not exist, or people have named it.
    static func rename(_ room: Room, in db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE rooms SET name = ?1, found_name = ?1, version = version + 1 WHERE id = ?2 AND found_name = name",
            arguments: [room.name, room.id])
        return db.changesCount > 0
    }

    static func update(_ room: Room, in db: Database) throws {
        let traits = room.traits
        try db.execute(
            sql: """
                UPDATE rooms SET name = ?, kind = ?, floor = ?, square_footage = ?, ceiling_height = ?, window_count = ?, door_count = ?,
                    preferred_temperature = ?, preferred_humidity = ?, default_brightness = ?, color_temperature = ?,
                    automatic_light = ?, motion_light = ?, activities = ?, version = ? WHERE id = ?
                """,
            arguments: [
                traits.name, traits.kind.rawValue, traits.floor, traits.squareFootage, traits.ceilingHeight, traits.windowCount,
                traits.doorCount, traits.preferredTemperature, traits.preferredHumidity, traits.lighting.defaultBrightness,
                traits.lighting.colorTemperature, traits.lighting.automaticControl, traits.lighting.motionActivated,
                try JSONText.encode(.array(traits.activities.map(JSONValue.string))), room.version, room.id,
            ])
    }

    /// Moves a room to its position, and the others after it.
    static func move(_ id: String, to position: Int, in db: Database) throws {
        var order = try all(db).map(\.id).filter { $0 != id }
        order.insert(id, at: min(max(position, 0), order.count))
        for (position, id) in order.enumerated() {
            try db.execute(sql: "UPDATE rooms SET position = ? WHERE id = ?", arguments: [position, id])
        }
    }

    private static let columns = """
        id, name, kind, floor, square_footage, ceiling_height, window_count, door_count, preferred_temperature, preferred_humidity,
        default_brightness, color_temperature, automatic_light, motion_light, activities, version
        """

    private static func room(_ row: Row) throws -> Room {
        var traits = RoomTraits(name: row[1])
        traits.kind = RoomKind(rawValue: row[2]) ?? .other
        traits.floor = row[3]
        traits.squareFootage = row[4]
        traits.ceilingHeight = row[5]
        traits.windowCount = row[6]
        traits.doorCount = row[7]
        traits.preferredTemperature = row[8]
        traits.preferredHumidity = row[9]
        traits.lighting.defaultBrightness = row[10]
        traits.lighting.colorTemperature = row[11]
        traits.lighting.automaticControl = row[12]
        traits.lighting.motionActivated = row[13]
        if case .array(let activities) = try JSONText.decode(row[14]) { traits.activities = activities.compactMap(\.string) }
        return Room(id: row[0], traits: traits, version: row[15])
    }
}
