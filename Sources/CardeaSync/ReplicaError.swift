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
        case .unreadable(let path, let reason): "What is kept of the house in \(path) cannot be used: \(reason)."
        case .sealedByAnotherKey(let path):
            "\(path) was sealed by another key than the one kept here. Bring that key back, or take the file away: the house is then read anew."
        case .closed: "What is kept of the house was closed."
        }
    }
}
