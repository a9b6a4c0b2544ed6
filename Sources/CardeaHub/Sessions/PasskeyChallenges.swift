import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// What the house asked an authenticator to sign: kept as a hash, good for five minutes, and for one answer, right or wrong. Of the address that
/// asked there is a mark.
enum PasskeyChallenges {
    enum Purpose: String {
        case register, login
    }

    static let lasts: TimeInterval = 300
    /// Strangers may ask too, so an address has so many at a time, and so has the house; the oldest goes.
    static let perAddress = 32
    static let total = 4096

    static func make(
        _ purpose: Purpose, sessionID: String?, rpID: String, origin: Origin, at now: Date, in db: Database
    ) throws -> Data {
        try sweep(at: now, in: db)
        try db.execute(
            sql: """
                DELETE FROM passkey_challenges WHERE hash IN
                    (SELECT hash FROM passkey_challenges WHERE remote_mark IS marked(?, 'passkey_challenges.remote')
                        ORDER BY made_at DESC LIMIT -1 OFFSET ?)
                """, arguments: [origin.remote, perAddress - 1])
        try db.execute(
            sql:
                "DELETE FROM passkey_challenges WHERE hash IN (SELECT hash FROM passkey_challenges ORDER BY made_at DESC LIMIT -1 OFFSET ?)",
            arguments: [total - 1])
        let challenge = Minting.randomBytes(32)
        try db.execute(
            sql: """
                INSERT INTO passkey_challenges (hash, purpose, session_id, rp_id, remote_mark, made_at, expires_at)
                VALUES (?, ?, ?, ?, marked(?, 'passkey_challenges.remote'), ?, ?)
                """,
            arguments: [
                digest(challenge), purpose.rawValue, sessionID, rpID, origin.remote, now.milliseconds,
                now.addingTimeInterval(lasts).milliseconds,
            ])
        return challenge
    }

    /// Uses the challenge up. False when it is none of ours, was used, is too old, or was made for another session or another name.
    static func take(
        _ challenge: Data, _ purpose: Purpose, sessionID: String?, rpID: String, at now: Date, in db: Database
    ) throws -> Bool {
        let row = try Row.fetchOne(
            db, sql: "DELETE FROM passkey_challenges WHERE hash = ? RETURNING purpose, session_id, rp_id, expires_at",
            arguments: [digest(challenge)])
        guard let row else { return false }
        return row["purpose"] == purpose.rawValue && row["session_id"] == sessionID && row["rp_id"] == rpID
            && row["expires_at"] > now.milliseconds
    }

    /// What is too old to be answered is gone.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(sql: "DELETE FROM passkey_challenges WHERE made_at <= ?", arguments: [now.addingTimeInterval(-lasts).milliseconds])
    }

    private static func digest(_ challenge: Data) -> Data { Data(SHA256.hash(data: challenge)) }
}
