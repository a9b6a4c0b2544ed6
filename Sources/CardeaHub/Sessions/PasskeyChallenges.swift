import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Challenges for an authenticator to sign: valid for five minutes, and for one answer, right or wrong.
///
/// Nothing is stored until a challenge is answered: it carries a mark that only the house's key makes, so that requesting many displaces no
/// others. The hashes of answered ones are kept for as long as they could be answered again.
enum PasskeyChallenges {
    enum Purpose: String {
        case register, login
    }

    static let lifetime: TimeInterval = 300
    private static let nonceLength = 16

    /// - Returns: a nonce, until when it is good, and the mark of both.
    static func make(_ purpose: Purpose, sessionID: String?, rpID: String, at now: Date, _ db: Database) throws -> Data {
        let end = UInt64(clamping: now.addingTimeInterval(lifetime).milliseconds)
        let signedBytes = SecretGenerator.randomBytes(nonceLength) + withUnsafeBytes(of: end.bigEndian) { Data($0) }
        return signedBytes + (try mark(signedBytes, purpose, sessionID, rpID, db))
    }

    /// Uses the challenge up. Returns false if it is unknown, used, too old, or made for another session or another name.
    static func consume(
        _ challenge: Data, _ purpose: Purpose, sessionID: String?, rpID: String, at now: Date, in db: Database
    ) throws -> Bool {
        let challenge = Data(challenge)
        let signedBytes = challenge.prefix(nonceLength + 8)
        guard signedBytes.count == nonceLength + 8,
            constantTimeEquals(challenge.dropFirst(signedBytes.count), try mark(signedBytes, purpose, sessionID, rpID, db))
        else {
            return false
        }
        let end = signedBytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let end = Int64(exactly: end), end > now.milliseconds else { return false }
        try sweep(at: now, in: db)
        try db.execute(
            sql: """
                INSERT INTO passkey_challenges (hash, purpose, session_id, rp_id, made_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: [
                Data(SHA256.hash(data: challenge)), purpose.rawValue, sessionID, rpID, end - Int64(lifetime * 1000), end,
            ])
        return db.changesCount == 1
    }

    /// Deletes challenges that are too old to be answered.
    static func sweep(at now: Date, in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM passkey_challenges WHERE made_at <= ?", arguments: [now.addingTimeInterval(-lifetime).milliseconds])
    }

    private struct MissingMarkError: Error {}

    private static func mark(_ signedBytes: Data, _ purpose: Purpose, _ sessionID: String?, _ rpID: String, _ db: Database) throws -> Data {
        let text = [Base64URL.encode(Data(signedBytes)), purpose.rawValue, sessionID ?? "", rpID].joined(separator: "\n")
        return try Data.fetchOne(db.cachedStatement(sql: "SELECT marked(?, 'passkey_challenges.challenge')"), arguments: [text])
            .orThrow(MissingMarkError())
    }
}
