import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Reconstructs earlier rules from the present ones and the journal, by undoing one change after the other. The rule before the first
/// recorded change is taken to have always applied.
struct HistoricalRules {
    /// The latest first.
    private let changes: [RuleChange.Record]

    init(_ turns: [RuleChange.Record]) {
        self.changes = turns
    }

    /// Devices with the flags that they had.
    func devices(_ devices: [Device]) -> [String: [MindFeed.TimedValue<Device>]] {
        let turns = Dictionary(grouping: changes.filter { $0.kind == .deviceChanged }, by: \.subject)
        return Dictionary(
            devices.map { device in (device.id, Self.timeline(device, turns[device.id] ?? []) { $0.revert(&$1) }) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the grants of everyone over time: of the given keys, of all residents and of all passes.
    func grants(of keys: Set<String>, _ db: Database) throws -> [String: [MindFeed.TimedValue<Grant>]] {
        let guests = try GuestRecords.all(db).map { "guest:\($0.id)" }
        let people = Dictionary(try PeopleRecords.all(db).map { ($0.id, history(of: $0)) }, uniquingKeysWith: { first, _ in first })
        var holdings: [String: [MindFeed.TimedValue<Grant>]] = [:]
        for key in keys.union(guests).union(people.keys.map { "person:\($0)" }) {
            let principal = Principal(key: key)
            switch principal {
            case .person(let id, _):
                holdings[key] = people[id]?.map { MindFeed.TimedValue(from: $0.from, value: $0.value.grant) }
            case .apiToken(let id, let personID):
                holdings[key] = try people[personID]?.timeline { try APITokens.grant(id, as: $0, db) }
            case .automation(let id, let personID):
                holdings[key] = try people[personID]?.timeline { try AutomationGrants.grant(of: id, as: $0, db) }
            case .guest(let id):
                holdings[key] = try GuestRecords.grant(id, db).map { history(of: $0, id) }
            case .integration:
                holdings[key] = try CommandAdmission.grant(of: principal, db).map { [MindFeed.TimedValue(from: .distantPast, value: $0)] }
            }
        }
        return try includingApproval(holdings, db)
    }

    private func history(of person: Person) -> [MindFeed.TimedValue<Person>] {
        Self.timeline(person, changes.filter { $0.kind == .personChanged && $0.subject == person.id }) { $0.revert(&$1) }
    }

    /// A pass keeps when it was suspended, and not that it was before and was resumed.
    private func history(of grant: Grant, _ id: String) -> [MindFeed.TimedValue<Grant>] {
        let decided = changes.filter { $0.kind == .guestChanged && $0.subject == id }
        return Self.timeline(grant, decided) { turn, grant in
            switch turn.decision {
            case .suspend: grant.suspendedAt = nil
            // How long it was suspended does not matter, only that it was.
            case .resume: grant.suspendedAt = .distantPast
            default: return false
            }
            return true
        }
    }

    /// A pass that was let in was not good before.
    private func includingApproval(_ holdings: [String: [MindFeed.TimedValue<Grant>]], _ db: Database) throws -> [String: [MindFeed
        .TimedValue<Grant>]]
    {
        var holdings = holdings
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, approved_at FROM guests WHERE requires_approval = 1 AND approved_at IS NOT NULL")
        for row in rows {
            let key = "guest:\(row[0] as String)"
            guard let steps = holdings[key], let milliseconds: Int64 = row[1] else { continue }
            let at = Date(milliseconds: milliseconds)
            var rules = steps.filter { $0.from >= at }
            if let last = steps.last(where: { $0.from < at }) { rules.insert(.init(from: at, value: last.value), at: 0) }
            let before = steps.filter { $0.from < at }.map { step in
                var grant = step.value
                grant.isApproved = false
                return MindFeed.TimedValue(from: step.from, value: grant)
            }
            holdings[key] = before + rules
        }
        return holdings
    }

    /// The oldest first.
    ///
    /// - Parameter undo: turns the value after a change into the value before it; false if the change does not concern it.
    private static func timeline<Value: Sendable>(
        _ now: Value, _ turns: [RuleChange.Record], undo: (RuleChange.Record, inout Value) -> Bool
    ) -> [MindFeed.TimedValue<Value>] {
        var (value, steps): (Value, [MindFeed.TimedValue<Value>]) = (now, [])
        for turn in turns {
            let after = value
            if undo(turn, &value) { steps.append(.init(from: turn.at, value: after)) }
        }
        steps.append(.init(from: .distantPast, value: value))
        return steps.reversed()
    }
}

extension [MindFeed.TimedValue<Person>] {
    /// Returns the grants over time of a person's token or automation, under the role of that time; nil if it had none.
    fileprivate func timeline(_ grant: (Person) throws -> Grant?) rethrows -> [MindFeed.TimedValue<Grant>]? {
        let steps = try compactMap { step in try grant(step.value).map { MindFeed.TimedValue(from: step.from, value: $0) } }
        return steps.isEmpty ? nil : steps
    }
}
