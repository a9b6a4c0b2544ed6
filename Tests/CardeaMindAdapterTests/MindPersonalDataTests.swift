import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Export of learned personal data", .timeLimit(.minutes(5)))
struct MindPersonalDataTests {
    // The mind's own documents were once in no export: only its memories were.
    @Test("An export has a person's presence habits and corrections, no other person's, and none after erasure")
    func learned() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ben, _) = try await house.resident("ben", role: "member", by: owner)
            guard case .person(let his, _) = ben, case .person(let hers, _) = owner else { return }
            for _ in 0..<10 {
                _ = try await house.hub.people.setPresence(isHome: true, by: ben, origin: .house)
                await house.mind.poll(isAsked: true)
                house.clock.advance(by: 8 * 3600)
                _ = try await house.hub.people.setPresence(isHome: false, by: ben, origin: .house)
                await house.mind.poll(isAsked: true)
                house.clock.advance(by: 16 * 3600)
            }
            await house.mind.poll(isAsked: true)
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            var change = MemoryChange()
            change.correction = .correct(.hours(Set(0..<24), isActive: true))
            _ = try await house.mind.changeMemory(
                "habit_home_person:\(his)", change, seen: .any, by: asker,
                record: house.hub.mindFeed.recorder("memory.change", by: owner, origin: .house))

            let learned = try house.mind.personalData(of: "person:\(his)")
            let home = try #require(learned.first { $0["what"] == "usually_at_home" })
            guard case .array(let week)? = home["week"], case .array(let monday)? = week.first else {
                Issue.record("there is no week")
                return
            }
            #expect(week.count == 7 && monday.count == 24 && monday.contains { ($0.number ?? 0) > 0.9 })
            // A correction is shown to the person who made it.
            let put = try #require(learned.first { $0["what"] == "put_right" })
            #expect(put["of"] == .string("person:\(his)") && put["by"] == .null)
            let said = try house.mind.personalData(of: "person:\(hers)")
            #expect(said.contains { $0["what"] == "put_right" && $0["by"] == .string("person:\(hers)") })
            #expect(!said.contains { $0["what"] == "usually_at_home" })

            let parts = try await house.hub.personalDataOverview.parts(of: ben)
            #expect(try #require(parts.first { $0.purpose == .mind }?.count) >= learned.count)
            #expect(try #require(parts.first { $0.purpose == .audit }?.count) > 0)
            let activity = try #require(parts.first { $0.purpose == .activity })
            #expect(activity.count == nil && activity.retentionTexts.contains("90 days"))

            _ = try await house.mind.erase(person: "person:\(his)", names: ["ben"])
            #expect(try house.mind.personalData(of: "person:\(his)").isEmpty)
        }
    }
}
