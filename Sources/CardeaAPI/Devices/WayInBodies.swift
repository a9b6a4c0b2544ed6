import CardeaModel

/// The parts of a device that are ways in by the house's memory, and what they wait for.
public struct WaysInAnswer: Codable, Sendable {
    public let waysIn: [WayInAnswer]

    enum CodingKeys: String, CodingKey {
        case waysIn = "ways_in"
    }

    public init(_ ways: [(entity: Entity, memory: WayInMemory)]) {
        waysIn = ways.map { WayInAnswer($0.entity, $0.memory) }
    }
}

public struct WayInAnswer: Codable, Sendable {
    public let entityID: String
    public let name: String
    /// A plain sentence that says how it stands.
    public let sentence: String
    /// Closed to guests, tags, buttons, scenes and automations until somebody says what it is.
    public let isClosed: Bool
    /// The way in whose topic it shares.
    @Nullable public private(set) var sharesTopicOf: String?
    /// How the household knows it: members of its announcement and their values. Empty where its integration tells none.
    public let known: [String: String]
    /// How it is announced now, where that is otherwise.
    @Nullable public private(set) var announced: [String: String]?

    enum CodingKeys: String, CodingKey {
        case name, sentence, known, announced
        case entityID = "entity_id"
        case isClosed = "is_closed"
        case sharesTopicOf = "shares_topic_of"
    }

    init(_ entity: Entity, _ memory: WayInMemory) {
        entityID = entity.id
        name = entity.name
        isClosed = memory.hold.isClosed
        sharesTopicOf = memory.hold.shares
        known = Self.members(memory.wiring)
        announced = memory.announced.map(Self.members)
        let hold = memory.hold
        sentence =
            if hold.isRewired {
                "It is announced with other topics or payloads than before. Guests, tags, scenes and automations cannot open it until you say that it is the same door."
            } else if let holder = hold.shares {
                "It is announced on a topic of \(holder) or near it, and might open it. Guests, tags, scenes and automations cannot use it until you say what it is."
            } else if hold.hasOtherOrders {
                "What locks, closes or stops it is announced otherwise than before, and counts as opening it until you say that it is the same door."
            } else {
                "It is a way in, and stays one whatever its device announces."
            }
    }

    private static func members(_ wiring: EntityWiring?) -> [String: String] {
        wiring.map { $0.opening.merging($0.harmless) { $1 } } ?? [:]
    }
}

/// Of which parts something is said.
public struct WaysInBody: Wire.Body, Encodable, Sendable {
    /// Left out, all that wait for such a word.
    public var entityIDs: [String]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case entityIDs = "entity_ids"
    }

    public init(entityIDs: [String]? = nil) {
        self.entityIDs = entityIDs
    }
}
