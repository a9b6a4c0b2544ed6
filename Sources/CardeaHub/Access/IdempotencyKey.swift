import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// A write that was named by its caller: asked again with the same name, it is answered again and not done again.
public struct IdempotencyKey: Hashable, Sendable {
    public let key: String
    /// SHA-256 of method, route and body: the same name must mean the same thing.
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
