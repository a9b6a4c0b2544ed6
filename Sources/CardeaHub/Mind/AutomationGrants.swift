import CardeaModel
import CardeaStore
import GRDB

/// What an automation may do: what whoever answers for it may, as long as it is theirs and is on.
enum AutomationGrants {
    /// Read anew each time, so that one that was switched off a moment ago moves nothing, and whoever lost a right has lost it here too.
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
