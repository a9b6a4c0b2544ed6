import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Why a memory is not written, or not shown.
public enum MemoryProblem: Error, Sendable {
    case notFound
    case field(FieldProblem)
    /// It is another's, and whoever asks does not look after the house.
    case notTheirs
    /// It is what happened: that can be looked up and not be changed.
    case asItHappened
    /// It was learned: what is said of it is a correction, not other words.
    case learned
    /// A correction that is not about this side of the habit.
    case correction(HabitCorrection.Problem)
    /// Somebody else changed it meanwhile.
    case stale(RecalledMemory)
    case full
    /// There is no device of this id among those that they may see.
    case noDevice(String)
}

/// A memory as somebody sees it.
public struct RecalledMemory: Hashable, Sendable {
    public let memory: Memory
    /// From 1 on, with every change; 0 for what is not kept as a memory but found and told anew each time: habits, what happened and the hours
    /// of sensors.
    public let version: Int
    /// What a person said of a habit, by whom.
    public let correction: CorrectedHabit?
    /// Whether they may change it.
    public let mayChange: Bool
    /// The name of whoever told it.
    public let toldBy: String?
    /// Whether it is kept with words that are other ones to who reads temperatures otherwise.
    public let isInDegrees: Bool

    /// Whether the same version means the same words, whoever reads it and whenever.
    public var keepsItsWords: Bool { version > 0 && !isInDegrees }
}

/// What somebody wants remembered.
public struct MemoryDraft: Sendable {
    public var type: Memory.Kind
    public var category: String?
    public var importance: Double?
    /// The beginning of the content, where it is left out.
    public var title: String?
    public var content: String
    public var details: [String: JSONValue]
    public var tags: [String]
    public var relatedDevices: [String]
    public var isPinned: Bool

    public init(
        type: Memory.Kind, category: String? = nil, importance: Double? = nil, title: String? = nil, content: String,
        details: [String: JSONValue] = [:], tags: [String] = [], relatedDevices: [String] = [], isPinned: Bool = false
    ) {
        self.type = type
        self.category = category
        self.importance = importance
        self.title = title
        self.content = content
        self.details = details
        self.tags = tags
        self.relatedDevices = relatedDevices
        self.isPinned = isPinned
    }
}

/// What of a memory is to be otherwise. What is nil stays.
public struct MemoryChange: Sendable {
    public var type: Memory.Kind?
    public var category: String?
    public var importance: Double?
    public var title: String?
    public var content: String?
    public var tags: [String]?
    public var relatedDevices: [String]?
    public var isPinned: Bool?
    public var correction: Correction?

    public enum Correction: Sendable {
        case correct(HabitCorrection)
        /// What was said is taken back, and learned anew.
        case relearn
    }

    public init() {}

    var isOfWords: Bool {
        type != nil || category != nil || importance != nil || title != nil || content != nil || tags != nil || relatedDevices != nil
            || isPinned != nil
    }
}

/// Who wants to write or read: as whom, how far they see, whether they look after the house, and how they read temperatures.
public struct Rememberer: Sendable {
    public let sight: Sight
    /// May change what others told, and what the house learned.
    public let keepsHouse: Bool
    /// In which the house's own sentences are told to them.
    public let degrees: TemperatureUnit

    public var key: String { sight.key }

    public init(sight: Sight, keepsHouse: Bool, degrees: TemperatureUnit = .celsius) {
        self.sight = sight
        self.keepsHouse = keepsHouse
        self.degrees = degrees
    }

    /// Somebody of the house, by the rights that they have everywhere.
    public init(_ person: Person, degrees: TemperatureUnit = .celsius) {
        self.init(sight: Sight(of: person), keepsHouse: person.rights.contains(.modifySettings), degrees: degrees)
    }

    func mayChange(_ memory: Memory) -> Bool { keepsHouse || memory.person == key }
}

extension Sight {
    /// Whether they may be told of it: of every device it is about, and of whomever it is about.
    func sees(_ memory: Memory) -> Bool {
        guard memory.relatedDevices.allSatisfy(seesDevice) else { return false }
        guard seesEnergy || memory.details[Memories.energy] != true else { return false }
        guard let about = memory.details[Memories.about]?.string else { return true }
        return seesPerson(about)
    }
}

