import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// People whom the house does not know, and what they tried.
enum Strangers {
    /// Puts on record that somebody unknown was refused. One who goes on from the same address is put on record ever more seldom: nobody
    /// fills the disk of a house by knocking.
    static func refused(_ action: String, reason: AuditReason, origin: Origin, at now: Date, in db: Database) throws {
        if let remote = origin.remote {
            guard try Throttles.wait([(.stranger, remote)], at: now, in: db) == nil else { return }
            try Throttles.fail(.stranger, remote, at: now, in: db)
        }
        try AuditTrail.append(.init(who: .stranger, action: action, result: .refused, reason: reason), origin: origin, at: now, in: db)
    }
}
