import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An error that says no to whoever asked, and by which reason; nil where something else was wrong.
protocol RefusalError: Error {
    var refusalReason: AuditReason? { get }
}
