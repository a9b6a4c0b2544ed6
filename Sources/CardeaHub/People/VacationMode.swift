import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Vacation mode: the household's preferences say that everyone is away for days.
enum VacationMode {
    /// Marks everyone who counted as home as away, for automations and answers. A later report by a person or by their linked source counts
    /// as always.
    static func markEveryoneAway(at now: Date, in db: Database) throws {
        for person in try PeopleRecords.all(db) where person.presence?.isHome == true {
            try PresenceSources.updateLastReport(of: person.id, at: now, in: db)
            try db.execute(sql: "UPDATE people SET is_home = 0, presence_at = ? WHERE id = ?", arguments: [now.milliseconds, person.id])
            try Journal.append(.personChanged, subject: person.id, data: ["is_home": false], at: now, in: db)
        }
    }
}