/// What the house keeps as memories: what people told it, and what it found worth keeping for longer than its journal.
public struct Memories: Sendable {
    let store: Store
    let now: @Sendable () -> Date
    private let uses = Uses()

    /// Apart from what is somebody's; consolidation makes room.
    static let limit = 5000
    /// Of what one of them told.
    static let toldLimit = 2000
    /// Rows that a search looks at.
    static let reach = 1000
    /// Under these names a memory's details say whom it is about, and that it tells of energy.
    static let (about, energy) = ("about", "energy")

    /// What was of use since it was last written down: reading does not wait for the disk.
    private final class Uses: Sendable {
        let counts = Mutex<[String: (count: Int, last: Date)]>([:])
    }

    init(store: Store, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Makes up for what an older hub has left.
    func begin() async throws { try await store.write { try MemoryRecords.listAll(in: $0) } }

    // MARK: Looking

    func candidates(_ search: MemorySearch) async throws -> [KeptMemory] {
        let stems = MemorySearch.stems(search.words)
        // Words that say nothing find nothing.
        if !search.words.isEmpty && stems.isEmpty { return [] }
        return try await store.read { try MemoryRecords.candidates(search, stems: stems, limit: Self.reach, $0) }
    }

    func one(_ id: String) async throws -> KeptMemory? { try await store.read { try MemoryRecords.one(id, $0) } }

    func note(use id: String) {
        let now = now()
        uses.counts.withLock { counts in
            guard counts[id] != nil || counts.count < 10_000 else { return }
            counts[id] = ((counts[id]?.count ?? 0) + 1, now)
        }
    }

    // MARK: Writing

    func add(_ draft: MemoryDraft, by person: String, id: String, record: Recorder) async throws -> KeptMemory {
        let now = now()
        let (content, title) = (draft.content, draft.title ?? Self.title(of: draft.content))
        let memory = Memory(
            id: id, createdAt: now, type: draft.type, category: draft.category ?? "note", importance: draft.importance ?? 0.5, title: title,
            content: content, details: draft.details.filter { !Memory.ownDetails.contains($0.key) },
            source: .userInteraction, tags: draft.tags, relatedDevices: draft.relatedDevices, person: person, isPinned: draft.isPinned)
        let checked = try Self.checked(memory, at: now)
        return try await store.write { db in
            if let before = try MemoryRecords.one(id, db), before.memory.person == person { return before }
            guard try MemoryRecords.count(toldBy: person, db) < Self.toldLimit else { throw MemoryProblem.full }
            let version = try MemoryRecords.write(checked, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": false], in: db)
            return KeptMemory(memory: checked, version: version)
        }
    }

    func change(
        _ id: String, _ change: MemoryChange, seen: SeenVersion, by asker: Rememberer, record: Recorder
    ) async throws -> KeptMemory {
        let now = now()
        return try await store.write { db in
            var memory = try Self.found(id, seen, asker, db)
            memory.type = change.type ?? memory.type
            memory.category = change.category ?? memory.category
            memory.importance = change.importance ?? memory.importance
            // A title that was made of the words goes with them.
            let isOwnTitle = memory.title != Self.title(of: memory.content)
            memory.title = change.title ?? (isOwnTitle ? memory.title : Self.title(of: change.content ?? memory.content))
            // Sent back as it was told, it is nobody's other words.
            if let content = change.content, content != memory.told(in: asker.degrees).content { memory.rewrite(content) }
            memory.tags = change.tags ?? memory.tags
            memory.relatedDevices = change.relatedDevices ?? memory.relatedDevices
            memory.isPinned = change.isPinned ?? memory.isPinned
            let checked = try Self.checked(memory, at: now)
            let version = try MemoryRecords.write(checked, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": false], in: db)
            return KeptMemory(memory: checked, version: version)
        }
    }

    func forget(_ id: String, seen: SeenVersion, by asker: Rememberer, record: Recorder) async throws {
        try await store.write { db in
            _ = try Self.found(id, seen, asker, db)
            try MemoryRecords.remove(id, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": true], in: db)
        }
    }

    private static func found(_ id: String, _ seen: SeenVersion, _ asker: Rememberer, _ db: Database) throws -> Memory {
        guard let kept = try MemoryRecords.one(id, db), asker.sight.sees(kept.memory) else { throw MemoryProblem.notFound }
        guard asker.mayChange(kept.memory) else { throw MemoryProblem.notTheirs }
        guard seen.allows(kept.version) else {
            throw MemoryProblem.stale(
                RecalledMemory(
                    memory: kept.memory.told(in: asker.degrees), version: kept.version, correction: nil, mayChange: true, toldBy: nil,
                    isInDegrees: kept.memory.isInDegrees))
        }
        return kept.memory
    }

    private static func checked(_ memory: Memory, at now: Date) throws -> Memory {
        do { return try memory.checked(at: now) } catch { throw MemoryProblem.field(error) }
    }

    /// The first words, whole.
    private static func title(of content: String) -> String {
        let line = content.split(whereSeparator: \.isNewline).first.map(String.init) ?? content
        guard line.count > 60 else { return line }
        let start = line.prefix(60)
        return String(start.lastIndex(of: " ").map { start[..<$0] } ?? start)
    }

    // MARK: Keeping house

    /// What the house itself found worth keeping.
    func keep(_ memories: [Memory]) async throws {
        guard !memories.isEmpty else { return }
        try await store.write { db in
            for memory in memories {
                try MemoryRecords.write(memory, in: db)
                try Journal.append(.memoryChanged, subject: memory.id, data: ["removed": false], at: now(), in: db)
            }
        }
    }

    /// Writes down what was of use, and forgets what those told who live here no more.
    func tidy(people: Set<String>) async throws {
        let uses = uses.counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        let gone = people.isEmpty ? [] : try await store.read { try MemoryRecords.told(byNoneOf: people, $0) }
        guard !uses.isEmpty || !gone.isEmpty else { return }
        try await store.write { db in
            try MemoryRecords.touch(uses, in: db)
            for id in gone where try MemoryRecords.remove(id, in: db) {
                try Journal.append(.memoryChanged, subject: id, data: ["removed": true], at: now(), in: db)
            }
        }
    }

    /// Makes one of what is said over and over, drops what nobody needs and what has outlived its time, and remembers having done so.
    func consolidate(zone: TimeZone, id: String, _ lexicon: Lexicon) async throws {
        let moment = now()
        let (before, days, sure) = try await store.read { db in
            (try MemoryRecords.all(db), try RetentionRecords.days(.memories, in: db), try ClockRecords.sure(of: moment, db))
        }
        let (all, versions) = (before.map(\.memory), Dictionary(before.map { ($0.memory.id, $0.version) }) { one, _ in one })
        let outcome = Consolidation(limit: Self.limit, maximumAge: Double(days) * 86_400, zone: zone).run(all, at: sure, lexicon)
        let gone = outcome.decisions.filter { $0.fate != .kept }
        guard !gone.isEmpty else {
            return try await store.write { try RetentionRecords.swept(.memories, dropped: 0, at: moment, in: $0) }
        }
        let merged = gone.count { if case .merged = $0.fate { true } else { false } }
        let told = Memory(
            id: id, createdAt: moment, type: .episodic, category: "memory", importance: 0.3, title: lexicon.tell(.tidiedUp),
            content: lexicon.tell(
                .whatWasTidied,
                [
                    .count: "\(all.count)", .number: "\(outcome.memories.count)", .from: "\(merged)",
                    .to: "\(outcome.written.count)", .rest: "\(gone.count - merged)",
                ]),
            details: [
                "dropped": .array(
                    gone.filter { $0.fate == .dropped }.prefix(100).map { decision in
                        .object(["memory_id": .string(decision.memoryID), "why": .string(decision.words)])
                    })
            ], source: .internal)
        try await store.write { db in
            var removed: Set<String> = []
            for decision in gone {
                // Somebody may have taken it up or away meanwhile.
                let isAsItWas = try MemoryRecords.one(decision.memoryID, db)?.version == versions[decision.memoryID]
                if isAsItWas, try MemoryRecords.remove(decision.memoryID, in: db) { removed.insert(decision.memoryID) }
            }
            let dropped = gone.count { $0.fate == .dropped && removed.contains($0.memoryID) }
            try RetentionRecords.swept(.memories, dropped: dropped, at: moment, in: db)
            for memory in outcome.written where versions[memory.id] == nil || removed.contains(memory.id) {
                try MemoryRecords.write(memory, in: db)
            }
            try MemoryRecords.write(told, in: db)
            try Journal.append(.memoryChanged, subject: told.id, data: ["removed": false], at: moment, in: db)
        }
    }
}
