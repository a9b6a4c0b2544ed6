import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The audit log's keys do not open with the house's key.
public struct AuditKeyError: Error, CustomStringConvertible {
    public var description: String {
        "The house's key, hub.key, does not open the keys of the audit log. Put back the hub.key that belongs to this house.sqlite."
    }
}
