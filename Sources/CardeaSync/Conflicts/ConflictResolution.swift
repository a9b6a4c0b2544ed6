import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The resolution of a conflict.
public enum ConflictResolution: Sendable {
    /// The version made here.
    case useLocal
    /// The version made elsewhere.
    case useRemote
    /// A version merged from both.
    case merge(OutboxOperation.Edit.Change)
}
