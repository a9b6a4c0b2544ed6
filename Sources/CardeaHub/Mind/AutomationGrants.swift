import CardeaModel
import CardeaStore
import GRDB

/// The grants of automations: the rights of the person responsible, as long as the automation is theirs and is on.
enum AutomationGrants {
    /// Read from the database each time, so that an automation that was just switched off moves nothing, and a lost right is lost here too.
    static func grant(of id: String, _ personID: String, _ db: Database) throws -> Grant? {
        try PeopleRecords.one(personID, db).flatMap { try grant(of: id, as: $0, db) }
    }

    /// - Parameter person: who answers for it, as they are or were.
    static func grant(of id: String, as person: Person, _ db: Database) throws -> Grant? {
        if let room = MotionLights.room(of: id) { return try MotionLights.grant(room, as: person, db) }
        let isOn = try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT is_on FROM automations WHERE id = ? AND owner = ?"), arguments: [id, person.id])
        return isOn == true ? Grant(id: "automation:\(id)", scope: person.grant.scope) : nil
    }
}
