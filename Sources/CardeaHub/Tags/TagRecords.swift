import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Tags as rows.
enum TagRecords {
    static func all(_ db: Database) throws -> [Tag] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM tags ORDER BY created_at, id").compactMap(tag)
    }

    static func one(_ id: String, _ db: Database) throws -> Tag? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM tags WHERE id = ?"), arguments: [id]).flatMap(tag)
    }

    static func one(uid: Data, _ db: Database) throws -> Tag? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM tags WHERE uid = ?"), arguments: [uid]).flatMap(tag)
    }

    /// The number of the button's tags in that state, apart from one.
    static func count(of buttonID: String, _ state: Tag.State, but other: String? = nil, _ db: Database) throws -> Int {
        try SQLRequest<Row>(
            sql: "SELECT id FROM tags WHERE button_id = ? AND state = ? AND id IS NOT ?", arguments: [buttonID, state.rawValue, other]
        ).fetchCount(db)
    }

    /// Deletes the tags whose writing was not completed in time.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM tags WHERE state = 'pending' AND created_at < ?",
            arguments: [now.addingTimeInterval(-Tag.writeDeadline).milliseconds])
    }

    /// Activates a tag, and ends the one that it replaces.
    static func promote(_ tag: Tag, at now: Date, in db: Database) throws {
        if let replaced = tag.replaces { try db.execute(sql: "DELETE FROM tags WHERE id = ?", arguments: [replaced]) }
        try db.execute(
            sql: "UPDATE tags SET state = 'active', replaces = NULL, written_at = ? WHERE id = ?", arguments: [now.milliseconds, tag.id])
    }

    static func insert(_ tag: Tag, keys: SUNKeys?, by sealing: SealingKey, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO tags (id, kind, button_id, button_version, label, uid, keys, chip, created_at, state, replaces)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                tag.id, tag.kind.rawValue, tag.buttonID, tag.buttonVersion, tag.label, tag.uid,
                try keys?.sealed(by: sealing, for: sealingLabel(tag.id)),
                keys.flatMap { keys in tag.uid.map { sealing.mark($0 + keys.file.octets) } },
                tag.createdAt.milliseconds, tag.state.rawValue, tag.replaces,
            ])
    }

    /// Binds the tag to its button's current action.
    static func renew(_ id: String, in db: Database) throws {
        try db.execute(
            sql: "UPDATE tags SET button_version = (SELECT action_version FROM buttons b WHERE b.id = tags.button_id) WHERE id = ?",
            arguments: [id])
    }

    static func setLabel(_ id: String, _ label: String, in db: Database) throws {
        try db.execute(sql: "UPDATE tags SET label = ? WHERE id = ?", arguments: [label, id])
    }

    static func keys(of id: String, by sealing: SealingKey, _ db: Database) throws -> SUNKeys? {
        guard let sealed = try Data.fetchOne(db.cachedStatement(sql: "SELECT keys FROM tags WHERE id = ?"), arguments: [id]) else {
            return nil
        }
        return try SUNKeys(sealed: sealed, by: sealing, for: sealingLabel(id))
    }

    /// Every tag that proves its touches, with its keys.
    static func allKeys(by sealing: SealingKey, _ db: Database) throws -> [(id: String, keys: SUNKeys)] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT id, keys FROM tags WHERE kind = 'sun'")).map { row in
            (row[0], try SUNKeys(sealed: row[1], by: sealing, for: sealingLabel(row[0])))
        }
    }

    /// Accepts a touch once, and no earlier one after it.
    ///
    /// - Returns: whether this is its first use.
    static func advanceCounter(_ id: String, to counter: UInt32, in db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO tag_counters (chip, counter) SELECT chip, ? FROM tags WHERE id = ? AND chip IS NOT NULL
                ON CONFLICT (chip) DO UPDATE SET counter = excluded.counter WHERE counter < excluded.counter
                """
        ).execute(arguments: [Int(counter), id])
        return db.changesCount > 0
    }

    /// Returns whether the house was restored and has not read the tag since.
    static func isUnsynced(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT unsynced_at IS NOT NULL FROM tags WHERE id = ?"), arguments: [id]) == true
    }

    static func markSynced(_ id: String, in db: Database) throws {
        try db.execute(sql: "UPDATE tags SET unsynced_at = NULL WHERE id = ?", arguments: [id])
    }

    static func markUsed(_ id: String, at now: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE tags SET last_used_at = ? WHERE id = ?").execute(arguments: [now.milliseconds, id])
    }

    static func markAlarmed(_ id: String, at now: Date, in db: Database) throws {
        try db.execute(sql: "UPDATE tags SET alarmed_at = ? WHERE id = ?", arguments: [now.milliseconds, id])
    }

    static func clearAlarm(of id: String, in db: Database) throws {
        try db.execute(sql: "UPDATE tags SET alarmed_at = NULL WHERE id = ?", arguments: [id])
    }

    static func sealingLabel(_ id: String) -> String { "tags/\(id)/keys" }

    /// In the order in which `tag` reads them.
    private static let columns = """
        id, kind, button_id, button_version, label, uid, (SELECT counter FROM tag_counters c WHERE c.chip = tags.chip), created_at,
        last_used_at, alarmed_at, state, replaces, written_at,
        button_version <> (SELECT action_version FROM buttons b WHERE b.id = tags.button_id)
        """

    private static func tag(_ row: Row) -> Tag? {
        guard let kind = TagKind(rawValue: row[1]), let state = Tag.State(rawValue: row[10]) else { return nil }
        return Tag(
            id: row[0], kind: kind, buttonID: row[2], buttonVersion: row[3], isOutdated: row[13], label: row[4], state: state,
            replaces: row[11], uid: row[5], counter: row[6], createdAt: Date(milliseconds: row[7]), writtenAt: date(row[12]),
            lastUsedAt: date(row[8]), alarmedAt: date(row[9]))
    }

    private static func date(_ milliseconds: Int64?) -> Date? { milliseconds.map(Date.init(milliseconds:)) }
}
