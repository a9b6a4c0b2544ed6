import CardeaModel
import Foundation

/// Searches memories. Matching words count most, then freshness, importance and frequency of use.
public struct MemorySearch: Hashable, Sendable {
    /// The words searched for. If empty, the most present memories are found.
    public var words: String
    public var types: Set<Memory.Kind>?
    public var category: String?
    /// Memories about any of these devices match.
    public var devices: Set<String>?
    public var from: Date?
    /// Exclusive.
    public var to: Date?
    /// 1 to 200.
    public var limit: Int

    public init(
        words: String = "", types: Set<Memory.Kind>? = nil, category: String? = nil, devices: Set<String>? = nil, from: Date? = nil,
        to: Date? = nil, limit: Int = 10
    ) {
        self.words = words
        self.types = types
        self.category = category
        self.devices = devices
        self.from = from
        self.to = to
        self.limit = min(max(limit, 1), 200)
    }

    /// A memory with the parts of its relevance, each 0 to 1.
    public struct Hit: Hashable, Sendable {
        public let memory: Memory
        public let words: Double
        public let recency: Double
        public let importance: Double
        public let access: Double

        /// 0 to 1.
        public var relevance: Double { 0.55 * words + 0.2 * recency + 0.15 * importance + 0.1 * access }
    }

    /// Seconds after which a memory is half as fresh: 30 days.
    static let halfLife: TimeInterval = 30 * 86_400

    /// The hits, the most relevant first. The result does not depend on the order of `memories`.
    public func hits(in memories: [Memory], at now: Date) -> [Hit] {
        let wanted = Self.stems(words)
        let fitting = memories.filter(fits)
        let weights = Self.weights(of: wanted, in: fitting)
        let hits = fitting.compactMap { memory -> Hit? in
            let told = Self.matchShare(of: weights, in: memory)
            guard wanted.isEmpty || told > 0 else { return nil }
            return Hit(
                memory: memory, words: wanted.isEmpty ? 1 : told, recency: Self.recency(of: memory, at: now),
                importance: Self.clampedToUnit(memory.importance), access: 1 - 1 / (1 + Double(max(memory.accessCount, 0)) / 5))
        }
        let sorted = hits.sorted {
            if $0.relevance != $1.relevance { return $0.relevance > $1.relevance }
            if $0.memory.createdAt != $1.memory.createdAt { return $0.memory.createdAt > $1.memory.createdAt }
            return $0.memory.id < $1.memory.id
        }
        return Array(sorted.prefix(limit))
    }

    /// Returns true if the memory is a hit, however many others there are.
    ///
    /// - Parameter stems: stems of the words searched for.
    func matches(_ memory: Memory, by stems: Set<String>) -> Bool {
        guard fits(memory) else { return false }
        let told = [memory.title, memory.content, memory.category] + memory.tags + memory.relatedDevices
        return stems.isEmpty || told.contains { !stems.isDisjoint(with: Self.stems($0)) }
    }

    private func fits(_ memory: Memory) -> Bool {
        if let types, !types.contains(memory.type) { return false }
        if let category, memory.category.lowercased() != category.lowercased() { return false }
        if let devices, devices.isDisjoint(with: memory.relatedDevices) { return false }
        if let from, memory.createdAt < from { return false }
        if let to, memory.createdAt >= to { return false }
        return true
    }

    static func recency(of memory: Memory, at now: Date) -> Double {
        let age = max(now.timeIntervalSince(max(memory.createdAt, memory.lastAccessed ?? memory.createdAt)), 0)
        return clampedToUnit(pow(0.5, age / halfLife))
    }

    static func clampedToUnit(_ number: Double) -> Double { number.isFinite ? min(max(number, 0), 1) : 0 }

    // MARK: Texts

    private static let stopWords: Set<String> = [
        "a", "an", "the", "is", "was", "are", "were", "of", "in", "on", "at", "to", "and", "or", "for", "it", "that", "what", "when",
    ]

    /// The stems of the meaningful words, without English endings.
    static func stems(_ text: String) -> [String] {
        var (stems, known): ([String], Set<String>) = ([], [])
        let folded = text.prefix(2000).description.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).lowercased()
        for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where !stopWords.contains(String(word)) {
            let stem = stem(of: String(word))
            if known.insert(stem).inserted { stems.append(stem) }
            if stems.count >= 400 { break }
        }
        return stems
    }

    private static func stem(of word: String) -> String {
        guard word.count > 4 else { return word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss") ? String(word.dropLast()) : word }
        for ending in ["ing", "ed", "es", "s"] where word.hasSuffix(ending) && word.count - ending.count >= 3 && !word.hasSuffix("ss") {
            return String(word.dropLast(ending.count))
        }
        // "opened" and "open", "closing" and "close".
        return word.hasSuffix("e") ? String(word.dropLast()) : word
    }

    /// Weights of the words by inverse document frequency: a word in few memories counts more than a word in all of them.
    private static func weights(of wanted: [String], in memories: [Memory]) -> [String: Double] {
        let all = memories.map { Set(stems("\($0.title) \($0.content) \($0.category) \($0.tags.joined(separator: " "))")) }
        return Dictionary(
            wanted.map { word in
                let holding = Double(all.count { $0.contains(word) })
                return (word, log(1 + (Double(all.count) + 1) / (holding + 0.5)))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func matchShare(of weights: [String: Double], in memory: Memory) -> Double {
        let title = Set(stems(memory.title))
        let tags = Set(memory.tags.flatMap(stems))
        let rest = Set(stems(memory.content)).union(stems(memory.category)).union(memory.relatedDevices.flatMap(stems))
        var (told, total) = (0.0, 0.0)
        // In a fixed order, so that the sum is the same to the last digit.
        for (word, weight) in weights.sorted(by: { $0.key < $1.key }) {
            total += weight
            if title.contains(word) {
                told += weight
            } else if tags.contains(word) {
                told += 0.9 * weight
            } else if rest.contains(word) {
                told += 0.75 * weight
            }
        }
        return total > 0 ? clampedToUnit(told / total) : 0
    }
}
