import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Receives the events of the journal as they are committed.
public protocol JournalSubscriber: AnyObject, Sendable {
    /// The last row that was delivered; nil while nothing is subscribed, so that nothing is read.
    var position: Int64? { get }
    /// Receives the events after `position`, oldest first, each once. Ignores them if that is not the subscriber's position any more: the
    /// last listener left meanwhile, and another came with another position.
    /// - Parameter through: the last row that was read; rows without an event count too.
    func receive(_ events: [JournalEvent], after position: Int64, through: Int64)
}
