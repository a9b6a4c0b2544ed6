import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The house's own words: the names of its things, and its standard phrases.
///
/// A pass can have any name, and the person who gave it can erase it. With the name "Smoke" or "Front door" the erasure would also remove
/// texts about smoke and that door, and with "Unlocked" other people's automations for unlocked doors: such a name is not searched in
/// texts.
enum HouseVocabulary {
    /// Returns whether `name` occurs in one of the terms.
    static func contains(_ name: String, _ db: Database) throws -> Bool {
        let plain = name.replacing("_", with: " ")
        return try (builtInTerms + itemNames(db)).contains { NameMention.contains($0, name) || NameMention.contains($0, plain) }
    }

    private static let builtInTerms: [String] = {
        let words =
            AuditReason.allCases.map(\.rawValue) + CommandStatus.allCases.map(\.rawValue) + EntityKind.allCases.map(\.rawValue)
            + DeviceClass.allCases.map(\.rawValue) + Verb.allCases.map(\.rawValue) + DetectionType.smart.map(\.rawValue)
        let said =
            EntityState.knownValues.sorted() + DeviceStatus.allCases.map(\.rawValue)
            + AutomationCondition.PresenceScope.allCases.map(\.rawValue)
            + [DetectionType.ring.rawValue, "smoke", "heat", "gas", "carbon monoxide", "water", "alarm", "house", "pass", "guest"]
        return (words + said).map { $0.replacing("_", with: " ") }
    }()

    private static func itemNames(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM devices UNION SELECT name FROM entities UNION SELECT name FROM rooms UNION SELECT name FROM cameras
                UNION SELECT name FROM scenes UNION SELECT title FROM buttons UNION SELECT name FROM house
                UNION SELECT replace(device_class, '_', ' ') FROM entities WHERE device_class IS NOT NULL
                """)
    }
}
