import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The tag settings, as a row.
enum TagSettingsRecords {
    static func read(_ db: Database) throws -> (policy: TagPolicy, version: Int) {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT is_on, control, open, version FROM tag_settings")) else {
            return (TagPolicy(isOn: false), 1)
        }
        // An unknown value of a newer hub counts as `never`.
        let leaves = [row[1] as String, row[2]].map { TagPolicy.Permission(rawValue: $0) ?? .never }
        return (TagPolicy(isOn: row[0], control: leaves[0], open: leaves[1]), row[3])
    }

    static func write(_ policy: TagPolicy, version: Int, in db: Database) throws {
        try db.execute(
            sql: "UPDATE tag_settings SET is_on = ?, control = ?, open = ?, version = ?",
            arguments: [policy.isOn, policy.control.rawValue, policy.open.rawValue, version])
    }
}
