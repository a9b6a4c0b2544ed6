import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import JWTKit
import Synchronization

/// Signs and reads access tokens: JWT, ES256 alone, with the key's id. The keys are kept sealed.
final class AccessTokens: Sendable {
    struct Claims: JWTPayload {
        let iss: IssuerClaim
        let sub: SubjectClaim
        let sid: String
        /// The audience: a phone's token names it, and a person's does not (RFC 8725, section 3.9).
        var aud: String?
        /// The phone that holds it, by the hub's name for it.
        var device: String?
        let iat: IssuedAtClaim
        let exp: ExpirationClaim

        var personID: String { sub.value }
        /// The phone that the token belongs to; nil for other tokens.
        var phoneID: String? { aud == AccessTokens.phoneAudience ? device : nil }

        /// The expiry is judged by the house's clock, in `read`.
        func verify(using _: some JWTAlgorithm) throws {}
    }

    enum AccessTokenError: Error {
        case invalid, expired
    }

    /// Returns whether the key opens the sealed values of this house; true if the house has none yet.
    static func canOpen(_ store: Store, with sealing: SealingKey) async throws -> Bool {
        try await store.read { try Self.canOpen($0, with: sealing) }
    }

    static func canOpen(_ db: Database, with sealing: SealingKey) throws -> Bool {
        let row = try Row.fetchOne(db, sql: "SELECT kid, sealed FROM signing_keys LIMIT 1")
        guard let row else { return true }
        let (kid, bytes) = (row["kid"] as String, row["sealed"] as Data)
        return (try? sealing.open(bytes, for: "signing_keys/\(kid)/sealed")) != nil
    }

    /// Retires all signing keys; the next start makes another one. A retired key signs and verifies nothing; until then its row shows which
    /// key opens the house.
    static func retireAll(at now: Date, in db: Database) throws {
        try db.execute(sql: "UPDATE signing_keys SET retired_at = ? WHERE retired_at IS NULL", arguments: [now.milliseconds])
    }

    /// The audience of phones' tokens.
    static let phoneAudience = "cardea:phone"

    /// Seconds an access token is good for.
    static let lifetime: TimeInterval = 3600

    /// The maximum number of checked tokens that are stored.
    private let cacheLimit: Int
    private let keys: JWTKeyCollection
    private let kid: JWKIdentifier
    private let issuer: String
    /// Tokens whose signature has been verified, by their digest: a valid signature stays valid.
    private let verifiedClaims = Mutex<[Data: Claims]>([:])

    init(store: Store, sealing: SealingKey, issuer: String, environment: HubEnvironment, remembered: Int = 4096) async throws {
        self.issuer = issuer
        self.cacheLimit = remembered
        let now = environment.now()
        let fresh = (kid: environment.newID(), pem: ES256PrivateKey().pemRepresentation)
        let rows = try await store.write { db in
            if try Int.fetchOne(db, sql: "SELECT count(*) FROM signing_keys WHERE retired_at IS NULL") == 0 {
                let sealed = try sealing.seal(Data(fresh.pem.utf8), for: "signing_keys/\(fresh.kid)/sealed")
                try db.execute(
                    sql: "INSERT INTO signing_keys (kid, sealed, created_at) VALUES (?, ?, ?)",
                    arguments: [fresh.kid, sealed, now.milliseconds])
                try AuditLog.append(.init(who: .house, action: "key.make", result: .done), in: .house(db, at: now))
            }
            // Tokens signed by a retired key are invalid: a person who had it could sign for everyone. Signed-in clients ask for another
            // token.
            try db.execute(sql: "DELETE FROM signing_keys WHERE retired_at IS NOT NULL")
            return try Row.fetchAll(db, sql: "SELECT kid, sealed FROM signing_keys ORDER BY created_at DESC")
                .map { (kid: $0["kid"] as String, sealed: $0["sealed"] as Data) }
        }
        let keys = JWTKeyCollection()
        var newest = fresh.kid
        for row in rows.reversed() {
            let pem: Data
            do { pem = try sealing.open(row.sealed, for: "signing_keys/\(row.kid)/sealed") } catch {
                throw HouseKeyError.doesNotOpen(table: "signing_keys")
            }
            await keys.add(ecdsa: try ES256PrivateKey(pem: String(decoding: pem, as: UTF8.self)), kid: JWKIdentifier(string: row.kid))
            newest = row.kid
        }
        self.keys = keys
        kid = JWKIdentifier(string: newest)
    }

    func make(personID: String, sessionID: String, phoneID: String? = nil, at now: Date) async throws -> Secret {
        let claims = Claims(
            iss: IssuerClaim(value: issuer), sub: SubjectClaim(value: personID), sid: sessionID,
            aud: phoneID.map { _ in Self.phoneAudience },
            device: phoneID, iat: IssuedAtClaim(value: now),
            exp: ExpirationClaim(value: now.addingTimeInterval(Self.lifetime)))
        return Secret(try await keys.sign(claims, kid: kid))
    }

    func verify(_ token: Secret, at now: Date) async throws -> Claims {
        let claims = try await decode(token)
        guard claims.iss.value == issuer, claims.iat.value <= now.addingTimeInterval(60),
            claims.aud == (claims.device == nil ? nil : Self.phoneAudience)
        else { throw AccessTokenError.invalid }
        guard now < claims.exp.value else { throw AccessTokenError.expired }
        return claims
    }

    private func decode(_ token: Secret) async throws -> Claims {
        let digest = token.digest
        if let known = verifiedClaims.withLock({ $0[digest] }) { return known }
        guard token.reveal().utf8.count <= 2048, Self.isES256(token.reveal()) else { throw AccessTokenError.invalid }
        let claims: Claims
        do { claims = try await keys.verify(token.reveal(), as: Claims.self) } catch { throw AccessTokenError.invalid }
        verifiedClaims.withLock { read in
            if read.count >= cacheLimit { read.removeAll(keepingCapacity: true) }
            read[digest] = claims
        }
        return claims
    }

    /// One algorithm, one type, a named key: what RFC 8725 requires before a signature is checked.
    private static func isES256(_ token: String) -> Bool {
        struct Header: Decodable {
            let alg: String
            let typ: String?
            let kid: String
        }
        let first = token.prefix { $0 != "." }
        var base64 = first.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while base64.count % 4 != 0 { base64.append("=") }
        guard let data = Data(base64Encoded: base64), let header = try? JSONDecoder().decode(Header.self, from: data) else { return false }
        return header.alg == "ES256" && (header.typ == nil || header.typ == "JWT")
    }
}
