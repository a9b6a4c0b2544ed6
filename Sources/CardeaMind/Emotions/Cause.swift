import CardeaModel
import Foundation

/// The reason for a feeling: the fact, since when it holds, its effect on the emotions, and its evidence.
public struct Cause: Codable, Hashable, Sendable, Identifiable {
    /// Made of the rule and its subject, such as `open:cover.garage`. It stays the same as long as the cause lasts.
    public let id: String
    public let kind: CauseKind
    /// The effect on each emotion as a share of its weight: −1 to 1.
    public let effects: EmotionVector
    /// The weight of its kind.
    public let weight: Double
    public let words: ParameterizedSentence
    /// The events and hourly readings that are its evidence; at most `Cause.evidenceLimit`.
    public let grounds: [EvidenceReference]
    /// The devices it is about, by id.
    public let devices: [String]
    /// The people it is about: `person:{id}`, `guest:{id}`.
    public let people: [String]
    public let needs: Set<Need>
    public var since: Date
    /// When it was over; nil while it lasts.
    public var until: Date?

    /// A right that the requester needs to see the cause, besides seeing the devices, people and events named in it.
    public enum Need: String, Codable, Hashable, Sendable, CaseIterable {
        case energy
        /// The cause says that nothing happened, and so reveals something about everything.
        case everything
    }

    static let evidenceLimit = 20
    /// The prefix of the ids of causes about smoke, gas or water.
    static let alarmPrefix = "alarm:"
    /// True if people in the house are in danger.
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

    /// The ids of the events that an answer cites as evidence.
    public var events: [String] { grounds.map(\.id) }

    /// The amount by which it would move `emotion` if it were the only cause.
    public func pull(on emotion: Emotion) -> Double { weight * effects[emotion] }

    /// Returns true if the cause is about this person.
    ///
    /// - Parameter person: their key, `person:{id}`.
    func concerns(_ person: String) -> Bool { people.contains(person) || grounds.contains { $0.actor == person } }

    /// The sum of all its effects, by which causes are ranked.
    var strength: Double { Emotion.allCases.reduce(0) { $0 + abs(pull(on: $1)) } }
}

extension RequesterVisibility {
    /// True if the requester may see everything in the house.
    public var isWhole: Bool { seesEverybody && seesGuests && seesEvents && seesEnergy && devices == nil }

    /// Returns whether the requester may see this cause: only if they may see every device, person and event in it.
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
