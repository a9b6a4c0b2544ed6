import CardeaModel
import Foundation

/// Tidies the memories up: repeated memories become one with a count, and memories that are no longer needed are dropped.
///
/// It only returns decisions with reasons. Memories that a person wrote or pinned are never merged and never dropped. A second run on the
/// result changes nothing, and the order of the memories does not matter.
public struct MemoryConsolidation: Hashable, Sendable {
    /// The most memories that are kept, apart from those owned by people.
    public var limit: Int
    /// Seconds for which a memory made by the house is kept after its last occasion, however often it is read.
    public var maximumAge: TimeInterval
    /// The number of repetitions from which on something counts as a habit.
    public var repeats: Int
    /// The time zone for texts such as "usually around 23:00".
    public var zone: TimeZone

    public init(limit: Int = 5000, maximumAge: TimeInterval = 365 * 86_400, repeats: Int = 3, zone: TimeZone) {
        self.limit = max(limit, 0)
        self.maximumAge = max(maximumAge, 0)
        self.repeats = max(repeats, 2)
        self.zone = zone
    }

    /// The decision about one memory, with the reason as text.
    public struct Decision: Hashable, Sendable {
        public enum Disposition: Hashable, Sendable {
            case kept
            /// It was merged into the memory with this id.
            case merged(into: String)
            case dropped
        }

        public let memoryID: String
        public let disposition: Disposition
        public let reason: String
    }

    public struct Outcome: Hashable, Sendable {
        /// All memories afterwards, oldest first.
        public var memories: [Memory] = []
        /// The new and changed ones of them.
        public var written: [Memory] = []
        /// One decision for each input memory, oldest first.
        public var decisions: [Decision] = []
    }

    /// - Parameter lexicon: the words of the reasons and counts.
    public func run(_ memories: [Memory], at now: Date, _ lexicon: Lexicon = .standard) -> Outcome {
        var outcome = Outcome()
        let sorted = memories.sorted(by: Self.isOlder)
        var merged: [Memory] = []
        var decided: [Int: Decision] = [:]
        var groups: [String: [Int]] = [:]
        let somebodys = Set(memories.lazy.filter(\.isUserOwned).map(\.id))
        for (place, memory) in sorted.enumerated() where !memory.isUserOwned { groups[Topic(memory).key, default: []].append(place) }
        for (key, places) in groups.sorted(by: { $0.key < $1.key }) {
            let parts = places.map { sorted[$0] }
            guard parts.count > 1, parts.reduce(0, { $0 + Evidence($1).count }) >= repeats else { continue }
            var one = merge(parts, matter: key, lexicon)
            // If the earlier merged memory was pinned, it stays as it is, and later ones are counted beside it.
            while somebodys.contains(one.id) { one = one.withID(one.id + "_since") }
            merged.append(one)
            for place in places {
                decided[place] = Decision(
                    memoryID: sorted[place].id, disposition: .merged(into: one.id),
                    reason: lexicon.stateText(.countedTogether, [.count: "\(parts.count - 1)", .name: one.id]))
            }
        }
        let left = sorted.enumerated().filter { decided[$0.offset] == nil }
        var stored = left.map { (memory: $0.element, place: Optional($0.offset)) } + merged.map { (memory: $0, place: nil) }
        let gone = drop(&stored, at: now, lexicon)
        for (place, words) in gone { decided[place] = Decision(memoryID: sorted[place].id, disposition: .dropped, reason: words) }
        let alive = Set(stored.lazy.filter { $0.place == nil }.map(\.memory.id))
        for (place, decision) in decided {
            guard case .merged(let id) = decision.disposition, !alive.contains(id) else { continue }
            decided[place] = Decision(memoryID: decision.memoryID, disposition: .dropped, reason: lexicon.stateText(.goneTogether))
        }
        outcome.memories = stored.map(\.memory).sorted(by: Self.isOlder)
        outcome.written = merged.filter { one in stored.contains { $0.memory.id == one.id && $0.place == nil } }
        outcome.decisions = sorted.enumerated().map { place, memory in
            decided[place] ?? Decision(memoryID: memory.id, disposition: .kept, reason: lexicon.stateText(reason(memory)))
        }
        return outcome
    }

    private func reason(_ memory: Memory) -> StateSentence {
        if memory.isPinned { return .keptPinned }
        return memory.isUserOwned ? .keptTheirs : .keptOwn
    }

    // MARK: Merging

