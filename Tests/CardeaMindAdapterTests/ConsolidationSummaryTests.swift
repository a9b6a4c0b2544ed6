import CardeaHub
@testable import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Memory use counts and consolidation report", .timeLimit(.minutes(5)))
struct ConsolidationSummaryTests {
    @Test("Reading a memory and using it in an answer increase its access count")
    func counted() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let record = house.hub.mindFeed.recorder("memory.add", by: owner, origin: .house)
            for (id, words) in [("memory_boiler", "The boiler was serviced"), ("memory_bins", "The bins go out on Tuesday")] {
                _ = try await house.mind.addMemory(MemoryDraft(type: .semantic, content: words), id: id, by: asker, record: record)
            }
            house.clock.advance(by: 60)
            #expect(try await house.mind.memory("memory_boiler", by: asker).memory.accessCount == 0)
            let told = try await house.mind.answer("what do you remember about the boiler?", seenBy: asker.visibility)
            #expect(told.events == ["memory_boiler"], "\(told.response)")
            let asked = house.clock.now
            await house.mind.poll(isAsked: true)
            house.clock.advance(by: 60)

            let boiler = try await house.mind.memory("memory_boiler", by: asker).memory
            #expect(boiler.accessCount == 2)
            #expect(try #require(boiler.lastAccessed).milliseconds == asked.milliseconds)
            let bins = try await house.mind.memory("memory_bins", by: asker).memory
            #expect(bins.accessCount == 0 && bins.lastAccessed == nil)
        }
    }

    @Test("Memories of an older hub are found by words before the index is complete")
    func listed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let record = house.hub.mindFeed.recorder("memory.add", by: owner, origin: .house)
            func remember(_ id: String, _ words: String) async throws {
                _ = try await house.mind.addMemory(MemoryDraft(type: .semantic, content: words), id: id, by: asker, record: record)
            }
            func found(_ words: String) async throws -> [String] {
                try await house.mind.findMemories(MemorySearch(words: words), by: asker).memories.map(\.memory.id)
            }

            try await remember("memory_boiler", "The boiler was serviced")
            try await house.store.write { try $0.execute(sql: "DELETE FROM memory_words") }
            try await remember("memory_bins", "The bins go out on Tuesday")
            #expect(try await found("boiler") == [])
            try await house.mind.memories.rebuildIndex()
            #expect(try await found("boiler") == ["memory_boiler"])
            #expect(try await found("bins") == ["memory_bins"])
        }
    }

    // A reader of "62.6 °F" in a memory searched for 62.6 and found nothing: the search used °C.
    @Test("A memory with a temperature is found by the number in the reader's unit only")
    func degrees() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let person = try await house.hub.mindFeed.requester(owner)
            let saying = ParameterizedSentence("{} shows {#} {°}.", names: ["Hall"], warmths: [17])
            let cold = Memory(
                id: "cold", createdAt: house.clock.now, type: .episodic, category: "unusual", title: "Hall", content: saying.text,
                details: [Memory.sentenceKey: saying.stored], source: .sensor, relatedDevices: ["hall-sensor"])
            try await house.mind.memories.save([cold])
            func found(_ words: String, _ degrees: TemperatureUnit) async throws -> [String] {
                let asker = MemoryRequester(person, degrees: degrees)
                return try await house.mind.findMemories(MemorySearch(words: words), by: asker).memories.map(\.memory.content)
            }

            #expect(try await found("62.6", .fahrenheit) == ["Hall shows 62.6 °F."])
            #expect(try await found("17", .celsius) == ["Hall shows 17 °C."])
            #expect(try await found("17", .fahrenheit) == [])
            #expect(try await found("62.6", .celsius) == [])
        }
    }

    @Test("Daily consolidation merges similar memories, drops expired ones and stores a report")
    func tidied() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            await house.mind.poll(isAsked: true)
            let nights = (0..<12).map { night in
                Memory(
                    id: "night_\(night)", createdAt: house.clock.now - Double(night + 1) * 86_400, type: .episodic, category: "security",
                    importance: 0.4, title: "The door was open", content: "The door was open at 23:\(10 + night).", source: .sensor,
                    relatedDevices: ["front-door"])
            }
            let flood = Memory(
                id: "flood", createdAt: house.clock.now - 400 * 86_400, type: .episodic, category: "x", title: "A flood",
                content: "The cellar was flooded.", source: .sensor)
            try await house.mind.memories.save(nights + [flood])
            #expect(try await house.mind.memory("flood", by: asker).memory.content == flood.content)

            house.clock.advance(by: 86_460)
            await house.mind.poll(isAsked: true)

            for id in nights.map(\.id) + ["flood"] {
                await #expect(throws: MemoryError.self, "\(id)") { try await house.mind.memory(id, by: asker) }
            }
            let left = try await house.store.read { try MemoryRecords.all($0).map(\.memory) }
            #expect(left.count == 2, "\(left.map(\.content))")
            let one = try #require(left.first { $0.details["evidence"]?["count"] == 12 })
            #expect(one.source == .learned && one.relatedDevices == ["front-door"])

            let id = try #require(left.first { $0.id != one.id }?.id)
            let tidied = try await house.mind.memory(id, by: asker).memory
            #expect(tidied.title == "I tidied up my memories")
            #expect(
                tidied.content
                    == "Of 13 memories I kept 1: 12 said the same as others and count in 1 of them now, and 1 I dropped.")
            guard case .array(let dropped)? = tidied.details["dropped"] else {
                Issue.record("it does not say what it dropped: \(tidied.details)")
                return
            }
            #expect(dropped.map { $0["memory_id"]?.string } == ["flood"])
            #expect(dropped.first?["why"]?.string == "It was last so more than 365 days ago.")
        }
    }
}
