import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// An idempotency key: a write repeated with the same key returns the stored answer and is not done again.
public struct IdempotencyKey: Hashable, Sendable {
    public let key: String
    /// SHA-256 of method, route and body: the same key must mean the same request.
    public let fingerprint: Data

    public init(key: String, method: String, path: String, body: Data) {
        self.key = key
        var hash = SHA256()
        for part in [Data(method.utf8), Data(path.utf8), body] {
            hash.update(data: withUnsafeBytes(of: UInt64(part.count).bigEndian) { Data($0) })
            hash.update(data: part)
        }
        fingerprint = Data(hash.finalize())
    }
}
