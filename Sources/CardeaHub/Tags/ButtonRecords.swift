import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Buttons as rows.
enum ButtonRecords {
    static func all(_ db: Database) throws -> [Button] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM buttons ORDER BY number").compactMap(button)
    }

    static func one(_ id: String, _ db: Database) throws -> Button? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM buttons WHERE id = ?"), arguments: [id]).flatMap(button)
    }

    static func numbered(_ number: Int, _ db: Database) throws -> Button? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM buttons WHERE number = ?"), arguments: [number]).flatMap(button)
    }

    static func count(_ db: Database) throws -> Int {
        try SQLRequest<Row>(sql: "SELECT id FROM buttons").fetchCount(db)
    }

    /// The number of a new button; nil once all have been given.
    static func nextNumber(_ db: Database) throws -> Int? {
        guard let number = try Int.fetchOne(db, sql: "SELECT next_number FROM tag_settings"), Button.indices.contains(number) else {
            return nil
        }
        try db.execute(sql: "UPDATE tag_settings SET next_number = next_number + 1")
        return number
    }

    static func insert(_ button: Button, secret: ButtonSecret, by sealing: SealingKey, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO buttons (id, number, title, device_id, entity_id, verb, value, transition, is_enabled, answers_tags, countdown,
                    secret, version, action_version, created_at, changed_at, publication)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                button.id, button.index, button.title, button.action.deviceID, button.action.entityID, button.action.verb.rawValue,
                try button.action.value.map(JSONText.encode), button.action.transition, button.isEnabled, button.answersTags,
                button.countdown, try sealed(secret, of: button.id, by: sealing), button.version, button.actionVersion,
                button.createdAt.milliseconds, button.changedAt.milliseconds, try button.publication.map(encode),
            ])
    }

    static func update(_ button: Button, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE buttons SET title = ?, device_id = ?, entity_id = ?, verb = ?, value = ?, transition = ?, is_enabled = ?,
                    answers_tags = ?, countdown = ?, version = ?, action_version = ?, changed_at = ?, publication = ?,
                    publication_keys = CASE WHEN ?13 IS NULL THEN NULL ELSE publication_keys END WHERE id = ?
                """,
            arguments: [
                button.title, button.action.deviceID, button.action.entityID, button.action.verb.rawValue,
                try button.action.value.map(JSONText.encode), button.action.transition, button.isEnabled, button.answersTags,
                button.countdown, button.version, button.actionVersion, button.changedAt.milliseconds, try button.publication.map(encode),
                button.id,
            ])
    }

    /// Returns the secret that signs the button's live links.
    static func secret(of id: String, by sealing: SealingKey, _ db: Database) throws -> ButtonSecret? {
        try Data.fetchOne(db.cachedStatement(sql: "SELECT secret FROM buttons WHERE id = ?"), arguments: [id]).flatMap { sealed in
            ButtonSecret(hex: Secret(String(decoding: try sealing.open(sealed, for: secretSealingLabel(id)), as: UTF8.self)))
        }
    }

    /// Every link that was signed with the last one is worth nothing from now on.
    static func updateSecret(_ secret: ButtonSecret, of id: String, by sealing: SealingKey, in db: Database) throws {
        try db.execute(sql: "UPDATE buttons SET secret = ? WHERE id = ?", arguments: [try sealed(secret, of: id, by: sealing), id])
        try db.execute(sql: "DELETE FROM live_links WHERE button_id = ? AND used_at IS NULL", arguments: [id])
    }

    private static func sealed(_ secret: ButtonSecret, of id: String, by sealing: SealingKey) throws -> Data {
        try sealing.seal(Data(secret.hex.reveal().utf8), for: secretSealingLabel(id))
    }

    // MARK: Publications

    /// The keys by which a device trusts a button's messages; each only if there is one.
    struct Keys: Sendable {
        var timestamp: TagKey?
        var signing: ButtonSecret?
    }

    static func keys(of id: String, by sealing: SealingKey, _ db: Database) throws -> Keys {
        guard
            let sealed = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT publication_keys FROM buttons WHERE id = ?"), arguments: [id])
        else { return Keys() }
        let stored = try JSONDecoder().decode(StoredKeys.self, from: try sealing.open(sealed, for: publicationKeysSealingLabel(id)))
        return Keys(
            timestamp: stored.timestamp.flatMap { try? TagKey(hex: Secret($0)) },
            signing: stored.signing.flatMap { ButtonSecret(hex: Secret($0)) })
    }

    static func saveKeys(_ keys: Keys, of id: String, by sealing: SealingKey, in db: Database) throws {
        let stored = StoredKeys(timestamp: keys.timestamp?.hex.reveal(), signing: keys.signing?.hex.reveal())
        try db.execute(
            sql: "UPDATE buttons SET publication_keys = ? WHERE id = ?",
            arguments: [try sealing.seal(try JSONEncoder().encode(stored), for: publicationKeysSealingLabel(id)), id])
    }

    private struct StoredKeys: Codable {
        var timestamp: String?
        var signing: String?
    }

    private static func publicationKeysSealingLabel(_ id: String) -> String { "buttons/\(id)/publication_keys" }

    private static func encode(_ publication: ButtonPublication) throws -> String {
        String(decoding: try JSONEncoder().encode(publication), as: UTF8.self)
    }

    private static func publication(_ text: String) throws -> ButtonPublication {
        try JSONDecoder().decode(ButtonPublication.self, from: Data(text.utf8))
    }

    private static func secretSealingLabel(_ id: String) -> String { "buttons/\(id)/secret" }

    /// In the order in which `button` reads them.
    private static let columns = """
        id, number, title, device_id, entity_id, verb, value, transition, is_enabled, answers_tags, countdown, version, action_version,
        created_at, changed_at, publication
        """

    private static func button(_ row: Row) throws -> Button? {
        guard let verb = Verb(rawValue: row[5]) else { return nil }
        return Button(
            id: row[0], index: row[1], title: row[2],
            action: DeviceAction(
                deviceID: row[3], entityID: row[4], verb: verb, value: try (row[6] as String?).map(JSONText.decode), transition: row[7]),
            publication: try (row[15] as String?).map(publication), isEnabled: row[8], answersTags: row[9], countdown: row[10],
            version: row[11], actionVersion: row[12],
            createdAt: Date(milliseconds: row[13]), changedAt: Date(milliseconds: row[14]))
    }
}
