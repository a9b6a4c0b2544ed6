import CardeaModel
import Foundation
import GRDB

/// Events as rows.
enum EventRecords {
    /// Cameras by name, and other sources of events by their own name, 500 at most.
    static func places(_ db: Database) throws -> [(place: String, name: String)] {
        // The index skips from one place to the next: three places may have a million events.
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    WITH RECURSIVE places (place) AS (
                        SELECT min(place) FROM events
                        UNION ALL SELECT (SELECT min(place) FROM events WHERE place > places.place) FROM places WHERE place IS NOT NULL
                    )
                    SELECT id, name FROM cameras
                    UNION ALL
                    SELECT place, coalesce((SELECT camera_name FROM events WHERE events.place = places.place ORDER BY key DESC LIMIT 1), place)
                    FROM places WHERE place IS NOT NULL AND place NOT IN (SELECT id FROM cameras) LIMIT 500
                    """))
        return rows.map { ($0[0], $0[1]) }
    }

    private static let columns =
        """
        e.id, e.key, e.source, e.camera_id, e.camera_name, e.type, e.confidence,
        opened(e.description, 'events.description', e.id), e.incident_id, e.picture_key IS NOT NULL, e.created_at, e.described_by,
        e.picture_problem
        """

    private static func event(_ row: Row) -> Event? {
        guard let type = DetectionType(rawValue: row[5]) else { return nil }
        return Event(
            id: row[0], key: row[1], source: row[2], cameraID: row[3], cameraName: row[4], type: type, confidence: row[6],
            description: row[7], describedBy: (row[11] as String?).map(DescriptionSource.init(rawValue:)), incidentID: row[8],
            hasPicture: row[9], pictureProblem: (row[12] as String?).flatMap(PictureError.init(rawValue:)),
            createdAt: Date(milliseconds: row[10]))
    }

    static func one(_ id: String, _ db: Database) throws -> Event? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM events e WHERE id = ?"), arguments: [id]).flatMap(event)
    }

    /// A picture's key as stored; nil if there is no picture.
    static func pictureKey(_ id: String, _ db: Database) throws -> Data? {
        try Data.fetchOne(db.cachedStatement(sql: "SELECT picture_key FROM events WHERE id = ?"), arguments: [id])
    }

    /// Newest first.
    static func page(_ filter: Events.Filter, below key: Int64, limit: Int, skipping: Int, _ db: Database) throws -> [Event] {
        let (conditions, arguments) = condition(filter, below: key)
        let from = filter.searchTerms == nil ? "events e" : "event_words CROSS JOIN events e ON e.key = event_words.rowid"
        let order = filter.searchTerms == nil ? "e.key" : "event_words.rowid"
        let sql = "SELECT \(columns) FROM \(from) WHERE \(conditions) ORDER BY \(order) DESC LIMIT ? OFFSET ?"
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments + [limit, skipping]).compactMap(event)
    }

    /// The number of events from `filter.from` up to `key`, counted one by one; at most `most`.
    static func count(_ filter: Events.Filter, below key: Int64, atMost most: Int, _ db: Database) throws -> Int {
        let (conditions, arguments) = condition(filter, below: key)
        let from = filter.searchTerms == nil ? "events e" : "event_words CROSS JOIN events e ON e.key = event_words.rowid"
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(from) WHERE \(conditions) LIMIT ?)"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: arguments + [most]) ?? 0
    }

    private static func condition(_ filter: Events.Filter, below key: Int64) -> (String, StatementArguments) {
        let place = filter.searchTerms == nil ? "e.key" : "event_words.rowid"
        var (conditions, arguments) = (["\(place) >= ?", "\(place) < ?"], StatementArguments([filter.firstKey, key]))
        if let words = filter.searchTerms {
            conditions.append("event_words MATCH ?")
            arguments += [words.matchExpression(place: filter.place, type: filter.type)]
        }
        for (column, value) in [("place", filter.place), ("type", filter.type), ("incident_id", filter.incidentID)] {
            guard let value else { continue }
            conditions.append("e.\(column) = ?")
            arguments += [value]
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    // MARK: Writing

    /// A new event's content.
    struct NewEvent {
        let id: String
        let checked: Events.ValidatedDraft
        let pictureKey: Data?
        let pictureBytes: Int64
        let pictureProblem: PictureError?
        let recordedBy: String
        let now: Date
    }

    static func insert(_ new: NewEvent, in db: Database) throws -> Event {
        let checked = new.checked
        let first = EventSortKey.first(at: checked.at.milliseconds)
        let last = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT max(key) FROM events WHERE key >= ? AND key < ?"),
            arguments: [first, first + EventSortKey.perMillisecond])
        let key = last.map { $0 + 1 } ?? first
        guard key < first + EventSortKey.perMillisecond else {
            throw Events.EventError.field("occurred_at", "is the time of too many other events. Change it by a millisecond")
        }
        // A camera is stored under its current name in the house.
        let camera = try checked.cameraID.flatMap {
            try String.fetchOne(
                db.cachedStatement(
                    sql: "SELECT coalesce((SELECT name FROM cameras WHERE id = :id), (SELECT name FROM devices WHERE id = :id))"),
                arguments: ["id": $0])
        }
        let event = Event(
            id: new.id, key: key, source: checked.source, cameraID: checked.cameraID, cameraName: camera ?? checked.place,
            type: checked.type, confidence: checked.confidence, description: checked.description,
            incidentID: try IncidentRecords.assign(checked.sighting, for: new.id, in: db), hasPicture: new.pictureKey != nil,
            pictureProblem: new.pictureProblem, createdAt: new.now)
        try db.cachedStatement(
            sql: """
                INSERT INTO events (key, id, source, camera_id, place, camera_name, type, confidence, description, incident_id,
                    picture_key, picture_bytes, picture_problem, recorded_by, created_at)
                VALUES (?1, ?2, ?, ?, ?, ?, ?, ?, sealed(?, 'events.description', ?2), ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            key, event.id, event.source, event.cameraID, event.place, event.cameraName, event.type.rawValue, event.confidence,
            event.description, event.incidentID, new.pictureKey, new.pictureBytes, new.pictureProblem?.rawValue,
            new.recordedBy, new.now.milliseconds,
        ])
        try index(event, in: db)
        return event
    }

    /// Adds it to the search index.
    private static func index(_ event: Event, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO event_words (rowid, description, type, camera_name, place) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [event.key, event.description, event.type.rawValue, event.cameraName, event.place])
    }

    /// FTS5 needs the exact text that it indexed in order to remove it: it keeps none of it itself.
    private static func removeFromIndex(_ event: Event, in db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT INTO event_words (event_words, rowid, description, type, camera_name, place) VALUES ('delete', ?, ?, ?, ?, ?)"
        ).execute(arguments: [event.key, event.description, event.type.rawValue, event.cameraName, event.place])
    }

    /// Describes an event that has no description. An existing one is never overwritten; the trigger `description_comes_once` enforces that
    /// too.
    ///
    /// - Returns: nil if it has a description, or no longer exists.
    static func describe(_ id: String, as text: String, by source: DescriptionSource, in db: Database) throws -> Event? {
        guard let event = try one(id, db), event.description.isEmpty, !text.isEmpty else { return nil }
        try removeFromIndex(event, in: db)
        try db.cachedStatement(sql: "UPDATE events SET description = sealed(?, 'events.description', id), described_by = ? WHERE key = ?")
            .execute(
                arguments: [text, source.rawValue, event.key])
        guard let described = try one(id, db) else { return nil }
        try index(described, in: db)
        return described
    }

    /// Finds events whose machine-written description names one of these people, in any spelling. A person's own description is included
    /// only after that person was erased.
    static func mentions(of names: [String], _ db: Database) throws -> [String] {
        guard !names.isEmpty else { return [] }
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT id, opened(description, 'events.description', id) FROM events
                WHERE description <> '' AND (described_by IS NOT NULL OR substr(recorded_by, 1, 7) <> 'person:'
                    OR recorded_by = 'person:erased')
                """)
        var found: [String] = []
        while let row = try rows.next() {
            let text: String = row[1]
            if names.contains(where: { NameMention.contains(text, $0) }) { found.append(row[0]) }
        }
        return found
    }

    /// Clears the descriptions of events, as if there had been none, and removes them from the index. The trigger that allows a description
    /// only once is bypassed.
    static func clearDescriptions(_ ids: [String], in db: Database) throws {
        try SealedColumns.withoutTriggers(of: "events", in: db) {
            for id in ids {
                guard let event = try one(id, db) else { continue }
                try removeFromIndex(event, in: db)
                try db.execute(sql: "UPDATE events SET description = '', described_by = NULL WHERE key = ?", arguments: [event.key])
                if let mute = try one(id, db) { try index(mute, in: db) }
            }
        }
    }

    /// Events with a picture and without a description at or after a moment, newest first.
    static func undescribed(since moment: Date, limit: Int, _ db: Database) throws -> [Event] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM events e
                    WHERE key >= ? AND picture_key IS NOT NULL AND description = '' ORDER BY key DESC LIMIT ?
                    """), arguments: [EventSortKey.first(at: moment.milliseconds), limit]
        ).compactMap(event)
    }

    static func remove(_ event: Event, in db: Database) throws {
        try removeFromIndex(event, in: db)
        try db.cachedStatement(sql: "DELETE FROM events WHERE key = ?").execute(arguments: [event.key])
    }

    /// Events before a key, oldest first.
    static func oldest(before key: Int64, limit: Int, _ db: Database) throws -> [Event] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM events e WHERE key < ? ORDER BY key LIMIT ?"), arguments: [key, limit]
        ).compactMap(event)
    }

    // MARK: Pictures

    static func pictureBytes(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT coalesce(sum(picture_bytes), 0) FROM event_days")) ?? 0
    }

    static func withPictures(_ db: Database) throws -> Set<String> {
        try Set(String.fetchAll(db, sql: "SELECT id FROM events WHERE picture_key IS NOT NULL"))
    }

    /// The events with these keys that have a picture.
    static func withPictures(among keys: [Int64], _ db: Database) throws -> [String] {
        try SQLRequest<String>(literal: "SELECT id FROM events WHERE key IN \(keys) AND picture_key IS NOT NULL").fetchAll(db)
    }

    /// Deletes the oldest pictures until `bytes` more fit into `space`, and returns their events' IDs.
    static func makeRoom(for bytes: Int64, in space: Int64, _ db: Database) throws -> [String] {
        var (left, evicted) = (try pictureBytes(db) + bytes - space, [String]())
        while left > 0 {
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: "SELECT key, id, picture_bytes FROM events WHERE picture_key IS NOT NULL ORDER BY key LIMIT 32"))
            if rows.isEmpty { break }
            for row in rows where left > 0 {
                try db.cachedStatement(sql: "UPDATE events SET picture_key = NULL, picture_bytes = 0 WHERE key = ?").execute(
                    arguments: [row[0] as Int64])
                evicted.append(row[1])
                left -= row[2] as Int64
            }
        }
        return evicted
    }
}
