import CardeaSecurity
import Dispatch
import Synchronization

/// Hashes passwords one at a time, separate from other work: Argon2 blocks for some 40 ms and takes 19 MiB. Only a few may queue, so that a
/// flood of sign-ins never slows a door.
final class PasswordHasher: Sendable {
    let queue = DispatchQueue(label: "cardea.passwords", qos: .utility)
    private let waiting = Mutex(0)
    private let limit = 8
    /// Places reserved for known accounts, which unknown callers cannot take.
    private let reservedPlaces = 4
    /// The hash that a password for an unknown account is compared with, so that unknown accounts take as long as known ones.
    private let decoyHash: String
    private let cost: PasswordHash.Cost

    /// The number of hashes that wait or are computed.
    var queueLength: Int { waiting.withLock { $0 } }

    init(cost: PasswordHash.Cost) throws {
        self.cost = cost
        decoyHash = try PasswordHash.make(SecretGenerator.token(.claim), cost: cost)
    }

    /// A password that is right.
    struct Match: Sendable {
        /// The password in the form to hash again, because its hash has an older form or another cost; nil if its hash stays.
        let rehash: Secret?
    }

    func hash(_ password: Secret) async throws -> String {
        try await runQueued { [cost] in try PasswordHash.make(password, cost: cost) }
    }

    /// Compares a password in each form in which it may have been hashed. All forms together count as one guess.
    ///
    /// - Parameter encoded: nil for an account that does not exist; the answer is then nil, after the same work.
    /// - Parameter isKnown: whether they have signed in from there before; a flood of strangers then leaves them a place.
    /// - Returns: nil if the password is wrong.
    func verify(_ password: Secret, against encoded: String?, isKnown: Bool = true) async throws -> Match? {
        let forms = OpaqueString.candidates(password)
        return try await runQueued(isKnown: isKnown) { [decoyHash, cost] () -> Match? in
            let place = forms.firstIndex { PasswordHash.verify($0, against: encoded ?? decoyHash) }
            guard let place, let encoded else { return nil }
            return Match(rehash: place == 0 && !PasswordHash.needsRehash(encoded, cost: cost) ? nil : forms[0])
        }
    }

    private func runQueued<Value: Sendable>(isKnown: Bool = true, _ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let admitted = waiting.withLock { waiting in
            guard waiting < (isKnown ? limit + reservedPlaces : limit) else { return false }
            waiting += 1
            return true
        }
        guard admitted else { throw Sessions.SessionError.busy }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
