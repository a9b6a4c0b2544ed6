import CardeaModel
import Foundation
import GRDB

/// The position up to which the mind has read.
public struct FeedPosition: Hashable, Sendable, Codable {
    /// The last row of the journal that was read.
    public var journal: Int64
    /// The last entry of the audit log that was read. Refusals are recorded there only.
    public var trail: Int64

    public init(journal: Int64 = 0, trail: Int64 = 0) {
        self.journal = journal
        self.trail = trail
    }
}
