import CardeaModel
import Foundation

/// A memory of the house (Seed 004, item 22): an event, a fact, or a usual way of doing something.
public struct Memory: Hashable, Sendable, Identifiable {
    public let id: String
    public let createdAt: Date
    /// The last time it was of use.
    public var lastAccessed: Date?
    public var type: Kind
    /// A word or two for sorting: `routine`, `security`.
    public var category: String
    /// 0 to 1.
    public var importance: Double
    public var title: String
    public var content: String
    /// Data that belongs to the memory and is not part of its text.
    public var details: [String: JSONValue]
    public let source: Source
    /// The certainty of the memory, 0 to 1.
    public var confidence: Double
    public var accessCount: Int
    public var tags: [String]
    /// Ids of devices.
    public var relatedDevices: [String]
    /// The person who told it, as `person:{id}`; nil if the house found it out.
    public let person: String?
    public var experience: Experience?
    /// Kept in any case, because a person wants it so.
    public var isPinned: Bool

    /// The kind of a memory. `episodic` happened once, `semantic` is a fact, `procedural` is a way of doing something.
    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case episodic, semantic, procedural
    }

    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case sensor, `internal`, learned
        case userInteraction = "user_interaction"

        public init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let source = Source(rawValue: SnakeCase.convert(text)) else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "No such source of a memory."))
            }
            self = source
        }
    }

    /// The result of an action.
    public struct Experience: Codable, Hashable, Sendable {
        public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
            case positive, negative, neutral
        }

        public var outcome: Outcome
        /// -1 to 1.
        public var impactScore: Double

        public init(outcome: Outcome, impactScore: Double) {
            self.outcome = outcome
            self.impactScore = impactScore
        }

        private enum CodingKeys: String, CodingKey {
            case outcome
            case impactScore = "impact_score"
        }
    }

    public init(
        id: String, createdAt: Date, lastAccessed: Date? = nil, type: Kind, category: String, importance: Double = 0.5, title: String,
        content: String, details: [String: JSONValue] = [:], source: Source, confidence: Double = 1, accessCount: Int = 0,
        tags: [String] = [], relatedDevices: [String] = [], person: String? = nil, experience: Experience? = nil, isPinned: Bool = false
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastAccessed = lastAccessed
        self.type = type
        self.category = category
        self.importance = importance
        self.title = title
        self.content = content
        self.details = details
        self.source = source
        self.confidence = confidence
        self.accessCount = accessCount
        self.tags = tags
        self.relatedDevices = relatedDevices
        self.person = person
        self.experience = experience
        self.isPinned = isPinned
    }

    /// True if a person wrote it or wants it kept. The house never drops or rewrites such a memory by itself.
    public var isUserOwned: Bool { isPinned || person != nil || source == .userInteraction }
}

extension Memory: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, category, importance, title, content, details, source, confidence, tags, person, experience
        case createdAt = "created_at"
        case lastAccessed = "last_accessed"
        case type = "memory_type"
        case accessCount = "access_count"
        case relatedDevices = "related_devices"
        case isPinned = "is_pinned"
    }
}
