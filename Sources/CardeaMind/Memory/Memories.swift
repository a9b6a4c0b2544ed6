import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

extension RequesterVisibility {
    /// Returns whether the requester may see the memory: only if they may see every device and person it is about.
    func sees(_ memory: Memory) -> Bool {
        guard memory.relatedDevices.allSatisfy(seesDevice) else { return false }
        guard seesEnergy || memory.details[Memories.energyKey] != true else { return false }
        guard let about = memory.details[Memories.subjectKey]?.string else { return true }
        return seesPerson(about)
    }
}

/// The memories of the house: what people told it, and what it found worth keeping for longer than the journal.
public struct Memories: Sendable {
    let store: Store
    let now: @Sendable () -> Date
    private let usage = UsageCounter()

    /// The limit for memories that are not owned by a person. Consolidation makes room.
    static let limit = 5000
    /// The limit for memories told by one person.
    static let perPersonLimit = 2000
    /// The most rows that a search reads.
    static let searchLimit = 1000
    /// The keys in a memory's details for the person it is about, and for its being about energy.
    static let (subjectKey, energyKey) = ("about", "energy")

    /// Counts the uses of memories since they were last written to the store, so that reading does not wait for the disk.
    private final class UsageCounter: Sendable {
        let counts = Mutex<[String: (count: Int, last: Date)]>([:])
    }

