import Foundation

/// What must be so for an automation to do anything.
public indirect enum AutomationCondition: Hashable, Sendable {
    /// An entity says a word.
    case state(entityID: String, value: String)
    /// By the clock on the house's wall; where `to` is not after `from`, past midnight.
    case time(from: TimeOfDay, to: TimeOfDay)
    case weekdays(Set<Weekday>)
    /// Of those of whom it is known: one is home, or nobody is. Where it is known of nobody, neither holds.
    case home(anybody: Bool)
    case all([AutomationCondition])
    case any([AutomationCondition])
    case not(AutomationCondition)

    /// With those within it.
    var count: Int {
        switch self {
        case .state, .time, .weekdays, .home: 1
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.count }
        case .not(let part): 1 + part.count
        }
    }

    func check(_ field: String, depth: Int = 1) throws(AutomationProblem) {
        guard depth <= Automation.depth else { throw AutomationProblem(field, "lies too deep: at most \(Automation.depth) in each other") }
        switch self {
        case .state(let entityID, let value):
            try AutomationProblem.checkID(entityID, "\(field).entity_id")
            guard (1...64).contains(value.count), value.utf8.count <= 256 else {
                throw AutomationProblem("\(field).is", "has 1 to 64 characters")
            }
        case .time, .home: break
        case .weekdays(let days): try AutomationProblem.check(days, "\(field).weekdays")
        case .all(let parts), .any(let parts):
            guard !parts.isEmpty else { throw AutomationProblem("\(field).conditions", "are at least one") }
            for (place, part) in parts.enumerated() { try part.check("\(field).conditions.\(place)", depth: depth + 1) }
        case .not(let part): try part.check("\(field).condition", depth: depth + 1)
        }
    }

    /// The entities whose word it depends on.
    public var entities: Set<String> {
        switch self {
        case .state(let id, _): [id]
        case .time, .weekdays, .home: []
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.entities) }
        case .not(let part): part.entities
        }
    }
}

extension AutomationCondition: Codable {
    private enum Key: String, CodingKey {
        case type, `is`, from, to, weekdays, who, conditions, condition
        case entityID = "entity_id"
    }

    /// What a condition is called on the wire.
    public enum Word: String, Hashable, Sendable, CaseIterable {
        case state, time, weekdays, home, all, any, not
    }

    /// Whom a condition of presence means, on the wire.
    public enum Who: String, Hashable, Sendable, CaseIterable {
        case somebody, nobody
    }

    public init(from decoder: any Decoder) throws {
        let fields = try AutomationFields(decoder, of: Key.self)
        // Before it is read, because reading recurses: a list and a place for each level, and a little for what lies around it.
        guard decoder.codingPath.count <= 4 * Automation.depth + 8 else { throw fields.wrong(.type, "lies too deep") }
        switch try fields.word(.type, as: Word.self) {
        case .state:
            try fields.close(.entityID, .is)
            self = .state(entityID: try fields.text(.entityID), value: try fields.text(.is))
        case .time:
            try fields.close(.from, .to)
            guard let from = TimeOfDay(try fields.text(.from)) else { throw fields.wrong(.from, "is written HH:MM") }
            guard let to = TimeOfDay(try fields.text(.to)) else { throw fields.wrong(.to, "is written HH:MM") }
            self = .time(from: from, to: to)
        case .weekdays:
            try fields.close(.weekdays)
            self = .weekdays(try fields.weekdays(.weekdays).orMissing(fields, .weekdays))
        case .home:
            try fields.close(.who)
            self = .home(anybody: try fields.word(.who, as: Who.self) == .somebody)
        case .all:
            try fields.close(.conditions)
            self = .all(try fields.list(.conditions, of: AutomationCondition.self, atMost: Automation.mostConditions))
        case .any:
            try fields.close(.conditions)
            self = .any(try fields.list(.conditions, of: AutomationCondition.self, atMost: Automation.mostConditions))
        case .not:
            try fields.close(.condition)
            self = .not(try fields.one(.condition, of: AutomationCondition.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func type(_ word: Word) throws { try fields.encode(word.rawValue, forKey: .type) }
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
            try fields.encode(days.inOrder, forKey: .weekdays)
        case .home(let anybody):
            try type(.home)
            try fields.encode((anybody ? Who.somebody : .nobody).rawValue, forKey: .who)
        case .all(let parts):
            try type(.all)
            try fields.encode(parts, forKey: .conditions)
        case .any(let parts):
            try type(.any)
            try fields.encode(parts, forKey: .conditions)
        case .not(let part):
            try type(.not)
            try fields.encode(part, forKey: .condition)
        }
    }
}
