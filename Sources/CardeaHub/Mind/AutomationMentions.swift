import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// What automations say of people: they wait for nobody who lives here no more, nor for whom an erasure has taken out of them.
///
/// Whatever is changed here rises in its version and is in the journal, so that the mind and every screen read it anew.
enum AutomationMentions {
    /// Takes out what waits for somebody who left the house. An automation that nothing sets going any more is switched off, and says why.
    /// What somebody's own wait for stays: they are off once their owner is gone, and go with them.
    ///
    /// - Returns: which were changed, by whom they had waited for.
    @discardableResult
    static func leaveOut(at now: Date, in db: Database) throws -> [String: Set<String>] {
        var changed: [String: Set<String>] = [:]
        for (before, after) in try waitingForNobody(db) {
            try write(after, instead: before, at: now, in: db)
            for person in after.gone.compactMap({ before.triggers[$0].personID }) { changed[person, default: []].insert(after.id) }
        }
        return changed
    }

    /// The same at each start: an older hub left them in, and a backup may hold some.
    static func leaveOut(in store: Store, at now: Date) async throws {
        guard try await store.read({ try !waitingForNobody($0).isEmpty }) else { return }
        _ = try await store.write { try leaveOut(at: now, in: $0) }
    }

    /// Takes out who is erased, wherever they are named: a trigger whose word is their name goes, a condition with such a word never holds
    /// again, and of what is said the rest stays. What only their name kept from being done would be done each time from here on: such an
    /// automation is switched off, and says why.
    ///
    /// - Parameters:
    ///   - ids: theirs, and their guests'.
    ///   - names: what they were called. One that is a word of the house's own names nobody.
    /// - Returns: in which they were named.
    static func forget(_ ids: [String], names: [String], at now: Date, in db: Database) throws -> Set<String> {
        let them = Them(try ids + names.filter { try !$0.isEmpty && !OwnWords.say($0, db) })
        let named = try changed(db) { rule in
            rule.name = String(them.takenOut(of: rule.name).prefix(Name.limit))
            rule.keep { !waits($0, for: them) }
            var isAlwaysSo = false
            rule.conditions = rule.conditions.map { without(them, in: $0, isTurned: false, &isAlwaysSo) }
            rule.isAlwaysSo = isAlwaysSo
            rule.actions = rule.actions.map { without(them, in: $0) }
        }
        for (before, after) in named { try write(after, instead: before, at: now, in: db) }
        return Set(named.map(\.after.id))
    }

    /// What nothing in the house says of itself.
    private static let nobody = "erased"

    /// An automation as its row reads.
    struct Rule: Equatable {
        let id: String
        let owner: String
        let isOn: Bool
        var name: String
        var triggers: [AutomationTrigger]
        var conditions: [AutomationCondition]
        var actions: [AutomationAction]
        /// Whether a part of its conditions, that held unless somebody was named, holds always now.
        var isAlwaysSo = false
        /// Which triggers were taken out, by the places that they had.
        private(set) var gone: [Int] = []

        /// - Parameter row: as `changed` reads it. Nil where a part does not open: what it says nobody can tell, and it does nothing.
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

        mutating func keep(_ stays: (AutomationTrigger) -> Bool) {
            gone = triggers.indices.filter { !stays(triggers[$0]) }
            triggers = triggers.filter(stays)
        }
    }

    private static func waitingForNobody(_ db: Database) throws -> [(before: Rule, after: Rule)] {
        let here = Set(try String.fetchAll(db, sql: "SELECT id FROM people WHERE removed_at IS NULL"))
        return try changed(db) { rule in
            let owner = rule.owner
            rule.keep { trigger in
                guard let person = trigger.personID else { return true }
                return person == owner || here.contains(person)
            }
        }
    }

    /// Those that `change` makes others.
    static func changed(_ db: Database, _ change: (inout Rule) -> Void) throws -> [(before: Rule, after: Rule)] {
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
        let isOver = (rule.triggers.isEmpty && !before.triggers.isEmpty) || rule.isAlwaysSo
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
        // What came of it is told by the place of what set it going.
        for place in rule.gone.reversed() {
            try db.execute(
                sql: """
                    UPDATE automation_runs SET trigger_place = iif(trigger_place = :place, NULL, trigger_place - 1)
                    WHERE automation_id = :id AND trigger_place >= :place
                    """, arguments: ["id": rule.id, "place": place])
        }
        let seq = try Journal.append(.automationChanged, subject: rule.id, data: ["removed": false], at: now, in: db)
        guard isOver, before.isOn else { return }
        let grant = Principal.automation(id: rule.id, personID: rule.owner).grantID
        try AuditTrail.append(
            .init(who: .house, action: "automation.off", grantID: grant, result: .done, journalSeq: seq), origin: .house, at: now, in: db)
    }

    private static func text(_ parts: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(parts), as: UTF8.self)
    }

    // MARK: Words

    /// Who is erased, by their ids and by what they were called.
    private struct Them {
        private let words: [String]
        private let whole: Set<String>

        init(_ words: [String]) {
            self.words = words
            whole = Set(words.map { $0.lowercased() })
        }

        /// Whether a word that something says is theirs, all of it: by one that only has their name in it something else may be meant.
        func areMeant(by word: String) -> Bool { whole.contains(word.lowercased()) }

        func takenOut(of text: String) -> String { words.reduce(text) { Mentioning.replacing($1, in: $0, by: "somebody") } }
    }

    // Each kind is named in these three, so that a new one does not compile before it is said whether it can name anybody.

    private static func waits(_ trigger: AutomationTrigger, for them: Them) -> Bool {
        switch trigger {
        case .state(_, let to, _): them.areMeant(by: to)
        case .presence: trigger.personID.map { them.areMeant(by: $0) } ?? false
        case .number, .time, .seen, .refused, .offline: false
        }
    }

    /// - Parameters:
    ///   - isTurned: whether it lies under an odd number of `not`.
    ///   - isAlwaysSo: becomes true where what never holds again lies under such a number.
    private static func without(
        _ them: Them, in condition: AutomationCondition, isTurned: Bool, _ isAlwaysSo: inout Bool
    ) -> AutomationCondition {
        switch condition {
        case .state(let entityID, let value):
            guard them.areMeant(by: value) else { return condition }
            if isTurned { isAlwaysSo = true }
            return .state(entityID: entityID, value: nobody)
        case .all(let parts): return .all(parts.map { without(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .any(let parts): return .any(parts.map { without(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .not(let part): return .not(without(them, in: part, isTurned: !isTurned, &isAlwaysSo))
        case .independent(let parts): return .independent(parts.map { without(them, in: $0, isTurned: isTurned, &isAlwaysSo) })
        case .time, .weekdays, .home: return condition
        }
    }

    private static func without(_ them: Them, in action: AutomationAction) -> AutomationAction {
        switch action {
        case .control(let asked):
            guard let value = asked.value?.string, them.areMeant(by: value) else { return action }
            return .control(
                DeviceAction(
                    deviceID: asked.deviceID, entityID: asked.entityID, verb: asked.verb, value: .string(nobody),
                    transition: asked.transition))
        case .notify(let words, let to):
            return .notify(words: String(them.takenOut(of: words).prefix(AutomationAction.longestWords)), to: to)
        case .scene: return action
        }
    }
}
