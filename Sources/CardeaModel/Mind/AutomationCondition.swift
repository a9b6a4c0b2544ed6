import Foundation

/// A condition that must hold before an automation acts.
public indirect enum AutomationCondition: Hashable, Sendable {
    /// An entity has this state.
    case state(entityID: String, value: String)
    /// By the house's local time; past midnight if `to` is not after `from`.
    case time(from: TimeOfDay, to: TimeOfDay)
    case weekdays(Set<Weekday>)
    /// Among the people whose presence is known: one of them is home, or none is. Neither holds if no presence is known.
    case home(anybody: Bool)
    case all([AutomationCondition])
    case any([AutomationCondition])
    case not(AutomationCondition)
    /// At least two of these hold, reported by different sources: an integration, or the people of the house. An attacker who controls only
    /// one source cannot make it true.
    case independent([AutomationCondition])

    /// The number of conditions, including nested ones.
    var count: Int {
        switch self {
        case .state, .time, .weekdays, .home: 1
        case .all(let parts), .any(let parts), .independent(let parts): parts.reduce(1) { $0 + $1.count }
        case .not(let part): 1 + part.count
        }
    }

    func check(_ field: String, depth: Int = 1) throws(AutomationError) {
        guard depth <= Automation.depthLimit else {
            throw AutomationError(field, "is nested too deeply: at most \(Automation.depthLimit) levels are accepted")
        }
        switch self {
        case .state(let entityID, let value):
            try AutomationError.checkID(entityID, "\(field).entity_id")
            guard (1...64).contains(value.count), value.utf8.count <= 256 else {
                throw AutomationError("\(field).is", "must have 1 to 64 characters")
            }
        case .time, .home: break
        case .weekdays(let days): try AutomationError.check(days, "\(field).weekdays")
        case .all(let parts), .any(let parts):
            guard !parts.isEmpty else { throw AutomationError("\(field).conditions", "must have at least one entry") }
            for (place, part) in parts.enumerated() { try part.check("\(field).conditions.\(place)", depth: depth + 1) }
        case .not(let part): try part.check("\(field).condition", depth: depth + 1)
        case .independent(let parts):
            guard parts.count > 1 else { throw AutomationError("\(field).conditions", "must have at least two entries") }
            for (place, part) in parts.enumerated() {
                guard part.isOfOneSource else { throw AutomationError("\(field).conditions.\(place)", "must be of type state or home") }
                try part.check("\(field).conditions.\(place)", depth: depth + 1)
            }
        }
    }

    /// The entities whose state it depends on.
    public var entities: Set<String> {
        switch self {
        case .state(let id, _): [id]
        case .time, .weekdays, .home: []
        case .all(let parts), .any(let parts), .independent(let parts): parts.reduce(into: []) { $0.formUnion($1.entities) }
        case .not(let part): part.entities
        }
    }

    /// True if a single source decides whether it holds.
    private var isOfOneSource: Bool {
        switch self {
        case .state, .home: true
        case .time, .weekdays, .all, .any, .not, .independent: false
        }
    }

    /// The source that tells whether it holds; nil if none does, or more than one.
    ///
    /// - Parameter integrations: of entities, by their ids.
    public func source(_ integrations: [String: String]) -> String? {
        switch self {
        case .state(let entityID, _): integrations[entityID]
        // No integration has this name.
        case .home: ""
        case .time, .weekdays, .all, .any, .not, .independent: nil
        }
    }

    /// Returns whether the condition can never hold, because it requires two sources and names only one.
    ///
    /// - Parameter integrations: of entities, by their ids.
    public func lacksSources(_ integrations: [String: String]) -> Bool {
        switch self {
        case .independent(let parts): Set(parts.compactMap { $0.source(integrations) }).count < 2
        case .all(let parts), .any(let parts): parts.contains { $0.lacksSources(integrations) }
        case .not(let part): part.lacksSources(integrations)
        case .state, .time, .weekdays, .home: false
        }
    }
}

extension AutomationCondition: Codable {
    private enum Key: String, CodingKey {
        case type, `is`, from, to, weekdays, who, conditions, condition
        case entityID = "entity_id"
    }

    /// The name of the condition on the wire.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case state, time, weekdays, home, all, any, not, independent
    }

    /// Whom a condition of presence means, on the wire.
    public enum PresenceScope: String, Hashable, Sendable, CaseIterable {
        case somebody, nobody
    }

    public init(from decoder: any Decoder) throws {
        let fields = try AutomationFieldDecoder(decoder, of: Key.self)
        // Checked before it is read, because reading recurses: a list and an index for each level, and some for the values around it.
        guard decoder.codingPath.count <= 4 * Automation.depthLimit + 8 else { throw fields.invalidValue(.type, "is nested too deeply") }
        switch try fields.word(.type, as: Kind.self) {
        case .state:
            try fields.rejectUnknown(.entityID, .is)
            self = .state(entityID: try fields.text(.entityID), value: try fields.text(.is))
        case .time:
            try fields.rejectUnknown(.from, .to)
            let (begin, end) = (try fields.text(.from), try fields.text(.to))
            guard let from = TimeOfDay(begin) else { throw fields.invalidValue(.from, TimeOfDay.validationMessage(begin)) }
            guard let to = TimeOfDay(end: end) else { throw fields.invalidValue(.to, TimeOfDay.validationMessage(end)) }
            self = .time(from: from, to: to)
        case .weekdays:
            try fields.rejectUnknown(.weekdays)
            self = .weekdays(try fields.weekdays(.weekdays).orMissing(fields, .weekdays))
        case .home:
            try fields.rejectUnknown(.who)
            self = .home(anybody: try fields.word(.who, as: PresenceScope.self) == .somebody)
        case .all:
            try fields.rejectUnknown(.conditions)
            self = .all(try fields.list(.conditions, of: AutomationCondition.self, atMost: Automation.conditionLimit))
        case .any:
            try fields.rejectUnknown(.conditions)
            self = .any(try fields.list(.conditions, of: AutomationCondition.self, atMost: Automation.conditionLimit))
        case .not:
            try fields.rejectUnknown(.condition)
            self = .not(try fields.nested(.condition, of: AutomationCondition.self))
        case .independent:
            try fields.rejectUnknown(.conditions)
            self = .independent(try fields.list(.conditions, of: AutomationCondition.self, atMost: Automation.conditionLimit))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func type(_ word: Kind) throws { try fields.encode(word.rawValue, forKey: .type) }
        switch self {
        case .state(let entityID, let value):
            try type(.state)
            try fields.encode(entityID, forKey: .entityID)
            try fields.encode(value, forKey: .is)
        case .time(let from, let to):
            try type(.time)
            try fields.encode(from.description, forKey: .from)
            try fields.encode(to.description, forKey: .to)
        case .weekdays(let days):
            try type(.weekdays)
            try fields.encode(days.sorted, forKey: .weekdays)
        case .home(let anybody):
            try type(.home)
            try fields.encode((anybody ? PresenceScope.somebody : .nobody).rawValue, forKey: .who)
        case .all(let parts):
            try type(.all)
            try fields.encode(parts, forKey: .conditions)
        case .any(let parts):
            try type(.any)
            try fields.encode(parts, forKey: .conditions)
        case .not(let part):
            try type(.not)
            try fields.encode(part, forKey: .condition)
        case .independent(let parts):
            try type(.independent)
            try fields.encode(parts, forKey: .conditions)
        }
    }
}
