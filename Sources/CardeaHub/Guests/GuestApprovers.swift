import CardeaModel
import GRDB

/// The people who approve guests whose passes ask each time, as the owner chose them for the house.
enum GuestApprovers {
    static func chosen(_ db: Database) throws -> ApproverGroup {
        let word = try String.fetchOne(db.cachedStatement(sql: "SELECT asks_answered_by FROM house WHERE id = 1"))
        // A value of a newer hub must not widen the group of approvers.
        return word.flatMap(ApproverGroup.init(rawValue:)) ?? .managers
    }

    /// The person who asks, if the owner has chosen them.
    static func require(_ principal: Principal, in db: Database) throws -> Person {
        let person = try People.require(.controlDevices, of: principal, in: db)
        guard try chosen(db).includes(person) else { throw Commands.ApprovalError.notAnApprover }
        return person
    }
}
