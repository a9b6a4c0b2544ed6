import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A change of a rule of the gate, such as a person's role or a device's flag. The journal's row of the change holds the old and the new
/// value, so that earlier decisions are judged by the rules of their time.
enum RuleChange {
    /// The changed rules; empty if only a name or the like was changed.
    static func data(from before: Person, to after: Person) -> [String: JSONValue] {
        changedFields([
            ("role", .string(before.role.rawValue), .string(after.role.rawValue)),
            ("is_disabled", .bool(before.isDisabled), .bool(after.isDisabled)),
        ])
    }

    static func data(from before: Device, to after: Device) -> [String: JSONValue] {
        let marks = after.entities.flatMap { entity -> [(name: String, before: JSONValue, after: JSONValue)] in
            guard let former = before.entities.first(where: { $0.id == entity.id }) else { return [] }
            return [
                (opensWayInPrefix + entity.id, .bool(former.opensWayIn), .bool(entity.opensWayIn)),
                (wayInPrefix + entity.id, .string(former.restrictions.storedText), .string(entity.restrictions.storedText)),
            ]
        }
        return changedFields(
            [
                ("is_security_device", .bool(before.isSecurityDevice), .bool(after.isSecurityDevice)),
                ("is_guest_accessible", .bool(before.isGuestAccessible), .bool(after.isGuestAccessible)),
            ] + marks)
    }

    /// Before the id of an entity: that it opens a way in.
    private static let opensWayInPrefix = "opens_way_in "
    /// Before the id of an entity: the house's memory that it is a way in.
    private static let wayInPrefix = "way_in "

    private static func changedFields(_ facts: [(name: String, before: JSONValue, after: JSONValue)]) -> [String: JSONValue] {
        var data: [String: JSONValue] = [:]
        for fact in facts where fact.before != fact.after { data[fact.name] = [fact.before, fact.after] }
        return data
    }

    /// The value before the change; nil if the row does not name one.
    private static func previousValue(_ name: String, in data: [String: JSONValue]) -> JSONValue? {
        guard case .array(let turn)? = data[name], turn.count == 2 else { return nil }
        return turn[0]
    }

    // MARK: Reading

    /// The changes since a moment, the latest first.
    static func since(_ moment: Date, _ db: Database) throws -> [Record] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT at, kind, coalesce(device_id, subject), data FROM journal
                WHERE kind IN ('device_announced', 'device_changed', 'guest_changed', 'person_changed') AND at >= ? ORDER BY seq DESC
                """, arguments: [moment.milliseconds]
        ).compactMap { row in
            guard let kind = Journal.Kind(rawValue: row[1]), let subject: String = row[2] else { return nil }
            return Record(at: Date(milliseconds: row[0]), kind: kind, subject: subject, data: try JSONText.object(row[3]))
        }
    }

    struct Record {
        let at: Date
        let kind: Journal.Kind
        let subject: String
        let data: [String: JSONValue]

        /// Reverts the change. Returns false if the row does not name the value before.
        func revert(_ person: inout Person) -> Bool {
            let role = RuleChange.previousValue("role", in: data)?.string.flatMap(Role.init(rawValue:))
            let isDisabled = RuleChange.previousValue("is_disabled", in: data)?.bool
            if let role { person.role = role }
            if let isDisabled { person.isDisabled = isDisabled }
            return role != nil || isDisabled != nil
        }

        func revert(_ device: inout Device) -> Bool {
            let isSecurity = RuleChange.previousValue("is_security_device", in: data)?.bool
            let isForGuests = RuleChange.previousValue("is_guest_accessible", in: data)?.bool
            if let isSecurity { device.isSecurityDevice = isSecurity }
            if let isForGuests { device.isGuestAccessible = isForGuests }
            var isMarked = false
            for index in device.entities.indices {
                let id = device.entities[index].id
                if let before = RuleChange.previousValue(RuleChange.opensWayInPrefix + id, in: data)?.bool {
                    device.entities[index].opensWayIn = before
                    isMarked = true
                }
                if let before = RuleChange.previousValue(RuleChange.wayInPrefix + id, in: data)?.string {
                    device.entities[index].restrictions = WayInRestrictions(words: before)
                    isMarked = true
                }
            }
            return isSecurity != nil || isForGuests != nil || isMarked
        }

        /// The decision about a pass, beyond what the pass's own dates tell.
        var decision: Guests.Decision? { data["decision"]?.string.flatMap(Guests.Decision.init) }
    }
}
