import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// References to people in automations. Triggers that wait for a person who left the house, or who is erased, are removed.
///
/// A changed automation gets a new version and a journal entry, so that the mind and every screen read it again.
enum AutomationReferences {
    /// Removes the triggers that wait for a person who left the house. An automation without a trigger left is switched off and records
    /// why. A departed person's own automations are left unchanged: they are off without their owner, and are deleted with them.
    ///
    /// - Returns: the changed automations, by the person they waited for.
    @discardableResult
    static func removeDepartedPeople(at now: Date, in db: Database) throws -> [String: Set<String>] {
        var changed: [String: Set<String>] = [:]
        for (before, after) in try referencingDepartedPeople(db) {
            try write(after, instead: before, at: now, in: db)
            for person in after.removedTriggers.compactMap({ before.triggers[$0].personID }) {
                changed[person, default: []].insert(after.id)
            }
        }
        return changed
    }

    /// The same at each start: an older hub left them in, and a backup may hold some.
    static func removeDepartedPeople(in store: Store, at now: Date) async throws {
        guard try await store.read({ try !referencingDepartedPeople($0).isEmpty }) else { return }
        _ = try await store.write { try removeDepartedPeople(at: now, in: $0) }
    }

    /// Removes erased people wherever they are named: a trigger with such a name is removed, a condition with one never holds again, and in
    /// texts only the name is removed. An automation whose actions only such a name prevented would run each time from here on; it is
    /// switched off and records why.
    ///
    /// - Parameters:
    ///   - ids: those of the people and of their guests.
    ///   - names: their names. A name that is also a word of the house is ignored.
    /// - Returns: the automations that named them.
    static func erase(_ ids: [String], names: [String], at now: Date, in db: Database) throws -> Set<String> {
        let them = ErasedNames(try ids + names.filter { try !$0.isEmpty && !HouseVocabulary.contains($0, db) })
        let named = try changes(db) { rule in
            rule.name = String(them.redacted(of: rule.name).prefix(Name.limit))
            rule.filterTriggers { !mentions($0, for: them) }
            var isAlwaysSo = false
            rule.conditions = rule.conditions.map { redacted(them, in: $0, isTurned: false, &isAlwaysSo) }
            rule.isAlwaysTrue = isAlwaysSo
            rule.actions = rule.actions.map { redacted(them, in: $0) }
        }
        for (before, after) in named { try write(after, instead: before, at: now, in: db) }
        return Set(named.map(\.after.id))
    }

    /// The value in place of an erased one; no entity reports it.
    private static let erasedValue = "erased"

    /// An automation as its row reads.
    struct Rule: Equatable {
        let id: String
        let owner: String
        let isOn: Bool
        var name: String
        var triggers: [AutomationTrigger]
        var conditions: [AutomationCondition]
        var actions: [AutomationAction]
        /// True if a part of its conditions that held only while a certain name was not reported now always holds.
        var isAlwaysTrue = false
        /// The removed triggers, by their former positions.
        private(set) var removedTriggers: [Int] = []

        /// - Parameter row: as `changed` reads it. Nil if a part cannot be decrypted: such an automation does nothing.
        init?(_ row: Row) {
            func list<Part: Decodable>(of part: Part.Type, _ text: String) -> [Part]? {
                try? JSONDecoder().decode([Part].self, from: Data(text.utf8))
            }
            guard let triggers = list(of: AutomationTrigger.self, row[4]), let conditions = list(of: AutomationCondition.self, row[5]),
                let actions = list(of: AutomationAction.self, row[6])
            else { return nil }
            id = row[0]
            owner = row[1]
            isOn = row[2]
            name = row[3]
            (self.triggers, self.conditions, self.actions) = (triggers, conditions, actions)
        }

        mutating func filterTriggers(_ stays: (AutomationTrigger) -> Bool) {
            removedTriggers = triggers.indices.filter { !stays(triggers[$0]) }
            triggers = triggers.filter(stays)
        }
    }

    private static func referencingDepartedPeople(_ db: Database) throws -> [(before: Rule, after: Rule)] {
        let here = Set(try String.fetchAll(db, sql: "SELECT id FROM people WHERE removed_at IS NULL"))
        return try changes(db) { rule in
            let owner = rule.owner
            rule.filterTriggers { trigger in
                guard let person = trigger.personID else { return true }
                return person == owner || here.contains(person)
            }
        }
    }

