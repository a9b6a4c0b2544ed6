import CardeaModel
import CardeaSecurity
import Foundation
import GRDB
import Synchronization

/// The reason why the replica cannot be used, and what to do about it.
public enum ReplicaError: Error, Hashable, Sendable, LocalizedError {
    case unreadable(path: String, reason: String)
    case sealedByAnotherKey(path: String)
    /// The replica was closed.
    case closed

    public var errorDescription: String? {
        switch self {
        case .unreadable(let path, let reason): "The local copy of the house in \(path) cannot be used: \(reason)."
        case .sealedByAnotherKey(let path):
            "\(path) is encrypted with a different key than the one stored here. Restore that key, or delete the file to sync again."
        case .closed: "The local copy of the house is closed."
        }
    }
}
