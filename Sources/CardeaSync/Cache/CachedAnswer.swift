import Foundation

/// An answer as it is kept.
struct CachedAnswer: Hashable, Sendable {
    /// The answer's JSON.
    let json: Data
    let priority: CachePriority
    let askedAt: Date
    /// When nobody wants to see it any more.
    let expiresAt: Date
    /// The things it lists: where one of them is deleted, it goes.
    var lists: DocumentKind?
}
