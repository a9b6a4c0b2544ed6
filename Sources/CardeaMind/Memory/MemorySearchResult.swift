import CardeaModel
import CardeaStore
import Foundation
import Synchronization

/// The result of a search.
public struct MemorySearchResult: Sendable {
    /// The most relevant first.
    public let memories: [VisibleMemory]
    /// The number of all matches, counted up to 200.
    public let total: Int
    /// The number of events that were read to find them.
    public let readCount: Int
    /// The moment before which events were searched by names only; nil if all were searched in full.
    public let since: Date?
}
