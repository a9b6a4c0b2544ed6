import CardeaModel
import Foundation
import GRDB

/// The notification preferences of people, as rows.
enum NoticePreferenceRecords {
    /// Returns the preferences of a person, or the defaults.
    static func one(of personID: String, _ db: Database) throws -> NoticePreferences {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT *, opened(muted, 'notice_preferences.muted', person_id) AS places FROM notice_preferences WHERE person_id = ?
                    """), arguments: [personID])
        guard let row else { return NoticePreferences() }
        var preferences = NoticePreferences()
        preferences.isOn = row["is_on"]
        preferences.kinds = Set(split(row["kinds"], " ").compactMap(NoticeKind.init))
        preferences.mutedPlaces = Set(split(row["places"], Self.placeSeparator))
        if let from = (row["quiet_from"] as Int?).flatMap(TimeOfDay.init(minutes:)),
            let to = (row["quiet_to"] as Int?).flatMap(TimeOfDay.init(minutes:)),
            let zone = (row["quiet_zone"] as String?).flatMap(TimeZone.init(identifier:))
        {
            preferences.quietHours = PersonalQuietHours(
                hours: QuietHours(from: from, to: to), zone: zone, letsCriticalThrough: row["lets_critical_through"])
        }
        preferences.cooldown = row["cooldown"]
        if let after = row["escalates_after"] as Int?, let personID = row["escalates_to"] as String? {
            preferences.escalation = Escalation(after: after, personID: personID)
        }
        preferences.version = row["version"]
        return preferences
    }

    static func save(_ preferences: NoticePreferences, of personID: String, in db: Database) throws {
        let quiet = preferences.quietHours
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO notice_preferences (person_id, is_on, kinds, muted, quiet_from, quiet_to, quiet_zone,
                    lets_critical_through, cooldown, escalates_after, escalates_to, version)
                VALUES (?1, ?, ?, sealed(?, 'notice_preferences.muted', ?1), ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                personID, preferences.isOn, preferences.kinds.map(\.rawValue).sorted().joined(separator: " "),
                preferences.mutedPlaces.sorted().joined(separator: String(Self.placeSeparator)), quiet?.hours.from.minutes,
                quiet?.hours.to.minutes,
                quiet?.zone.identifier,
                quiet?.letsCriticalThrough ?? true, preferences.cooldown, preferences.escalation?.after, preferences.escalation?.personID,
                preferences.version,
            ])
    }

    /// Separates places. The name of a source may have blanks, but no control characters.
    private static let placeSeparator: Character = "\n"

    private static func split(_ text: String, _ separator: Character) -> [String] { text.split(separator: separator).map(String.init) }
}
