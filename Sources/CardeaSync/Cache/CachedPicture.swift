import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A stored picture.
struct CachedPicture: Hashable, Sendable {
    let jpeg: Data
    /// The house's entity tag for the picture; nil if it has none.
    let tag: String?
    /// The time when the house last confirmed this picture.
    let askedAt: Date
}
