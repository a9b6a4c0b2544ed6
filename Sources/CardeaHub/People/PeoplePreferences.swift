import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The display preferences of each person. Only the person reads and changes them.
public struct PeoplePreferences: Sendable {
    let store: Store
    let environment: HubEnvironment

    public enum PreferenceError: Error {
        case field(FieldError)
        /// The display preferences for the rooms are too large.
        case displayTooLarge
        /// Changed meanwhile, from another device.
        case stale(Preferences)
    }

    public func preferences(of principal: Principal) async throws -> Preferences {
        try await store.read { db in try Self.read(try Self.person(principal, db), db) }
    }

    public func change(_ preferences: Preferences, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws
        -> Preferences
    {
        do { try preferences.check() } catch { throw PreferenceError.field(error) }
        let display = try JSONText.encode(.object(preferences.displayByRoom))
        guard display.utf8.count <= 16 * 1024 else { throw PreferenceError.displayTooLarge }
        let now = environment.now()
        return try await store.auditedWrite("people.preferences", by: principal, origin: origin, at: now) { context in
            let id = try Self.person(principal, context.db)
            let before = try Self.read(id, context.db)
            guard seen.allows(before.version) else { throw PreferenceError.stale(before) }
            var preferences = preferences
            preferences.version = before.version + 1
            try context.db.execute(
                sql: """
                    INSERT OR REPLACE INTO preferences
                        (person_id, temperature_unit, energy_cost_rate, water_cost_rate, display, version)
                    VALUES (?1, ?, ?, ?, sealed(?, 'preferences.display', ?1), ?)
                    """,
                arguments: [
                    id, preferences.temperatureUnit.rawValue, preferences.energyCostRate, preferences.waterCostRate, display,
                    preferences.version,
                ])
            try Journal.append(.personChanged, subject: id, data: ["preferences": true], at: now, in: context.db)
            return preferences
        }
    }

    static func read(_ id: String, _ db: Database) throws -> Preferences {
        var preferences = Preferences()
        let row = try Row.fetchOne(
            db, sql: "SELECT *, opened(display, 'preferences.display', person_id) AS shown FROM preferences WHERE person_id = ?",
            arguments: [id])
        guard let row else { return preferences }
        preferences.temperatureUnit = TemperatureUnit(rawValue: row["temperature_unit"]) ?? .celsius
        preferences.energyCostRate = row["energy_cost_rate"]
        preferences.waterCostRate = row["water_cost_rate"]
        preferences.displayByRoom = try JSONText.object(row["shown"])
        preferences.version = row["version"]
        return preferences
    }

    private static func person(_ principal: Principal, _ db: Database) throws -> String {
        guard case .person(let id, _) = principal, try PeopleRecords.one(id, db) != nil else {
            throw People.PersonError.forbidden(.noGrant)
        }
        return id
    }
}
