import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Whoever is told of the house as it happens.
public protocol JournalSubscriber: AnyObject, Sendable {
    /// Up to which row they were told; nil while nobody listens, so that nothing is read for nobody.
    var position: Int64? { get }
    /// The events after `position`, oldest first, each once. Refused where that is no longer the follower's position: the last one left
    /// meanwhile, and another came who stands elsewhere.
    /// - Parameter through: up to which row they were looked for: rows that tell nobody anything count too.
    func receive(_ events: [JournalEvent], after position: Int64, through: Int64)
}
