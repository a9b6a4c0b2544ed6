import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

/// The nonces that a guest's device key has to sign: issued by the hub, valid for 30 seconds, usable once.
///
/// They live in memory only. A restart invalidates them all, and an unknown nonce is refused. A nonce is spent inside the transaction that
/// reserves the use; transactions run one after the other.
public final class ActionNonces: Sendable {
    /// Seconds. Enough for a phone with a bad connection; a proof held back longer opens nothing.
    public static let lifetime: TimeInterval = 30
    /// The number of nonces for a token per minute, used or not, which limits how many are stored.
    static let perMinute = 30

    private struct Nonce {
        let text: String
        let madeAt: Date
        var isSpent = false
    }

    /// The issued nonces, by the SHA-256 of the token for which they were issued.
    private let issued = Mutex<[Data: [Nonce]]>([:])

    /// - Throws: `GuestAccess.GuestAccessError.throttled` if a token has had too many.
    func make(for token: Data, at now: Date) throws(GuestAccess.GuestAccessError) -> (nonce: String, expiresAt: Date) {
        let nonce = Nonce(text: Base64URL.encode(SecretGenerator.randomBytes(32)), madeAt: now)
        let wait = issued.withLock { known -> TimeInterval? in
            for (token, nonces) in known {
                let remembered = nonces.filter { Self.isRemembered($0, at: now) }
                known[token] = remembered.isEmpty ? nil : remembered
            }
            let given = known[token] ?? []
            if given.count >= Self.perMinute, let first = given.first { return first.madeAt.addingTimeInterval(60).timeIntervalSince(now) }
            known[token] = given + [nonce]
            return nil
        }
        if let wait { throw .throttled(wait) }
        return (nonce.text, now.addingTimeInterval(Self.lifetime))
    }

    /// Uses one up, or says why it cannot be used.
    func spend(_ nonce: String, of token: Data, at now: Date) -> ProofRefusal? {
        issued.withLock { known in
            guard let place = known[token]?.firstIndex(where: { $0.text == nonce && Self.isRemembered($0, at: now) }),
                let found = known[token]?[place]
            else { return .nonceExpired }
            if found.isSpent { return .replay }
            guard now.timeIntervalSince(found.madeAt) < Self.lifetime else { return .nonceExpired }
            known[token]?[place].isSpent = true
            return nil
        }
    }

    /// A clock that was set back invalidates later nonces.
    private static func isRemembered(_ nonce: Nonce, at now: Date) -> Bool {
        (0..<60).contains(now.timeIntervalSince(nonce.madeAt))
    }
}
