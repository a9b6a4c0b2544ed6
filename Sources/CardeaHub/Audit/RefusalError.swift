import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An error that refuses a request. `refusalReason` is nil if the request failed for another reason.
protocol RefusalError: Error {
    var refusalReason: AuditReason? { get }
}
