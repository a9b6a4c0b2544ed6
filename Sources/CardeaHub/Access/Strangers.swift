import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// People whom the house does not know, and what they tried.
enum Strangers {
    /// Puts on record that somebody unknown was refused. One who goes on from the same address is put on record ever more seldom, and so are all
    /// together: nobody fills the disk of a house by knocking.
    static func refused(_ action: String, reason: AuditReason, origin: Origin, at now: Date, in db: Database) throws {
        // All whose address nobody knows are one.
        let subjects: [(Throttles.Scope, String)] = [(.stranger, origin.network ?? ""), (.strangers, "house")]
        guard try Throttles.wait(subjects, at: now, in: db) == nil else { return }
        for (scope, subject) in subjects { try Throttles.fail(scope, subject, at: now, in: db) }
        try AuditTrail.append(.init(who: .stranger, action: action, result: .refused, reason: reason), origin: origin, at: now, in: db)
    }
}
