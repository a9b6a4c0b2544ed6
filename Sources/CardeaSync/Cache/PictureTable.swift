import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The subject of a picture.
struct PictureKey: Hashable, Sendable {
    let name: String

    static func thumbnail(of eventID: String) -> PictureKey { PictureKey(name: "thumbnail/\(eventID)") }
}

/// The pictures in the file. If there are too many, the least recently used are deleted.
///
/// Memory holds none of them: the client has the last few beside the line, and an app those that it draws.
struct PictureTable: Sendable {
    /// Seconds for which a picture is kept if it is not requested again.
    static let maximumAge: TimeInterval = 30 * 86_400

    let sealing: SealingKey

    /// A keyed hash of the picture's subject.
    func key(_ subject: PictureKey) -> Data { sealing.mark(Data("pictures/\(subject.name)".utf8)) }

    func find(_ mark: Data, in db: Database) throws -> CachedPicture? {
        let sql = "SELECT sealed, asked_at FROM pictures WHERE mark = ?"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [mark]) else { return nil }
        let plain = try sealing.open(row[0], for: sealingContext(mark))
        let length = plain.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let rest = plain.dropFirst(2)
        let tag = String(decoding: rest.prefix(length), as: UTF8.self)
        return CachedPicture(
            jpeg: Data(rest.dropFirst(length)), tag: tag.isEmpty ? nil : tag, askedAt: Date(milliseconds: row[1]))
    }

    /// Stores a picture as the most recently used. Pictures that were not requested for long, and those beyond `most` bytes, are deleted.
    func store(_ picture: CachedPicture, as mark: Data, most: Int, now: Date, in db: Database) throws {
        // The tag before the picture, with its length. It names the event, so it is sealed as well.
        let tag = Data((picture.tag ?? "").utf8)
        let fits = tag.count <= Int(UInt16.max)
        var plain = withUnsafeBytes(of: UInt16(fits ? tag.count : 0).bigEndian) { Data($0) }
        if fits { plain.append(tag) }
        plain.append(picture.jpeg)
        try db.cachedStatement(
            sql: """
                INSERT INTO pictures (mark, asked_at, last_use, sealed)
                VALUES (?, ?, (SELECT coalesce(max(last_use), 0) + 1 FROM pictures), ?)
                ON CONFLICT (mark) DO UPDATE SET
                    asked_at = excluded.asked_at, last_use = excluded.last_use, sealed = excluded.sealed
                """
        ).execute(arguments: [mark, picture.askedAt.milliseconds, try sealing.seal(plain, for: sealingContext(mark))])
        try db.cachedStatement(sql: "DELETE FROM pictures WHERE asked_at < ?").execute(
            arguments: [now.addingTimeInterval(-Self.maximumAge).milliseconds])
        try db.cachedStatement(
            sql: """
                DELETE FROM pictures WHERE mark IN (
                    SELECT mark FROM (
                        SELECT mark, sum(length(sealed)) OVER (ORDER BY last_use DESC) AS total FROM pictures
                    ) WHERE total > ?)
                """
        ).execute(arguments: [most])
    }

    /// Marks a picture as used.
    ///
    /// - Parameter askedAt: the time when the house confirmed it; nil if the house was not asked.
    func touch(_ mark: Data, askedAt: Date? = nil, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE pictures SET asked_at = coalesce(?, asked_at), last_use = (SELECT max(last_use) + 1 FROM pictures) WHERE mark = ?
                """
        ).execute(arguments: [askedAt?.milliseconds, mark])
    }

    func remove(_ mark: Data, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM pictures WHERE mark = ?").execute(arguments: [mark])
    }

    private func sealingContext(_ mark: Data) -> String { "pictures/\(mark.base64EncodedString())" }
}
