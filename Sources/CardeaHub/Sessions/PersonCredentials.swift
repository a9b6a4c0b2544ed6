import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The credentials of a person beside their password.
enum PersonCredentials {
    /// Deletes the passkeys, recovery codes and tokens of a person who is removed, in the same commit.
    static func deleteAll(of personID: String, at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM passkeys WHERE person_id = ?", arguments: [personID])
        try db.execute(sql: "DELETE FROM recovery_codes WHERE person_id = ?", arguments: [personID])
        try db.execute(
            sql: "UPDATE api_tokens SET revoked_at = ? WHERE person_id = ? AND revoked_at IS NULL", arguments: [now.milliseconds, personID])
        try db.execute(sql: "UPDATE people SET passkey_handle = NULL WHERE id = ?", arguments: [personID])
    }
}