    /// Those that `change` makes others.
    static func changes(_ db: Database, _ change: (inout Rule) -> Void) throws -> [(before: Rule, after: Rule)] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, owner, is_on, opened(name, 'automations.name', id), opened(triggers, 'automations.triggers', id),
                    opened(conditions, 'automations.conditions', id), opened(actions, 'automations.actions', id) FROM automations
                """)
        return rows.compactMap { row -> (before: Rule, after: Rule)? in
            guard let before = Rule(row) else { return nil }
            var after = before
            change(&after)
            return after == before ? nil : (before: before, after: after)
        }
    }

    static func write(_ rule: Rule, instead before: Rule, at now: Date, in db: Database) throws {
        let isOver = (rule.triggers.isEmpty && !before.triggers.isEmpty) || rule.isAlwaysTrue
        try db.execute(
            sql: """
                UPDATE automations SET name = sealed(:name, 'automations.name', id), triggers = sealed(:triggers, 'automations.triggers', id),
                    conditions = sealed(:conditions, 'automations.conditions', id), actions = sealed(:actions, 'automations.actions', id),
                    is_on = iif(:isOver, 0, is_on), off_because = iif(:isOver, coalesce(off_because, :why), off_because),
                    version = version + 1, changed_at = :now
                WHERE id = :id
                """,
            arguments: [
                "id": rule.id, "name": rule.name, "triggers": try text(rule.triggers), "conditions": try text(rule.conditions),
                "actions": try text(rule.actions),
                "isOver": isOver, "why": Automation.OffReason.personLeft.rawValue, "now": now.milliseconds,
            ])
        // The results of a run refer to its trigger by position.
        for place in rule.removedTriggers.reversed() {
            try db.execute(
                sql: """
                    UPDATE automation_runs SET trigger_place = iif(trigger_place = :place, NULL, trigger_place - 1)
                    WHERE automation_id = :id AND trigger_place >= :place
                    """, arguments: ["id": rule.id, "place": place])
        }
        let seq = try Journal.append(.automationChanged, subject: rule.id, data: ["removed": false], at: now, in: db)
        guard isOver, before.isOn else { return }
        let grant = Principal.automation(id: rule.id, personID: rule.owner).grantID
        try AuditLog.append(
            .init(who: .house, action: "automation.off", grantID: grant, result: .done, journalSeq: seq), in: .house(db, at: now))
    }

    private static func text(_ parts: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(parts), as: UTF8.self)
    }

    // MARK: Texts

    /// The people who are erased, by id and by every name they had.
    private struct ErasedNames {
        private let words: [String]
        private let exactNames: Set<String>

        init(_ words: [String]) {
            self.words = words
            exactNames = Set(words.map { $0.lowercased() })
        }

        /// Returns whether a value as a whole is one of their names. A value that only contains a name may mean something else.
        func matches(by word: String) -> Bool { exactNames.contains(word.lowercased()) }

        func redacted(of text: String) -> String { words.reduce(text) { NameMention.replacing($1, in: $0, by: "somebody") } }
    }

    // Every kind is listed in these three switches, so that a new one compiles only after the decision whether it can name a person.

    private static func mentions(_ trigger: AutomationTrigger, for them: ErasedNames) -> Bool {
        switch trigger {
        case .state(_, let to, _): them.matches(by: to)
        case .presence: trigger.personID.map { them.matches(by: $0) } ?? false
        case .number, .time, .seen, .refused, .offline: false
        }
    }

    /// - Parameters:
    ///   - isTurned: true under an odd number of `not`.
    ///   - isAlwaysSo: becomes true if a part that never holds again is under such a number.
    private static func redacted(
        _ them: ErasedNames, in condition: AutomationCondition, isTurned: Bool, _ isAlwaysSo: inout Bool
    ) -> AutomationCondition {
        switch condition {
        case .state(let entityID, let value):
            guard them.matches(by: value) else { return condition }
            if isTurned { isAlwaysSo = true }
            return .state(entityID: entityID, value: erasedValue)
        case .all(let parts): return .all(parts.map { redacted(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .any(let parts): return .any(parts.map { redacted(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .not(let part): return .not(redacted(them, in: part, isTurned: !isTurned, &isAlwaysSo))
        case .independent(let parts): return .independent(parts.map { redacted(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .time, .weekdays, .home: return condition
        }
    }

    private static func redacted(_ them: ErasedNames, in action: AutomationAction) -> AutomationAction {
        switch action {
        case .control(let asked):
            guard let value = asked.value?.string, them.matches(by: value) else { return action }
            return .control(
                DeviceAction(
                    deviceID: asked.deviceID, entityID: asked.entityID, verb: asked.verb, value: .string(erasedValue),
                    transition: asked.transition))
        case .notify(let words, let to):
            return .notify(words: String(them.redacted(of: words).prefix(AutomationAction.textLimit)), to: to)
        case .scene: return action
        }
    }
}
