@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

// A deviation was once stored as a finished sentence: readers with Fahrenheit saw °C in it for as long as it was kept.
@Suite("Temperatures in memories use the reader's unit")
struct MemoryTemperatureTests {
    private static let sensor = EmotionFixtures.entity("sensor.study", .sensor, "20", deviceClass: "temperature", unit: "°C")
    private static let study = EmotionFixtures.device("study", "Study", sensor)

    /// Two hours at 17 °C, where 19 to 23 is wanted.
    private static func deviation() throws -> Deviation {
        var house = HabitSimulation(seed: 1, devices: [study])
        try house.habits.correct(HabitKey("sensor.study", .level), .between(low: 19, high: 23), by: "person:ada", at: house.first)
        for hour in 0..<8 {
            let (at, mean) = (house.moment(0, Double(hour * 60)), hour == 5 || hour == 6 ? 17.0 : 21)
            house.habits.learn(
                HourlyReading(hour: at, low: mean, high: mean, mean: mean, first: mean, last: mean, used: 0, count: 60), of: sensor,
                on: study)
            house.detectDeviations(at: at.addingTimeInterval(3600))
        }
        return try #require(house.raised.first).deviation
    }

    private static func memory(_ days: Double = 0) throws -> Memory {
        let whole = Memory(of: try deviation(), at: EmotionFixtures.noon, .standard)
        return Memory(
            id: "\(whole.id)_\(days)", createdAt: EmotionFixtures.noon - days * 86_400, type: whole.type, category: whole.category,
            importance: whole.importance, title: whole.title, content: whole.content, details: whole.details, source: whole.source,
            confidence: whole.confidence, tags: whole.tags, relatedDevices: whole.relatedDevices)
    }

    @Test("A deviation is stored in °C and rendered in the reader's unit without its details")
    func unusual() throws {
        let memory = try Self.memory()
        #expect(memory.content == "Study shows 17 °C, where 19 to 23 is wanted." && memory.containsTemperatures)
        #expect(memory.rendered(in: .celsius).content == memory.content)

        let told = memory.rendered(in: .fahrenheit)
        #expect(told.content == "Study shows 62.6 °F, where 66.2 to 73.4 is wanted.")
        #expect(told.details.isEmpty)
        // It is unchanged after storage.
        let kept = try JSONDecoder().decode(Memory.self, from: try JSONEncoder().encode(memory))
        #expect(kept.rendered(in: .fahrenheit) == told)
    }

    @Test("Consolidated memories use the reader's unit after any number of consolidations")
    func counted() throws {
        let rule = MemoryConsolidation(zone: EmotionFixtures.zone)
        let days = try (0..<6).map { try Self.memory(Double($0)) }
        let first = rule.run(Array(days.suffix(3)), at: EmotionFixtures.noon)
        let second = rule.run(first.memories + days.prefix(3), at: EmotionFixtures.noon)

        for (outcome, count) in [(first, 3), (second, 6)] {
            let one = try #require(outcome.memories.first)
            #expect(outcome.memories.count == 1)
            #expect(one.content.hasPrefix("Study shows 17 °C, where 19 to 23 is wanted (\(count) times"), "\(one.content)")
            let told = one.rendered(in: .fahrenheit)
            #expect(told.content.hasPrefix("Study shows 62.6 °F, where 66.2 to 73.4 is wanted (\(count) times"), "\(told.content)")
            #expect(told.details["told"]?["content"] == "Study shows 62.6 °F, where 66.2 to 73.4 is wanted.")
            #expect(told.details["saying"] == nil && told.details["told"]?["saying"] == nil)
            #expect(one.rendered(in: .celsius).content == one.content)
        }
    }

    // A house had counted such a memory before sentences were stored, and kept counting in °C for everyone.
    @Test("Memories counted by an older version use the reader's unit after the next consolidation")
    func countedBefore() throws {
        let rule = MemoryConsolidation(zone: EmotionFixtures.zone)
        let days = try (0..<6).map { try Self.memory(Double($0)) }
        let older = days.suffix(3).map { day in
            var day = day
            day.details.removeValue(forKey: Memory.sentenceKey)
            return day
        }
        let first = rule.run(older, at: EmotionFixtures.noon)
        let second = rule.run(first.memories + days.prefix(3), at: EmotionFixtures.noon)

        #expect(first.memories.count == 1 && first.memories.first?.containsTemperatures == false)
        let one = try #require(second.memories.first)
        #expect(second.memories.count == 1 && one.content.contains("17 °C"), "\(one.content)")
        let told = one.rendered(in: .fahrenheit)
        #expect(told.content.hasPrefix("Study shows 62.6 °F, where 66.2 to 73.4 is wanted (6 times"), "\(told.content)")
        #expect(told.details["told"]?["content"] == "Study shows 62.6 °F, where 66.2 to 73.4 is wanted.")
    }

    @Test("Text written or edited by a person stays verbatim")
    func written() throws {
        var memory = try Self.memory()
        memory.replaceContent("The window was open: 17 °C.")
        #expect(memory.rendered(in: .fahrenheit).content == "The window was open: 17 °C." && !memory.containsTemperatures)

        let saying = try Self.deviation().words.stored
        let theirs = Memory(
            id: "m", createdAt: EmotionFixtures.noon, type: .semantic, category: "note", title: "Study", content: "21 °C is enough here.",
            details: ["saying": saying], source: .userInteraction, person: "person:ada")
        #expect(theirs.rendered(in: .fahrenheit) == theirs && !theirs.containsTemperatures)
    }

    @Test("Only habits of temperatures use the reader's unit")
    func habits() {
        let words = HabitText(lexicon: .standard)
        let warm = words.level("Study", 18, 21.5, unit: "°C")
        #expect(warm.text == "Study usually shows 18 to 21.5 °C." && warm.text(in: .fahrenheit) == "Study usually shows 64.4 to 70.7 °F.")
        let power = words.level("Freezer", 80, 120, unit: "W")
        #expect(power.text == "Freezer usually shows 80 to 120 W." && power.text(in: .fahrenheit) == power.text)
        let bare = words.level("Meter", 1, 2, unit: nil)
        #expect(bare.text == "Meter usually shows 1 to 2." && bare.text(in: .fahrenheit) == bare.text)
    }
}
