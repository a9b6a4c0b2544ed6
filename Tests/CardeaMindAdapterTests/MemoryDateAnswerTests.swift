import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaTestSupport
import Foundation
import Testing

@Suite("Answers from user memories", .timeLimit(.minutes(5)))
struct MemoryDateAnswerTests {
    /// The memory that the house suggests for a sentence.
    private func suggestedMemory(_ sentence: String, _ visibility: RequesterVisibility, in house: TestHouse) async throws -> String {
        let reply = try await house.mind.answer(sentence, seenBy: visibility)
        guard case .memory(let content)? = reply.suggestions.first?.action else { return reply.response }
        return content
    }

    @Test("`Today` and `yesterday` are stored as dates")
    func dates() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let visibility = RequesterVisibility(of: try await house.hub.mindFeed.requester(owner))
            let today = try await suggestedMemory("Remember that the boiler was serviced today", visibility, in: house)
            let yesterday = try await suggestedMemory("remember that the boiler was serviced yesterday", visibility, in: house)
            house.clock.advance(by: 86_400)
            let later = try await suggestedMemory("remember that the boiler was serviced yesterday", visibility, in: house)

            #expect(today.hasPrefix("The boiler was serviced on ") && today.contains { $0.isNumber } && !today.contains("today"))
            #expect(yesterday != today && later == today)
            let untouched = try await suggestedMemory("remember that the bins go out on Tuesday", visibility, in: house)
            #expect(untouched == "The bins go out on Tuesday")
        }
    }

    @Test("A question in any wording returns the matching memory with its date, or none")
    func asked() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let record = house.hub.mindFeed.recorder("memory.add", by: owner, origin: .house)
            let content = try await suggestedMemory("Remember that the boiler was serviced today", asker.visibility, in: house)
            for (id, words) in [("memory_boiler", content), ("memory_bins", "The bins go out on Tuesday")] {
                _ = try await house.mind.addMemory(MemoryDraft(type: .semantic, content: words), id: id, by: asker, record: record)
            }
            house.clock.advance(by: 20 * 86_400)

            for question in [
                "When was the boiler serviced?", "when was the boiler last serviced", "When did we last service the boiler?",
                "Who serviced the boiler?",
            ] {
                let reply = try await house.mind.answer(question, seenBy: asker.visibility)
                #expect(reply.response.contains(content) && reply.events == ["memory_boiler"], "\(question): \(reply.response)")
            }
            for question in ["When was the chimney swept?", "When was the boiler painted?"] {
                let reply = try await house.mind.answer(question, seenBy: asker.visibility)
                #expect(reply.confidence == 0 && reply.events.isEmpty, "\(question): \(reply.response)")
            }
        }
    }

    @Test("Of two matching memories the newer one comes first")
    func latest() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let record = house.hub.mindFeed.recorder("memory.add", by: owner, origin: .house)
            for id in ["memory_first", "memory_second"] {
                let content = try await suggestedMemory("Remember that the boiler was serviced today", asker.visibility, in: house)
                _ = try await house.mind.addMemory(MemoryDraft(type: .semantic, content: content), id: id, by: asker, record: record)
                house.clock.advance(by: 10 * 86_400)
            }
            let reply = try await house.mind.answer("When was the boiler serviced?", seenBy: asker.visibility)
            #expect(reply.events == ["memory_second", "memory_first"])
        }
    }
}
