import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Nobody is at home for days, as the household says in its preferences.
enum VacationMode {
    /// Everybody who counted as home has left, for automations and answers alike. A word of theirs or of what they linked that comes later
    /// counts as always: somebody is back.
    static func markEveryoneAway(at now: Date, in db: Database) throws {
        for person in try PeopleRecords.all(db) where person.presence?.isHome == true {
            try PresenceSources.updateLastReport(of: person.id, at: now, in: db)
            try db.execute(sql: "UPDATE people SET is_home = 0, presence_at = ? WHERE id = ?", arguments: [now.milliseconds, person.id])
            try Journal.append(.personChanged, subject: person.id, data: ["is_home": false], at: now, in: db)
        }
    }
}
