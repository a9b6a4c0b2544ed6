import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Signed links that can be used once, as rows of `live_links`.
enum SingleUseLinkRecords {
    /// Stores a link that was made here.
    ///
    /// - Returns: whether it is new. Two of one button in one second are the same link.
    static func insert(_ digest: Data, for button: Button, by person: String, until end: Date, in db: Database) throws -> Bool {
        try db.execute(
            sql: "INSERT OR IGNORE INTO live_links (digest, button_id, made_by, button_version, expires_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [digest, button.id, person, button.actionVersion, end.milliseconds])
        return db.changesCount > 0
    }

    enum Use {
        /// The first use; with the grant it was made under, if it was made here.
        case first(madeBy: String?, buttonVersion: Int?)
        case again
    }

    /// Returns what a use of the link would find, without using it.
    static func peek(_ digest: Data, _ db: Database) throws -> Use {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT used_at IS NOT NULL, made_by, button_version FROM live_links WHERE digest = ?"),
            arguments: [digest])
        guard let row else { return .first(madeBy: nil, buttonVersion: nil) }
        return row[0] ? .again : .first(madeBy: row[1], buttonVersion: row[2])
    }

    static func consume(_ digest: Data, for buttonID: String, at now: Date, until end: Date, in db: Database) throws -> Use {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO live_links (digest, button_id, expires_at, used_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at WHERE used_at IS NULL
                    RETURNING made_by, button_version
                    """), arguments: [digest, buttonID, end.milliseconds, now.milliseconds])
        return row.map { .first(madeBy: $0[0], buttonVersion: $0[1]) } ?? .again
    }

    /// Deletes links that would be refused for their age. Two tolerances, so that a clock set back finds every used link.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM live_links WHERE expires_at < ?",
            arguments: [now.addingTimeInterval(-2 * Double(SignedActionLink.clockTolerance)).milliseconds])
    }
}
