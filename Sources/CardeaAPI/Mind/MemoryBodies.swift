import CardeaModel
import Foundation

/// `POST /api/v1/memory`
public struct RememberBody: WireFormat.Body, Encodable, Sendable {
    /// `episodic` happened once, `semantic` is so, `procedural` goes so.
    public var type: MemoryType
    /// The text to remember, 1 to 4000 characters.
    public var content: String
    /// Its first words, if omitted.
    public var title: String?
    /// One or two words for sorting; `note` if omitted.
    public var category: String?
    /// 0 to 1.
    public var importance: Double?
    public var tags: [String]?
    /// Ids of devices that it is about.
    public var relatedDevices: [String]?
    /// Kept whatever happens.
    public var isPinned: Bool?
    /// Context that belongs to the memory and is not in its text.
    public var context: [String: JSONValue]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case type, content, title, category, importance, tags, context
        case relatedDevices = "related_devices"
        case isPinned = "is_pinned"
    }

    public init(type: MemoryType = .semantic, content: String) {
        self.type = type
        self.content = content
    }
}

/// The kind of memory (Seed 004, item 22).
public enum MemoryType: String, Codable, Sendable, CaseIterable {
    case episodic, semantic, procedural
}

/// `PATCH /api/v1/memory/{id}`: omitted fields stay.
public struct ChangeMemoryBody: WireFormat.Body, Encodable, Sendable {
    public var memoryType: MemoryType?
    public var title: String?
    public var content: String?
    public var category: String?
    public var importance: Double?
    public var tags: [String]?
    public var relatedDevices: [String]?
    public var isPinned: Bool?
    /// Of a learned habit, which takes nothing else.
    public var correction: HabitCorrectionBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case title, content, category, importance, tags, correction
        case memoryType = "memory_type"
        case relatedDevices = "related_devices"
        case isPinned = "is_pinned"
    }

    public init() {}
}

/// A correction of a learned habit: exactly one of these alternatives.
public struct HabitCorrectionBody: WireFormat.Body, Codable, Hashable, Sendable {
    /// By then it is to be shut, locked or off.
    public var shutBy: TimeOfDay?
    /// With `high`: the range that a sensor should show.
    public var low: Double?
    public var high: Double?
    /// With `active`: hours of the week, 0 for Monday from midnight to one, in which it is open, on or at home, or is not.
    public var hours: [Int]?
    public var active: Bool?
    /// Withdraws the earlier corrections; the habit is learned again.
    public var relearn: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case low, high, hours, active, relearn
        case shutBy = "shut_by"
    }

    public init(shutBy: TimeOfDay? = nil, low: Double? = nil, high: Double? = nil, relearn: Bool? = nil) {
        self.shutBy = shutBy
        self.low = low
        self.high = high
        self.relearn = relearn
    }
}

/// A memory of the house.
public struct MemoryAnswer: Codable, Sendable {
    public let memoryID: String
    public let memoryType: String
    public let category: String
    /// 0 to 1.
    public let importance: Double
    public let title: String
    public let content: String
    public let details: [String: JSONValue]
    /// `sensor`, `user_interaction`, `internal` or `learned`.
    public let source: String
    /// The house's confidence in it, 0 to 1.
    public let confidence: Double
    public let accessCount: Int
    public let tags: [String]
    public let relatedDevices: [String]
    public let isPinned: Bool
    /// True if the caller may change it.
    public let mayChange: Bool
    /// Rises with every change; 0 for entries that are computed each time instead of stored.
    public let version: Int
    public let createdAt: Date
    @Nullable public private(set) var lastAccessed: Date?
    /// The name of the person who told it.
    @Nullable public private(set) var toldBy: String?
    @Nullable public private(set) var experience: ExperienceAnswer?
    @Nullable public private(set) var correction: CorrectionAnswer?

    enum CodingKeys: String, CodingKey {
        case category, importance, title, content, details, source, confidence, tags, version, experience, correction
        case memoryID = "memory_id"
        case memoryType = "memory_type"
        case accessCount = "access_count"
        case relatedDevices = "related_devices"
        case isPinned = "is_pinned"
        case mayChange = "may_change"
        case createdAt = "created_at"
        case lastAccessed = "last_accessed"
        case toldBy = "told_by"
    }

    public init(
        memoryID: String, memoryType: String, category: String, importance: Double, title: String, content: String,
        details: [String: JSONValue], source: String, confidence: Double, accessCount: Int, tags: [String], relatedDevices: [String],
        isPinned: Bool, mayChange: Bool, version: Int, createdAt: Date, lastAccessed: Date?, toldBy: String?, experience: ExperienceAnswer?,
        correction: CorrectionAnswer?
    ) {
        self.memoryID = memoryID
        self.memoryType = memoryType
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
        self.isPinned = isPinned
        self.mayChange = mayChange
        self.version = version
        self.createdAt = createdAt
        self.lastAccessed = lastAccessed
        self.toldBy = toldBy
        self.experience = experience
        self.correction = correction
    }
}

/// The outcome of an experience.
public struct ExperienceAnswer: Codable, Sendable {
    /// `positive`, `negative` or `neutral`.
    public let outcome: String
    /// -1 to 1.
    public let impactScore: Double

    enum CodingKeys: String, CodingKey {
        case outcome
        case impactScore = "impact_score"
    }

    public init(outcome: String, impactScore: Double) {
        self.outcome = outcome
        self.impactScore = impactScore
    }
}

/// A person's correction of a habit. It overrides everything learned.
public struct CorrectionAnswer: Codable, Sendable {
    /// True if it is no longer learned.
    public let forgotten: Bool
    @Nullable public private(set) var shutBy: TimeOfDay?
    @Nullable public private(set) var low: Double?
    @Nullable public private(set) var high: Double?
    @Nullable public private(set) var hours: [Int]?
    @Nullable public private(set) var active: Bool?
    public let at: Date

    enum CodingKeys: String, CodingKey {
        case forgotten, low, high, hours, active, at
        case shutBy = "shut_by"
    }

    public init(
        forgotten: Bool = false, shutBy: TimeOfDay? = nil, between: ClosedRange<Double>? = nil, hours: [Int]? = nil, active: Bool? = nil,
        at: Date
    ) {
        self.forgotten = forgotten
        self.at = at
        self.shutBy = shutBy
        low = between?.lowerBound
        high = between?.upperBound
        self.hours = hours
        self.active = active
    }
}

/// `GET /api/v1/memory`
public struct MemoriesAnswer: Codable, Sendable {
    /// The most relevant first.
    public let memories: [MemoryAnswer]
    /// Of those that fit; counted to 200.
    public let total: Int
    /// Before this, what happened was only looked for by names; nil if all of it was.
    public let searchedSince: Date?

    enum CodingKeys: String, CodingKey {
        case memories, total
        case searchedSince = "searched_since"
    }

    public init(memories: [MemoryAnswer], total: Int, searchedSince: Date? = nil) {
        self.memories = memories
        self.total = total
        self.searchedSince = searchedSince
    }
}

/// The answer to a request to remember something.
public struct RememberedAnswer: Codable, Sendable {
    public let memoryID: String
    public let status: String
    public let timestamp: Date
    public let memory: MemoryAnswer

    enum CodingKeys: String, CodingKey {
        case status, timestamp, memory
        case memoryID = "memory_id"
    }

    public init(_ memory: MemoryAnswer) {
        memoryID = memory.memoryID
        status = "stored"
        timestamp = memory.createdAt
        self.memory = memory
    }
}
