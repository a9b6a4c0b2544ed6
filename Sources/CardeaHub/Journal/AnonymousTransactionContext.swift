import Foundation
import GRDB

/// A write transaction without a principal: the caller is not signed in, or the work needs no principal.
///
/// `Store.write(from:at:)` makes it. It is valid until the transaction ends.
struct AnonymousTransactionContext {
    let db: Database
    let now: Date
    let origin: RequestOrigin

    /// A transaction of the house itself.
    static func house(_ db: Database, at now: Date) -> AnonymousTransactionContext {
        AnonymousTransactionContext(db: db, now: now, origin: .house)
    }
}