    init(store: Store, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Completes the index if an older hub has not.
    func rebuildIndex() async throws { try await store.write { try MemoryRecords.indexAll(in: $0) } }

    // MARK: Search

    func candidates(_ search: MemorySearch) async throws -> [StoredMemory] {
        let stems = MemorySearch.stems(search.words)
        // Words without meaning match nothing.
        if !search.words.isEmpty && stems.isEmpty { return [] }
        return try await store.read { try MemoryRecords.candidates(search, stems: stems, limit: Self.searchLimit, $0) }
    }

    func one(_ id: String) async throws -> StoredMemory? { try await store.read { try MemoryRecords.one(id, $0) } }

    func record(use id: String) {
        let now = now()
        usage.counts.withLock { counts in
            guard counts[id] != nil || counts.count < 10_000 else { return }
            counts[id] = ((counts[id]?.count ?? 0) + 1, now)
        }
    }

    // MARK: Writing

    func add(_ draft: MemoryDraft, by person: String, id: String, record: ChangeRecorder) async throws -> StoredMemory {
        let now = now()
        let (content, title) = (draft.content, draft.title ?? Self.title(of: draft.content))
        let memory = Memory(
            id: id, createdAt: now, type: draft.type, category: draft.category ?? "note", importance: draft.importance ?? 0.5, title: title,
            content: content, details: draft.details.filter { !Memory.reservedDetails.contains($0.key) },
            source: .userInteraction, tags: draft.tags, relatedDevices: draft.relatedDevices, person: person, isPinned: draft.isPinned)
        let checked = try Self.checked(memory, at: now)
        return try await store.write { db in
            if let before = try MemoryRecords.one(id, db), before.memory.person == person { return before }
            guard try MemoryRecords.count(toldBy: person, db) < Self.perPersonLimit else { throw MemoryError.limitReached }
            let version = try MemoryRecords.write(checked, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": false], in: db)
            return StoredMemory(memory: checked, version: version)
        }
    }

    func change(
        _ id: String, _ change: MemoryChange, seen: ExpectedVersion, by requester: MemoryRequester, record: ChangeRecorder
    ) async throws -> StoredMemory {
        let now = now()
        return try await store.write { db in
            var memory = try Self.authorizedMemory(id, seen, requester, db)
            memory.type = change.type ?? memory.type
            memory.category = change.category ?? memory.category
            memory.importance = change.importance ?? memory.importance
            // A title that was made from the content changes with it.
            let isOwnTitle = memory.title != Self.title(of: memory.content)
            memory.title = change.title ?? (isOwnTitle ? memory.title : Self.title(of: change.content ?? memory.content))
            // If the content is sent back as it was rendered, it is no change by the person.
            if let content = change.content, content != memory.rendered(in: requester.degrees).content { memory.replaceContent(content) }
            memory.tags = change.tags ?? memory.tags
            memory.relatedDevices = change.relatedDevices ?? memory.relatedDevices
            memory.isPinned = change.isPinned ?? memory.isPinned
            let checked = try Self.checked(memory, at: now)
            let version = try MemoryRecords.write(checked, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": false], in: db)
            return StoredMemory(memory: checked, version: version)
        }
    }

    func delete(_ id: String, seen: ExpectedVersion, by requester: MemoryRequester, record: ChangeRecorder) async throws {
        try await store.write { db in
            _ = try Self.authorizedMemory(id, seen, requester, db)
            try MemoryRecords.remove(id, in: db)
            try record(.memoryChanged, subject: id, data: ["removed": true], in: db)
        }
    }

    private static func authorizedMemory(_ id: String, _ seen: ExpectedVersion, _ requester: MemoryRequester, _ db: Database) throws
        -> Memory
    {
        guard let stored = try MemoryRecords.one(id, db), requester.visibility.sees(stored.memory) else { throw MemoryError.notFound }
        guard requester.canChange(stored.memory) else { throw MemoryError.notAllowed }
        guard seen.allows(stored.version) else {
            throw MemoryError.stale(
                VisibleMemory(
                    memory: stored.memory.rendered(in: requester.degrees), version: stored.version, correction: nil, canChange: true,
                    authorName: nil,
                    containsTemperatures: stored.memory.containsTemperatures))
        }
        return stored.memory
    }

    private static func checked(_ memory: Memory, at now: Date) throws -> Memory {
        do { return try memory.checked(at: now) } catch { throw MemoryError.field(error) }
    }

    /// The first words of the text, without cutting a word.
    private static func title(of content: String) -> String {
        let line = content.split(whereSeparator: \.isNewline).first.map(String.init) ?? content
        guard line.count > 60 else { return line }
        let start = line.prefix(60)
        return String(start.lastIndex(of: " ").map { start[..<$0] } ?? start)
    }

    // MARK: Maintenance

    /// Saves memories that the house made itself.
    func save(_ memories: [Memory]) async throws {
        guard !memories.isEmpty else { return }
        try await store.write { db in
            for memory in memories {
                try MemoryRecords.write(memory, in: db)
                try Journal.append(.memoryChanged, subject: memory.id, data: ["removed": false], at: now(), in: db)
            }
        }
    }

    /// Writes the counted uses, and deletes memories told by people who no longer live here.
    func maintain(people: Set<String>) async throws {
        let uses = usage.counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
        let gone = people.isEmpty ? [] : try await store.read { try MemoryRecords.ids(byNoneOf: people, $0) }
        guard !uses.isEmpty || !gone.isEmpty else { return }
        try await store.write { db in
            try MemoryRecords.recordAccess(uses, in: db)
            for id in gone where try MemoryRecords.remove(id, in: db) {
                try Journal.append(.memoryChanged, subject: id, data: ["removed": true], at: now(), in: db)
            }
        }
    }

    /// Merges repeated memories, drops those that are not needed or too old, and records having done so.
    func consolidate(zone: TimeZone, id: String, _ lexicon: Lexicon) async throws {
        let moment = now()
        let (before, days, sure) = try await store.read { db in
            (try MemoryRecords.all(db), try RetentionRecords.days(.memories, in: db), try ClockRecords.trustedTime(of: moment, db))
        }
        let (all, versions) = (before.map(\.memory), Dictionary(before.map { ($0.memory.id, $0.version) }) { one, _ in one })
        let outcome = MemoryConsolidation(limit: Self.limit, maximumAge: Double(days) * 86_400, zone: zone).run(all, at: sure, lexicon)
        let gone = outcome.decisions.filter { $0.disposition != .kept }
        guard !gone.isEmpty else {
            return try await store.write { try RetentionRecords.recordSweep(.memories, dropped: 0, at: moment, in: $0) }
        }
        let merged = gone.count { if case .merged = $0.disposition { true } else { false } }
        let told = Memory(
            id: id, createdAt: moment, type: .episodic, category: "memory", importance: 0.3, title: lexicon.stateText(.tidiedUp),
            content: lexicon.stateText(
                .whatWasTidied,
                [
                    .count: "\(all.count)", .number: "\(outcome.memories.count)", .from: "\(merged)",
                    .to: "\(outcome.written.count)", .rest: "\(gone.count - merged)",
                ]),
            details: [
                "dropped": .array(
                    gone.filter { $0.disposition == .dropped }.prefix(100).map { decision in
                        .object(["memory_id": .string(decision.memoryID), "why": .string(decision.reason)])
                    })
            ], source: .internal)
        try await store.write { db in
            var removed: Set<String> = []
            for decision in gone {
                // The memory may have been pinned or deleted meanwhile.
                let isAsItWas = try MemoryRecords.one(decision.memoryID, db)?.version == versions[decision.memoryID]
                if isAsItWas, try MemoryRecords.remove(decision.memoryID, in: db) { removed.insert(decision.memoryID) }
            }
            let dropped = gone.count { $0.disposition == .dropped && removed.contains($0.memoryID) }
            try RetentionRecords.recordSweep(.memories, dropped: dropped, at: moment, in: db)
            for memory in outcome.written where versions[memory.id] == nil || removed.contains(memory.id) {
                try MemoryRecords.write(memory, in: db)
            }
            try MemoryRecords.write(told, in: db)
            try Journal.append(.memoryChanged, subject: told.id, data: ["removed": false], at: moment, in: db)
        }
    }
}
