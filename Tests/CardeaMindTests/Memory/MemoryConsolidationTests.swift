import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Memory consolidation keeps every user-written memory")
struct MemoryConsolidationTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)
    private static let zone = TimeZone(identifier: "Europe/London") ?? .gmt

    /// Nights, each at about the same time, with varying minutes.
    private static func nights(_ count: Int, hour: Double = 22, spread: Double = 20) -> [Memory] {
        (0..<count).map { night in
            let minutes = Double((night * 7) % 11) / 11 * spread
            let at = (1_779_926_400 - Double(night) * 86_400) + hour * 3600 + minutes * 60
            return Memory(
                id: "night_\(night)", createdAt: Date(timeIntervalSince1970: at), type: .episodic, category: "security", importance: 0.4,
                title: "The garage was open", content: "The garage was open at 23:\(String(format: "%02d", Int(minutes))).",
                source: .sensor,
                relatedDevices: ["garage-door"])
        }
    }

    @Test("Twelve events of the garage open at eleven become one habit with its evidence")
    func habit() throws {
        let outcome = MemoryConsolidation(zone: Self.zone).run(Self.nights(12), at: Self.now)

        let one = try #require(outcome.memories.first)
        #expect(outcome.memories.count == 1)
        #expect(outcome.written == [one])
        #expect(one.type == .procedural)
        #expect(one.source == .learned)
        #expect(one.details["evidence"]?["count"] == 12)
        #expect(one.content.contains("12 times, usually around 23:"))
        #expect(one.confidence > 0.9)
        #expect(one.createdAt == Self.nights(12).map(\.createdAt).min())
        #expect(outcome.decisions.count == 12)
        #expect(outcome.decisions.allSatisfy { $0.disposition == .merged(into: one.id) && !$0.reason.isEmpty })
    }

    @Test("Events at all hours become a fact, not a habit; two events become neither")
    func noHabit() throws {
        let scattered = Self.nights(12).enumerated().map { place, memory in
            Memory(
                id: memory.id, createdAt: memory.createdAt.addingTimeInterval(Double(place) * 2 * 3600), type: .episodic,
                category: memory.category,
                title: memory.title, content: memory.content, source: .sensor, relatedDevices: memory.relatedDevices)
        }
        #expect(MemoryConsolidation(zone: Self.zone).run(scattered, at: Self.now).memories.map(\.type) == [.semantic])
        #expect(MemoryConsolidation(zone: Self.zone).run(Self.nights(2), at: Self.now).memories == Self.nights(2).reversed())
    }

    @Test("Later events are added to the habit, and another device gets its own")
    func goesOn() throws {
        let rule = MemoryConsolidation(zone: Self.zone)
        let all = Self.nights(12)
        let first = rule.run(Array(all.suffix(8)), at: Self.now)
        let second = rule.run(first.memories + all.prefix(4), at: Self.now)

        #expect(second.memories.count == 1)
        #expect(second.memories.first?.id == first.memories.first?.id)
        #expect(second.memories.first?.details["evidence"]?["count"] == 12)

        let gate = all.map { memory in
            Memory(
                id: "gate_\(memory.id)", createdAt: memory.createdAt, type: .episodic, category: memory.category, title: memory.title,
                content: memory.content, source: .sensor, relatedDevices: ["gate"])
        }
        #expect(rule.run(all + gate, at: Self.now).memories.count == 2)
    }

    @Test("A pinned habit stays unchanged, and later events are counted separately")
    func pinned() throws {
        let rule = MemoryConsolidation(zone: Self.zone)
        var habit = try #require(rule.run(Self.nights(12), at: Self.now).memories.first)
        habit.isPinned = true
        let outcome = rule.run([habit] + Self.nights(5), at: Self.now)

        #expect(outcome.memories.contains(habit))
        #expect(outcome.memories.count == 2)
        #expect(Set(outcome.memories.map(\.id)).count == 2)
    }

    @Test("Expired memories and the least used over the limit are dropped, and both are reported")
    func drops() {
        let old = Memory(
            id: "old", createdAt: Self.now.addingTimeInterval(-400 * 86_400), type: .episodic, category: "x", title: "A",
            content: "Long ago.", source: .sensor)
        let light = Memory(
            id: "light", createdAt: Self.now.addingTimeInterval(-90 * 86_400), type: .episodic, category: "x", importance: 0.1, title: "B",
            content: "A lamp flickered.", source: .sensor)
        let weighty = Memory(
            id: "weighty", createdAt: Self.now.addingTimeInterval(-90 * 86_400), type: .episodic, category: "x", importance: 0.9,
            title: "C",
            content: "The cellar was flooded.", source: .sensor)
        let outcome = MemoryConsolidation(limit: 1, zone: Self.zone).run([weighty, light, old], at: Self.now)

        #expect(outcome.memories == [weighty])
        #expect(outcome.decisions.map(\.disposition) == [.dropped, .dropped, .kept])
        #expect(outcome.decisions[0].reason == "It was last so more than 365 days ago.")
        #expect(outcome.decisions[1].reason.hasPrefix("There is room for 1"))
    }

    // Reading a memory once kept it for another year, while the privacy page said 365 days.
    @Test("Reading a derived memory does not extend its retention; new evidence does")
    func lookedAt() {
        let ago = { (days: Double) in Self.now.addingTimeInterval(-days * 86_400) }
        let old = Memory(
            id: "old", createdAt: ago(365.5), lastAccessed: ago(1), type: .episodic, category: "x", title: "A", content: "Long ago.",
            source: .sensor, accessCount: 400)
        let young = Memory(
            id: "young", createdAt: ago(365), type: .episodic, category: "x", title: "B", content: "A lamp flickered.", source: .sensor)
        let nights = (0..<4).map { number in
            Memory(
                id: "night_\(number)", createdAt: ago(Double(number) * 130), type: .episodic, category: "y", title: "C",
                content: "The garage was open.", source: .sensor)
        }
        let outcome = MemoryConsolidation(zone: Self.zone).run([old, young] + nights, at: Self.now)

        #expect(outcome.decisions.filter { $0.disposition == .dropped }.map(\.memoryID) == ["old"])
        #expect(outcome.memories.count == 2 && outcome.memories.contains(young))
    }

    @Test("Consolidation keeps user memories, accounts for each, ignores order and is idempotent")
    func properties() {
        for seed in TestSeed.values(1..<301 as Range<UInt64>) {
            var dice = SeededMemoryGenerator(seed: seed)
            let memories = (0..<dice.below(60)).map { Self.any($0, &dice) }
            let rule = MemoryConsolidation(
                limit: dice.below(30), maximumAge: Double(dice.below(600)) * 86_400, repeats: 2 + dice.below(4), zone: Self.zone)
            let outcome = rule.run(memories, at: Self.now)

            let ours = memories.filter(\.isUserOwned)
            #expect(ours.allSatisfy(outcome.memories.contains), "seed \(seed)")
            #expect(outcome.decisions.map(\.memoryID).sorted() == memories.map(\.id).sorted(), "seed \(seed)")
            #expect(outcome.decisions.allSatisfy { !$0.reason.isEmpty }, "seed \(seed)")
            #expect(outcome.memories.filter { !$0.isUserOwned }.count <= rule.limit, "seed \(seed)")
            #expect(Set(outcome.memories.map(\.id)).count == outcome.memories.count, "seed \(seed)")
            for decision in outcome.decisions {
                switch decision.disposition {
                case .kept: #expect(outcome.memories.contains { $0.id == decision.memoryID }, "seed \(seed)")
                case .merged(let id): #expect(outcome.memories.contains { $0.id == id }, "seed \(seed)")
                case .dropped: #expect(!memories.contains { $0.id == decision.memoryID && $0.isUserOwned }, "seed \(seed)")
                }
            }
            #expect(rule.run(memories.shuffled(using: &dice), at: Self.now) == outcome, "seed \(seed)")
            let again = rule.run(outcome.memories, at: Self.now)
            #expect(again.memories == outcome.memories, "seed \(seed)")
            #expect(again.written.isEmpty, "seed \(seed)")
            #expect(again.decisions.allSatisfy { $0.disposition == .kept }, "seed \(seed)")
        }
    }

    private static func any(_ number: Int, _ dice: inout SeededMemoryGenerator) -> Memory {
        let matters = [
            "The garage was open at 23:%.", "The cellar was damp: % percent.", "Ada came home on Monday at %.", "Nothing of note %.",
            "Öl % 🛢",
        ]
        let content = matters[dice.below(matters.count)].replacingOccurrences(of: "%", with: String(dice.below(60)))
        let isTold = dice.below(6) == 0
        return Memory(
            id: "m\(number)", createdAt: now.addingTimeInterval(-Double(dice.below(700 * 24)) * 3600),
            lastAccessed: dice.below(3) == 0 ? now.addingTimeInterval(-Double(dice.below(700)) * 86_400) : nil,
            type: Memory.Kind.allCases[dice.below(3)], category: ["security", "Security", "climate"][dice.below(3)],
            importance: Double(dice.below(11)) / 10, title: "Noted", content: content, source: isTold ? .userInteraction : .sensor,
            confidence: Double(dice.below(11)) / 10, accessCount: dice.below(20),
            relatedDevices: dice.below(2) == 0 ? ["a", "b"] : ["b", "a"],
            person: isTold ? "person:ada" : nil, isPinned: dice.below(12) == 0)
    }
}

/// A random generator with the same numbers in every run (SplitMix64).
struct SeededMemoryGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }
}
