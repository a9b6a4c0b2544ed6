import CardeaModel

/// The parts of a device that are ways in by the house's memory, and what they wait for.
public struct WaysInAnswer: Codable, Sendable {
    public let waysIn: [WayInAnswer]
    /// The possible answers for those that wait for one.
    public let answers: [Resolution]

    /// The last segment of the answer's path.
    public enum Resolution: String, Codable, Sendable, CaseIterable {
        case sameDoor = "same-door"
        /// They open no way in. Not possible for a lock.
        case none
    }

    enum CodingKeys: String, CodingKey {
        case answers
        case waysIn = "ways_in"
    }

    public init(_ ways: [(entity: Entity, memory: WayInMemory)]) {
        waysIn = ways.map { WayInAnswer($0.entity, $0.memory) }
        let waiting = zip(ways, waysIn).filter { $0.1.sentence != nil }.map(\.0.entity)
        answers = waiting.isEmpty ? [] : waiting.allSatisfy(\.isDeclaredWayIn) ? [.sameDoor] : Resolution.allCases
    }
}

public struct WayInAnswer: Codable, Sendable {
    public let entityID: String
    public let name: String
    /// A plain sentence if a person has to decide; nil for a way in as the household knows it.
    @Nullable public private(set) var sentence: String?
    /// Closed to guests, tags, buttons, scenes and automations until a person decides.
    public let isClosed: Bool
    /// The way in whose topic it shares.
    @Nullable public private(set) var sharesTopicOf: String?
    /// The members of its announcement and their values, as the household knows them. Empty if its integration tells none.
    public let known: [String: String]
    /// The members that are announced otherwise now.
    public let changes: [Change]
    public struct Change: Codable, Sendable {
        public let member: String
        /// Its value as the household knows it; nil if there was none.
        @Nullable public private(set) var known: String?
        /// Its value as it is announced; nil if there is none any more.
        @Nullable public private(set) var announced: String?
    }

    enum CodingKeys: String, CodingKey {
        case name, sentence, known, changes
        case entityID = "entity_id"
        case isClosed = "is_closed"
        case sharesTopicOf = "shares_topic_of"
    }

    init(_ entity: Entity, _ memory: WayInMemory) {
        entityID = entity.id
        name = entity.name
        isClosed = memory.restrictions.isClosed
        sharesTopicOf = memory.restrictions.shares
        let (known, announced) = (Self.members(memory.wiring), Self.members(memory.announced ?? memory.wiring))
        self.known = known
        changes = Set(known.keys).union(announced.keys).sorted().filter { known[$0] != announced[$0] }.map {
            Change(member: $0, known: known[$0], announced: announced[$0])
        }
        let hold = memory.restrictions
        sentence =
            if hold.isRewired {
                "It is announced with other topics or payloads than before. Guests, tags, scenes and automations cannot open it until you confirm that it is the same door."
            } else if let holder = hold.shares {
                "It is announced on a topic of \(holder) or near it, so it might open that door. Guests, tags, scenes and automations cannot use it until you confirm what it is."
            } else if hold.hasChangedCommands {
                "Its commands to lock, close or stop are announced with other topics or payloads than before. They count as opening until you confirm that it is the same door."
            } else if !entity.isDeclaredWayIn {
                "Its device no longer announces it as a way in. It stays one until you confirm that it opens none."
            } else {
                nil
            }
    }

    private static func members(_ wiring: EntityCommandTopics?) -> [String: String] {
        wiring.map { $0.opening.merging($0.harmless) { $1 } } ?? [:]
    }
}

/// The parts that the answer is about.
public struct WaysInBody: WireFormat.Body, Encodable, Sendable {
    /// If omitted, all that wait for such a decision.
    public var entityIDs: [String]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case entityIDs = "entity_ids"
    }

    public init(entityIDs: [String]? = nil) {
        self.entityIDs = entityIDs
    }
}

extension WaysInAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "ways_in": .list(
            of: .answer([
                "entity_id": .entityID, "name": .text(),
                "sentence": .text().orNull.about("The pending confirmation, as a sentence; null if none is needed"),
                "is_closed": .boolean.about("Closed to guests and to everything set up before"), "shares_topic_of": .entityID.orNull,
                "known": .map().about("Members of the confirmed announcement"),
                "changes": .list(
                    of: .answer(["member": .text(), "known": .text().orNull, "announced": .text().orNull])
                ).about("Members that differ in the present announcement"),
            ])),
        "answers": .list(of: .enumeration(WaysInAnswer.Resolution.self)).about("Possible confirmations for the pending entities"),
    ])
}

extension WaysInBody: SchemaRepresentable {
    public static let schema = Schema.body([:], optional: ["entity_ids": .list(of: .entityID).about("Omitted: all pending entities")])
    public static let example: JSONValue? = ["entity_ids": ["lock.front_door"]]
}
