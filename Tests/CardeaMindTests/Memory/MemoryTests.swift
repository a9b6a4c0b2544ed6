import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Memory validation and search")
struct MemoryTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)

    static func memory(
        _ id: String, _ title: String, _ content: String, daysAgo: Double = 1, importance: Double = 0.5, accessCount: Int = 0,
        tags: [String] = []
    ) -> Memory {
        Memory(
            id: id, createdAt: now.addingTimeInterval(-daysAgo * 86_400), type: .episodic, category: "security", importance: importance,
            title: title, content: content, source: .sensor, accessCount: accessCount, tags: tags)
    }

    @Test("A memory encodes in the contract's terms and decodes unchanged")
    func wire() throws {
        var memory = Self.memory("m1", "The garage", "The garage was open.")
        memory = Memory(
            id: "m1", createdAt: Self.now, type: .procedural, category: "routine", title: "Garage", content: "It is shut at ten.",
            details: ["level": 3], source: .userInteraction, person: "person:ada", experience: .init(outcome: .negative, impactScore: -0.5))

        let data = try JSONEncoder().encode(memory)
        let wire = try JSONDecoder().decode(JSONValue.self, from: data)

        #expect(wire["memory_type"] == "procedural")
        #expect(wire["source"] == "user_interaction")
        #expect(wire["experience"]?["impact_score"] == -0.5)
        #expect(wire["access_count"] == 0)
        #expect(wire["related_devices"] == [])
        #expect(try JSONDecoder().decode(Memory.self, from: data) == memory)
        #expect(try JSONDecoder().decode(Memory.Source.self, from: Data("\"userInteraction\"".utf8)) == .userInteraction)
    }

    @Test("An invalid memory is rejected by field name")
    func refused() throws {
        let good = Self.memory("m1", "Garage", "Two lines\nof it.")
        #expect(try good.checked(at: Self.now).content == "Two lines\nof it.")

        func refusal(_ edit: (inout Memory) -> Void) -> FieldError? {
            var memory = good
            edit(&memory)
            do {
                _ = try memory.checked(at: Self.now)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { $0.title = "  " } == .name(field: "title", .empty))
        #expect(refusal { $0.title = String(repeating: "a", count: 101) } == .name(field: "title", .tooLong))
        #expect(refusal { $0.category = "a\u{202E}b" } == .name(field: "category", .invalidCharacters))
        #expect(refusal { $0.content = "bell \u{7}" } == .name(field: "content", .invalidCharacters))
        #expect(refusal { $0.content = String(repeating: "a", count: 4001) } == .name(field: "content", .tooLong))
        #expect(refusal { $0.content = "\n \n" } == .name(field: "content", .empty))
        #expect(refusal { $0.importance = 1.01 } == .range(field: "importance", 0...1))
        #expect(refusal { $0.confidence = .nan } == .range(field: "confidence", 0...1))
        #expect(refusal { $0.accessCount = -1 } == .range(field: "access_count", 0...1e9))
        #expect(refusal { $0.tags = Array(repeating: "x", count: 33) } == .tooMany(field: "tags", 32))
        #expect(refusal { $0.tags = ["ok", "\u{0}"] } == .name(field: "tags.1", .invalidCharacters))
        #expect(refusal { $0.experience = .init(outcome: .positive, impactScore: 1.5) } == .range(field: "experience.impact_score", -1...1))
        #expect(refusal { $0.details = ["n": .number(.infinity)] } == .tooMany(field: "details", 2000))
        #expect(refusal { $0.lastAccessed = Self.now.addingTimeInterval(9 * 86_400) } != nil)
    }

    @Test("Search ranks by match, then by age, importance and use")
    func found() {
        let memories = [
            Self.memory("a", "The garage was open", "It stood open at 23:00.", daysAgo: 40),
            Self.memory("b", "The garage was open", "It stood open at 23:10.", daysAgo: 2),
            Self.memory("c", "The bin", "The garage holds the bins.", daysAgo: 1),
            Self.memory("d", "A parcel", "The bell rang.", daysAgo: 1, importance: 1),
            Self.memory("e", "A parcel", "The bell rang.", daysAgo: 1, importance: 0.1, accessCount: 0),
        ]
        func ids(_ search: MemorySearch) -> [String] { search.hits(in: memories, at: Self.now).map(\.memory.id) }

        #expect(ids(MemorySearch(words: "when was the garage opened?")) == ["b", "a", "c"])
        #expect(ids(MemorySearch(words: "parcels")) == ["d", "e"])
        #expect(ids(MemorySearch(words: "zebra")) == [])
        #expect(ids(MemorySearch(limit: 2)).count == 2)
        #expect(ids(MemorySearch(words: "garage", from: Self.now.addingTimeInterval(-3 * 86_400))) == ["b", "c"])
        for hit in MemorySearch(words: "garage open").hits(in: memories.reversed(), at: Self.now) {
            #expect((0...1).contains(hit.relevance))
        }
        #expect(
            MemorySearch(words: "garage").hits(in: memories.reversed(), at: Self.now)
                == MemorySearch(words: "garage").hits(in: memories, at: Self.now))
    }
}
