import CardeaModel
import Foundation

/// Why the house feels something: what is the case, since when, what it does to the feelings, and what that rests on.
public struct Cause: Codable, Hashable, Sendable, Identifiable {
    /// Made of the rule and of what it is about, such as `open:cover.garage`: the same as long as it lasts.
    public let id: String
    public let kind: CauseKind
    /// Which way it moves each emotion, and how much of its weight that takes: −1 to 1.
    public let effects: EmotionVector
    /// The weight of its kind.
    public let weight: Double
    public let words: ParameterizedSentence
    /// The happenings and the sensors' hours it rests on; at most `Cause.evidenceLimit`.
    public let grounds: [EvidenceReference]
    /// The devices it speaks of, by id.
    public let devices: [String]
    /// The people it speaks of: `person:{id}`, `guest:{id}`.
    public let people: [String]
    public let needs: Set<Need>
    public var since: Date
    /// When it was over; nil while it lasts.
    public var until: Date?

    /// What somebody must be allowed to see, besides the devices, the people and the happenings that are named.
    public enum Need: String, Codable, Hashable, Sendable, CaseIterable {
        case energy
        /// It tells that nothing happened, and so tells of everything.
        case everything
    }

    static let evidenceLimit = 20
    /// How the ids of those begin that tell of smoke, gas or water.
    static let alarmPrefix = "alarm:"
    /// Whether whoever is in the house is in danger.
    public var isDanger: Bool { id.hasPrefix(Self.alarmPrefix) }

    init(
        _ id: String, _ kind: CauseKind, _ effects: EmotionVector, _ words: ParameterizedSentence, on grounds: [EvidenceReference] = [],
        devices: [String] = [],
        people: [String] = [], needs: Set<Need> = [], since: Date
    ) {
        self.id = id
        self.kind = kind
        self.effects = effects.clamped(to: -1...1)
        weight = kind.weight
        self.words = words
        self.grounds = Array(grounds.suffix(Self.evidenceLimit))
        self.devices = devices
        self.people = people
        self.needs = needs
        self.since = since
    }

    /// The events by which an answer names what it rests on.
    public var events: [String] { grounds.map(\.id) }

    /// By how much it would move `emotion` if there were nothing else.
    public func pull(on emotion: Emotion) -> Double { weight * effects[emotion] }

    /// Whether it tells of somebody, by their key.
    func concerns(_ person: String) -> Bool { people.contains(person) || grounds.contains { $0.actor == person } }

    /// All it does, by which the weighty are told from the small.
    var strength: Double { Emotion.allCases.reduce(0) { $0 + abs(pull(on: $1)) } }
}

extension AskerVisibility {
    /// Whether there is nothing in the house that they may not see.
    public var isWhole: Bool { seesEverybody && seesGuests && seesEvents && seesEnergy && devices == nil }

    /// Whether they may hear of this cause: only where they may see every device, everybody and every happening that it tells of.
    public func sees(_ cause: Cause) -> Bool {
        guard cause.devices.allSatisfy(seesDevice), cause.people.allSatisfy(seesPerson) else { return false }
        guard cause.grounds.allSatisfy({ redacted($0.eventOutline) != nil }) else { return false }
        return cause.needs.allSatisfy { need in
            switch need {
            case .energy: seesEnergy
            case .everything: isWhole
            }
        }
    }

    func seesPerson(_ person: String) -> Bool {
        person == key || seesEverybody || (seesGuests && person.hasPrefix("guest:"))
    }
}
