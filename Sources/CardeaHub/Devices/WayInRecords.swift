import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The house's memory of its ways in, as rows.
enum WayInRecords {
    static func memory(of entityID: String, _ db: Database) throws -> WayInMemory? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT is_own, is_security, shares, is_released, opened(wiring, 'known_ways_in.wiring', entity_id),
                        opened(announced, 'known_ways_in.announced', entity_id)
                    FROM known_ways_in WHERE entity_id = ?
                    """), arguments: [entityID]
        ).map {
            WayInMemory(
                isOwn: $0[0], isSecurity: $0[1], shares: $0[2], isReleased: $0[3], wiring: try decode($0[4]), announced: try decode($0[5]))
        }
    }

    /// - Parameter isChanged: true if its announcement has changed, or it has come to share a topic.
    static func write(_ memory: WayInMemory, of entityID: String, isChanged: Bool, at now: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO known_ways_in (entity_id, since, is_own, is_security, shares, is_released, wiring, announced, changed_at, hold)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, sealed(?7, 'known_ways_in.wiring', ?1), sealed(?8, 'known_ways_in.announced', ?1), ?2, ?9)
                ON CONFLICT (entity_id) DO UPDATE SET is_own = excluded.is_own, is_security = excluded.is_security, shares = excluded.shares,
                    is_released = excluded.is_released, wiring = excluded.wiring, announced = excluded.announced, hold = excluded.hold,
                    changed_at = iif(?10, excluded.changed_at, changed_at)
                """
        ).execute(arguments: [
            entityID, now.milliseconds, memory.isOwn, memory.isSecurity, memory.shares, memory.isReleased, try encode(memory.wiring),
            try encode(memory.announced), memory.restrictions.storedText, isChanged,
        ])
        guard memory.holdsTopics else {
            return try db.cachedStatement(sql: "DELETE FROM held_topics WHERE entity_id = ?").execute(arguments: [entityID])
        }
        for topic in memory.topics {
            try db.cachedStatement(sql: "INSERT INTO held_topics (topic, entity_id, parent) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .execute(arguments: [topic, entityID, parent(of: topic)])
        }
    }

    /// The ways in of a device, and those that share a topic with one of them, by device.
    static func sharingTopics(of deviceID: String, _ db: Database) throws -> [(entityID: String, deviceID: String?)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT k.entity_id, e.device_id FROM known_ways_in k LEFT JOIN entities e ON e.id = k.entity_id
                WHERE e.device_id = ?1 OR k.shares IN (SELECT id FROM entities WHERE device_id = ?1) ORDER BY k.entity_id
                """, arguments: [deviceID]
        ).map { ($0[0], $0[1]) }
    }

    /// Moves the memory of `former` to `id`.
    static func move(_ former: String, to id: String, at now: Date, in db: Database) throws {
        guard former != id, let old = try memory(of: former, db) else { return }
        var memory = try memory(of: id, db) ?? old
        memory.inherit(of: old, called: former, isCurrent: try isAnnounced(former, db) && !isAnnounced(id, db))
        try write(memory, of: id, isChanged: true, at: now, in: db)
        try db.execute(sql: "UPDATE OR IGNORE held_topics SET entity_id = ? WHERE entity_id = ?", arguments: [id, former])
        try db.execute(
            sql: """
                UPDATE known_ways_in SET shares = ?1, hold = replace(hold, 'shares:' || ?2, 'shares:' || ?1)
                WHERE shares = ?2 AND entity_id <> ?1
                """, arguments: [id, former])
        try db.execute(sql: "DELETE FROM known_ways_in WHERE entity_id = ?", arguments: [former])
    }

    private static func isAnnounced(_ entityID: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM entities e JOIN devices d ON d.id = e.device_id WHERE e.id = ? AND d.withdrawn_at IS NULL)
                """, arguments: [entityID]) ?? false
    }

    /// Records that a person with a step-up confirmed it to be the same door.
    static func confirm(_ entityID: String, at now: Date, in db: Database) throws {
        guard var memory = try memory(of: entityID, db) else { return }
        memory.confirm()
        try write(memory, of: entityID, isChanged: true, at: now, in: db)
    }

    // MARK: Announcements

    static func announcedWiring(_ entityID: String, _ db: Database) throws -> EntityCommandTopics? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT opened(wiring, 'entities.wiring', id) FROM entities WHERE id = ?"), arguments: [entityID])
        return try row.flatMap { try decode($0[0]) }
    }

    static func announce(_ wiring: EntityCommandTopics, of entityID: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE entities SET wiring = sealed(?2, 'entities.wiring', ?1) WHERE id = ?1")
            .execute(arguments: [entityID, try encode(wiring)])
        try db.cachedStatement(sql: "DELETE FROM command_topics WHERE entity_id = ?").execute(arguments: [entityID])
        for topic in wiring.topics {
            try db.cachedStatement(sql: "INSERT INTO command_topics (entity_id, topic, parent) VALUES (?, ?, ?)")
                .execute(arguments: [entityID, topic, parent(of: topic)])
        }
    }

    // MARK: Topics

    /// The strictest of the ways in near one of these topics; among equals, the oldest.
    static func strictestHolder(near topics: [String], except entityID: String, _ db: Database) throws -> WayInMemory.Holder? {
        guard !topics.isEmpty else { return nil }
        return try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT k.entity_id, k.is_security FROM json_each(?1) AS asked
                    JOIN held_topics AS near ON \(isNear)
                    JOIN known_ways_in AS k ON k.entity_id = near.entity_id
                    WHERE k.entity_id <> ?2 ORDER BY k.is_security DESC, k.since, k.entity_id LIMIT 1
                    """), arguments: [try TopicNeighborhood.json(topics), entityID]
        ).map { WayInMemory.Holder(entityID: $0[0], isSecurity: $0[1]) }
    }

    /// True if a message on this topic might move a way in.
    static func mayMoveWayIn(_ topic: String, _ db: Database) throws -> Bool {
        try strictestHolder(near: [topic], except: "", db) != nil
    }

    /// Entities with a command topic near one of these, of which the house remembers nothing yet.
    static func unremembered(near topics: [String], except entityID: String, _ db: Database) throws -> [(
        entityID: String, deviceID: String
    )] {
        guard !topics.isEmpty else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT DISTINCT e.id, e.device_id FROM json_each(?1) AS asked
                    JOIN command_topics AS near ON \(isNear)
                    JOIN entities AS e ON e.id = near.entity_id
                    WHERE e.id <> ?2 AND NOT EXISTS (SELECT 1 FROM known_ways_in WHERE entity_id = e.id)
                    ORDER BY e.id
                    """), arguments: [try TopicNeighborhood.json(topics), entityID]
        ).map { ($0[0], $0[1]) }
    }

    /// The same topic, one above it, one below it, or one with the same parent. Zigbee2MQTT also listens for a lock at `…/NAME/set/state`,
    /// and the first topic of a pair often has `/set` and the other `/get`.
    private static let isNear = """
        (near.topic IN (SELECT value FROM json_each(asked.value, '$.above'))
            OR (near.parent <> '' AND near.parent = asked.value ->> '$.parent')
            OR (near.topic >= asked.value ->> '$.below' AND near.topic < asked.value ->> '$.beyond'))
        """

    static func parent(of topic: String) -> String { TopicNeighborhood(topic).parent }

    // MARK: JSON

    private static func encode(_ wiring: EntityCommandTopics?) throws -> String? {
        guard let wiring else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(wiring), as: UTF8.self)
    }

    /// A damaged value reads as one that equals nothing: the door then counts as announced differently.
    private static func decode(_ text: String?) throws -> EntityCommandTopics? {
        guard let text else { return nil }
        guard !text.isEmpty else { return EntityCommandTopics(opening: ["damaged": "true"], topics: []) }
        return try JSONDecoder().decode(EntityCommandTopics.self, from: Data(text.utf8))
    }
}

/// A topic with the bounds of its neighbours.
struct TopicNeighborhood: Encodable {
    /// The topic and all topics above it.
    let above: [String]
    /// The topic without its last level; empty for a topic of one level.
    let parent: String
    /// The half-open range of the topics below it, in sort order.
    let below, beyond: String

    init(_ topic: String) {
        var above = [topic]
        var rest = Substring(topic)
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            above.append(String(rest))
        }
        self.above = above
        parent = above.count > 1 ? above[1] : ""
        // `0` follows `/` in ASCII.
        (below, beyond) = (topic + "/", topic + "0")
    }

    static func json(_ topics: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(topics.map(TopicNeighborhood.init)), as: UTF8.self)
    }
}
