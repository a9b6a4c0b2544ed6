import CardeaModel
import GRDB

/// The people who answer guests whose passes ask each time, as the owner chose them for the house.
enum GuestApprovers {
    static func chosen(_ db: Database) throws -> ApproverGroup {
        let word = try String.fetchOne(db.cachedStatement(sql: "SELECT asks_answered_by FROM house WHERE id = 1"))
        // A word of a newer hub lets in nobody whom this one does not know of.
        return word.flatMap(ApproverGroup.init(rawValue:)) ?? .managers
    }

    /// The person who asks, where the owner has chosen them.
    static func require(_ principal: Principal, in db: Database) throws -> Person {
        let person = try People.require(.controlDevices, of: principal, in: db)
        guard try chosen(db).includes(person) else { throw Commands.ApprovalError.notAnApprover }
        return person
    }
}
