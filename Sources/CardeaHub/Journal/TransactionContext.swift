import Foundation
import GRDB

/// A write transaction of a signed-in caller: the database, the time of the request, its origin and its principal.
///
/// `Store.auditedWrite` makes it. It is valid until the transaction ends.
struct TransactionContext {
    let db: Database
    let now: Date
    let origin: RequestOrigin
    let principal: Principal

    /// The same transaction without its principal.
    var anonymous: AnonymousTransactionContext { AnonymousTransactionContext(db: db, now: now, origin: origin) }
}
