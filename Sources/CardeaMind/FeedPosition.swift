import CardeaModel
import Foundation
import GRDB

/// How far the mind has read.
public struct FeedPosition: Hashable, Sendable, Codable {
    /// The last row of the journal.
    public var journal: Int64
    /// The last entry of the audit trail, which alone holds what was refused.
    public var trail: Int64

    public init(journal: Int64 = 0, trail: Int64 = 0) {
        self.journal = journal
        self.trail = trail
    }
}
