import Foundation

/// A cached answer.
struct CachedAnswer: Hashable, Sendable {
    /// The answer's JSON.
    let json: Data
    let priority: CachePriority
    let askedAt: Date
    /// The time after which it is deleted.
    let expiresAt: Date
    /// The kind of things that it lists; it is deleted when one of them is.
    var lists: ReplicaDocumentKind?
}
