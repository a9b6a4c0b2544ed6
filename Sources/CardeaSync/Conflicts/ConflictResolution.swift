import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// How a conflict ends.
public enum ConflictResolution: Sendable {
    /// As it was wished here.
    case useLocal
    /// As somebody else left it.
    case useRemote
    /// As somebody made of both.
    case merge(OutboxOperation.Edit.Change)
}
