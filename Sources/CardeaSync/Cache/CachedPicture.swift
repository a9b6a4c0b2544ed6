import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A picture as it is kept.
struct CachedPicture: Hashable, Sendable {
    let jpeg: Data
    /// What the house calls it, where it has a name for it.
    let tag: String?
    /// When the house last said that it is this one.
    let askedAt: Date
}
