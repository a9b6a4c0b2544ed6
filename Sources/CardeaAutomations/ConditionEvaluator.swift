import CardeaModel
import Foundation

/// Evaluates conditions against the known state at one moment. If the state is unknown, neither a condition nor its opposite holds.
struct ConditionEvaluator {
    /// The last reported states of entities.
    let states: [String: (value: String, since: Date)]
    /// Entities whose state has not been known since this time.
    let unknownSince: [String: Date]
    let presence: [String: Bool]
    /// Of entities, by their ids.
    let integrations: [String: String]
    let zone: TimeZone

    /// - Returns: nil if the known states do not decide it.
    func holds(_ condition: AutomationCondition, at moment: Date) -> Bool? {
        switch condition {
        case .state(let entity, let value):
            guard unknownSince[entity] == nil, let said = states[entity] else { return nil }
            return said.value == value
        case .time(let from, let to):
            let (now, from, to) = (LocalCalendar(zone).minutes(of: moment), from.minutes, to.minutes)
            return from < to ? now >= from && now < to : now >= from || now < to
        case .weekdays(let days):
            let wall = LocalCalendar(zone)
            return days.contains(Weekday.allCases[wall.day(of: moment).weekday])
        case .home(let anybody):
            return presence.isEmpty ? nil : presence.values.contains(true) == anybody
        case .all(let parts):
            let parts = parts.map { holds($0, at: moment) }
            if parts.contains(where: { $0 == false }) { return false }
            return parts.contains(where: { $0 == nil }) ? nil : true
        case .any(let parts):
            let parts = parts.map { holds($0, at: moment) }
            if parts.contains(where: { $0 == true }) { return true }
            return parts.contains(where: { $0 == nil }) ? nil : false
        case .not(let part):
            return holds(part, at: moment).map { !$0 }
        case .independent(let parts):
            func sources(_ counts: (Bool?) -> Bool) -> Int {
                Set(parts.filter { counts(holds($0, at: moment)) }.compactMap { $0.source(integrations) }).count
            }
            if sources({ $0 == true }) > 1 { return true }
            return sources({ $0 != false }) > 1 ? nil : false
        }
    }

    /// The entities whose states are needed to decide it.
    func undecidedEntities(_ condition: AutomationCondition, at moment: Date) -> Set<String> {
        guard holds(condition, at: moment) == nil else { return [] }
        switch condition {
        case .state(let entity, _): return [entity]
        case .time, .weekdays, .home: return []
        case .all(let parts), .any(let parts), .independent(let parts):
            return parts.reduce(into: []) { $0.formUnion(undecidedEntities($1, at: moment)) }
        case .not(let part): return undecidedEntities(part, at: moment)
        }
    }
}
