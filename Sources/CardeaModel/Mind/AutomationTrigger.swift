import Foundation

/// A trigger of an automation: a change, not a state that lasts.
public enum AutomationTrigger: Hashable, Sendable {
    /// An entity takes a state and keeps it for so many seconds (0: at once).
    case state(entityID: String, to: String, seconds: Int)
    /// A numeric state rises above a bound, or falls below it.
    case number(entityID: String, Crossing)
    case presence(Presence)
    /// A time of day, by the house's local time.
    case time(at: TimeOfDay, weekdays: Set<Weekday>)
    /// A camera or a doorbell detected an event of this type, such as `person`.
    case seen(eventType: String, cameraID: String?)
    /// A request was refused.
    case refused(deviceID: String?)
    /// A device became unreachable.
    case offline(deviceID: String)

    public enum Crossing: Hashable, Sendable {
        case above(Double)
        case below(Double)

        /// Returns whether a number lies beyond the bound.
        public func holds(_ number: Double) -> Bool {
            switch self {
            case .above(let bound): number > bound
            case .below(let bound): number < bound
            }
        }
    }

    /// An arrival or departure, among the people whose presence is known.
    public enum Presence: Hashable, Sendable {
        case lastLeaves
        case firstArrives
        /// The person with this id leaves.
        case leaves(String)
        case arrives(String)
    }

    /// A day, in seconds: the longest time for which a state may have to last.
    public static let maximumDuration = 86_400

    func check(_ field: String) throws(AutomationError) {
        switch self {
        case .state(let entityID, let to, let seconds):
            try AutomationError.checkID(entityID, "\(field).entity_id")
            guard (1...64).contains(to.count), to.utf8.count <= 256 else {
                throw AutomationError("\(field).to", "must have 1 to 64 characters")
            }
            guard (0...Self.maximumDuration).contains(seconds) else {
                throw AutomationError("\(field).for_seconds", "must be from 0 to \(Self.maximumDuration) seconds")
            }
        case .number(let entityID, .above(let bound)):
            try AutomationError.checkID(entityID, "\(field).entity_id")
            try AutomationError.check(bound, "\(field).above")
        case .number(let entityID, .below(let bound)):
            try AutomationError.checkID(entityID, "\(field).entity_id")
            try AutomationError.check(bound, "\(field).below")
        case .presence(.lastLeaves), .presence(.firstArrives): break
        case .presence(.leaves(let person)), .presence(.arrives(let person)):
            try AutomationError.checkID(person, "\(field).person_id")
        case .time(_, let weekdays): try AutomationError.check(weekdays, "\(field).weekdays")
        case .seen(let type, let camera):
            try AutomationError.checkID(type, "\(field).event_type")
            if let camera { try AutomationError.checkID(camera, "\(field).camera_id") }
        case .refused(let device): if let device { try AutomationError.checkID(device, "\(field).device_id") }
        case .offline(let device): try AutomationError.checkID(device, "\(field).device_id")
        }
    }

    /// The ways in which an outsider can cause a trigger.
    public enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// A person who can reach the sensor, or the system that reports it.
        case sensor
        /// A person whom a camera sees, or who can send the hub an event.
        case event
        /// A person who has a resident's phone, or is signed in as them.
        case presence
        /// Any person whose request is refused.
        case refusal
        /// A person who can cut the device's power or network.
        case outage
    }

    /// The kind of evidence behind the trigger, and so its weakness; nil for the clock, which no outsider can change.
    public var evidence: Evidence? {
        switch self {
        case .state, .number: .sensor
        case .seen: .event
        case .presence: .presence
        case .refused: .refusal
        case .offline: .outage
        case .time: nil
        }
    }

    /// The entity that it depends on.
    public var entityID: String? {
        switch self {
        case .state(let id, _, _), .number(let id, _): id
        default: nil
        }
    }

    /// The id of the person it waits for; nil if it waits for no particular person.
    public var personID: String? {
        switch self {
        case .presence(.leaves(let person)), .presence(.arrives(let person)): person
        case .presence(.lastLeaves), .presence(.firstArrives), .state, .number, .time, .seen, .refused, .offline: nil
        }
    }
}

extension AutomationTrigger: Codable {
    private enum Key: String, CodingKey {
        case type, to, above, below, change, at, weekdays
        case entityID = "entity_id"
        case seconds = "for_seconds"
        case personID = "person_id"
        case eventType = "event_type"
        case cameraID = "camera_id"
        case deviceID = "device_id"
    }