    private func merge(_ parts: [Memory], matter: String, _ lexicon: Lexicon) -> Memory {
        let evidence = parts.map { Evidence($0) }.reduce(Evidence.none) { $0.adding($1) }
        // The most frequent text, then the earliest: one memory speaks for all.
        let voice = Self.mostCommon(parts)
        let usual = evidence.usualTime(in: zone)
        var one = Memory(
            id: "memory_of_\(Topic.fingerprint(matter))", createdAt: evidence.first, lastAccessed: parts.compactMap(\.lastAccessed).max(),
            type: usual == nil ? .semantic : .procedural, category: voice.category,
            importance: MemorySearch.clampedToUnit(parts.map(\.importance).max() ?? 0), title: voice.title, content: voice.content,
            details: voice.details,
            source: .learned, confidence: evidence.confidence,
            accessCount: parts.reduce(0) { min($0 + min(max($1.accessCount, 0), 1_000_000), 1_000_000_000) },
            tags: Self.union(parts.map(\.tags), limit: Memory.tagLimit),
            relatedDevices: Self.union(parts.map(\.relatedDevices), limit: Memory.deviceLimit),
            experience: voice.experience)
        one.details.removeValue(forKey: Memory.sentenceKey)
        // Three places are reserved for the keys below.
        if one.details.count > Memory.detailLimit - 3 {
            one.details = Dictionary(
                one.details.sorted { $0.key < $1.key }.prefix(Memory.detailLimit - 3).map { ($0.key, $0.value) },
                uniquingKeysWith: { first, _ in first })
        }
        one.details["evidence"] = evidence.json
        // Memories merged before sentences were stored have the same text without a sentence.
        let saying = parts.lazy.filter { Topic.content(of: $0) == Topic.content(of: voice) }.compactMap { Topic.sentence(of: $0) }.first
        // The original title and content are kept, so that later repetitions are still recognised.
        var told: [String: JSONValue] = ["title": .string(Topic.title(of: voice)), "content": .string(Topic.content(of: voice))]
        told[Memory.sentenceKey] = saying?.stored
        one.details["told"] = .object(told)
        func counted(_ words: String) -> String {
            lexicon.stateText(
                usual == nil ? .toldOften : .toldOftenAround,
                [
                    .words: words.trimmingCharacters(in: CharacterSet(charactersIn: ". ")),
                    .count: lexicon.answerText(.times, [.number: "\(evidence.count)"]), .time: usual ?? "",
                ])
        }
        one.content = counted(Topic.content(of: voice))
        one.details[Memory.sentenceKey] = saying.map { $0.with(form: counted($0.form)).stored }
        one.title = Topic.title(of: voice)
        return one
    }

    private static func mostCommon(_ parts: [Memory]) -> Memory {
        var counts: [String: Int] = [:]
        for part in parts { counts[Topic.content(of: part), default: 0] += Evidence(part).count }
        let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return parts.first { Topic.content(of: $0) == best } ?? parts[0]
    }

    private static func union(_ lists: [[String]], limit: Int) -> [String] { Array(Set(lists.flatMap(\.self)).sorted().prefix(limit)) }

    // MARK: Dropping

    private func drop(_ stored: inout [(memory: Memory, place: Int?)], at now: Date, _ lexicon: Lexicon) -> [(Int, String)] {
        var gone: [(Int, String)] = []
        stored.removeAll { entry in
            guard !entry.memory.isUserOwned, now.timeIntervalSince(Evidence(entry.memory).last) > maximumAge else { return false }
            if let place = entry.place {
                gone.append((place, lexicon.stateText(.goneOld, [.number: "\(Int((maximumAge / 86_400).rounded().clamped))"])))
            }
            return true
        }
        let own = stored.filter { !$0.memory.isUserOwned }
        guard own.count > limit else { return gone }
        let ranked = own.sorted { one, other in
            let (worth, otherWorth) = (Self.worth(of: one.memory, at: now), Self.worth(of: other.memory, at: now))
            if worth != otherWorth { return worth < otherWorth }
            return Self.isOlder(one.memory, other.memory)
        }
        var leaving: [Memory: Int] = [:]
        for entry in ranked.prefix(own.count - limit) {
            leaving[entry.memory, default: 0] += 1
            if let place = entry.place { gone.append((place, lexicon.stateText(.goneForRoom, [.number: "\(limit)"]))) }
        }
        stored.removeAll { entry in
            guard let count = leaving[entry.memory], count > 0 else { return false }
            leaving[entry.memory] = count - 1
            return true
        }
        return gone
    }

    /// The time when it was last true or last of use.
    static func lastRelevance(of memory: Memory) -> Date { max(Evidence(memory).last, memory.lastAccessed ?? .distantPast) }

    /// The value of a memory, 0 to 1. Memories with many occasions count more.
    static func worth(of memory: Memory, at now: Date) -> Double {
        let age = max(now.timeIntervalSince(lastRelevance(of: memory)), 0)
        let fresh = MemorySearch.clampedToUnit(pow(0.5, age / MemorySearch.halfLife))
        let access = 1 - 1 / (1 + Double(max(memory.accessCount, 0)) / 5)
        let counted = 1 - 1 / Double(max(Evidence(memory).count, 1))
        return 0.4 * MemorySearch.clampedToUnit(memory.importance) + 0.25 * fresh + 0.15 * access + 0.1
            * MemorySearch.clampedToUnit(memory.confidence) + 0.1
            * counted
    }

    private static func isOlder(_ one: Memory, _ other: Memory) -> Bool {
        if one.createdAt != other.createdAt { return one.createdAt < other.createdAt }
        if one.id != other.id { return one.id < other.id }
        return (one.title, one.content) < (other.title, other.content)
    }
}

extension Memory {
    fileprivate func withID(_ id: String) -> Memory {
        Memory(
            id: id, createdAt: createdAt, lastAccessed: lastAccessed, type: type, category: category, importance: importance, title: title,
            content: content, details: details, source: source, confidence: confidence, accessCount: accessCount, tags: tags,
            relatedDevices: relatedDevices, person: person, experience: experience, isPinned: isPinned)
    }
}

extension Double {
    fileprivate var clamped: Double { isFinite ? min(max(self, 0), 1e9) : 0 }
}