    /// The name of the trigger on the wire.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case state, number, presence, time, seen, refused, offline
    }

    /// The name of the presence trigger on the wire.
    public enum PresenceChange: String, Hashable, Sendable, CaseIterable {
        case lastLeaves = "last_leaves"
        case firstArrives = "first_arrives"
        case leaves, arrives
    }

    public init(from decoder: any Decoder) throws {
        let fields = try AutomationFieldDecoder(decoder, of: Key.self)
        switch try fields.word(.type, as: Kind.self) {
        case .state:
            try fields.rejectUnknown(.entityID, .to, .seconds)
            self = .state(
                entityID: try fields.text(.entityID), to: try fields.text(.to), seconds: try fields.integer(.seconds) ?? 0)
        case .number:
            try fields.rejectUnknown(.entityID, .above, .below)
            let (above, below) = (try fields.number(.above), try fields.number(.below))
            guard (above == nil) != (below == nil) else {
                throw fields.invalidValue(.above, "send either above or below")
            }
            self = .number(entityID: try fields.text(.entityID), try above.map { .above($0) } ?? .below(below.orMissing(fields, .below)))
        case .presence:
            try fields.rejectUnknown(.change, .personID)
            self = .presence(try Self.presence(fields))
        case .time:
            try fields.rejectUnknown(.at, .weekdays)
            let text = try fields.text(.at)
            guard let at = TimeOfDay(text) else { throw fields.invalidValue(.at, TimeOfDay.validationMessage(text)) }
            self = .time(at: at, weekdays: try fields.weekdays(.weekdays) ?? Set(Weekday.allCases))
        case .seen:
            try fields.rejectUnknown(.eventType, .cameraID)
            self = .seen(eventType: try fields.text(.eventType), cameraID: try fields.optionalText(.cameraID))
        case .refused:
            try fields.rejectUnknown(.deviceID)
            self = .refused(deviceID: try fields.optionalText(.deviceID))
        case .offline:
            try fields.rejectUnknown(.deviceID)
            self = .offline(deviceID: try fields.text(.deviceID))
        }
    }

    private static func presence(_ fields: AutomationFieldDecoder<Key>) throws -> Presence {
        let (change, person) = (try fields.word(.change, as: PresenceChange.self), try fields.optionalText(.personID))
        switch change {
        case .lastLeaves, .firstArrives:
            guard person == nil else { throw fields.invalidValue(.personID, "goes only with change leaves or arrives. Remove it") }
            return change == .lastLeaves ? .lastLeaves : .firstArrives
        case .leaves, .arrives:
            let person = try fields.text(.personID)
            return change == .leaves ? .leaves(person) : .arrives(person)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func type(_ word: Kind) throws { try fields.encode(word.rawValue, forKey: .type) }
        switch self {
        case .state(let entityID, let to, let seconds):
            try type(.state)
            try fields.encode(entityID, forKey: .entityID)
            try fields.encode(to, forKey: .to)
            try fields.encode(seconds, forKey: .seconds)
        case .number(let entityID, let crossing):
            try type(.number)
            try fields.encode(entityID, forKey: .entityID)
            switch crossing {
            case .above(let bound): try fields.encode(bound, forKey: .above)
            case .below(let bound): try fields.encode(bound, forKey: .below)
            }
        case .presence(let presence):
            try type(.presence)
            try encode(presence, &fields)
        case .time(let at, let weekdays):
            try type(.time)
            try fields.encode(at.description, forKey: .at)
            try fields.encode(weekdays.sorted, forKey: .weekdays)
        case .seen(let eventType, let cameraID):
            try type(.seen)
            try fields.encode(eventType, forKey: .eventType)
            try fields.encode(cameraID, forKey: .cameraID)
        case .refused(let deviceID):
            try type(.refused)
            try fields.encode(deviceID, forKey: .deviceID)
        case .offline(let deviceID):
            try type(.offline)
            try fields.encode(deviceID, forKey: .deviceID)
        }
    }

    private func encode(_ presence: Presence, _ fields: inout KeyedEncodingContainer<Key>) throws {
        let (change, person): (PresenceChange, String?) =
            switch presence {
            case .lastLeaves: (.lastLeaves, nil)
            case .firstArrives: (.firstArrives, nil)
            case .leaves(let person): (.leaves, person)
            case .arrives(let person): (.arrives, person)
            }
        try fields.encode(change.rawValue, forKey: .change)
        try fields.encodeIfPresent(person, forKey: .personID)
    }
}
