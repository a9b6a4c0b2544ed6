@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Garage left open in the evening")
struct GarageEveningTests {
    @Test("An open garage raises worry with its cause until it closes; askers without access to it see none")
    func evening() throws {
        var house = HabitSimulation(seed: 11, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay(), watching: false) }
        let stranger = RequesterVisibility(key: "person:bea", devices: [])
        var mood = Mood(at: house.moment(30, 0))
        var events: [HouseEvent] = []
        var worried: [Double] = []

        for minute in stride(from: 1200.0, to: 1500, by: 1) {
            let now = house.moment(30, minute)
            if minute == 1210 || minute == 1440 {
                let word = minute == 1210 ? "open" : "closed"
                house.addState("cover.garage", word, at: now)
                events.append(
                    EmotionFixtures.event(Int(minute), now, device: "garage", entity: "cover.garage", .state(word)))
            }
            house.detectDeviations(at: now)
            mood.update(CauseDetector(snapshot: house.house, events: events, habits: house.habits, now: now).causes(), at: now)
            if mood.state.values.worry > Emotion.worry.baseline { worried.append(minute) }
            #expect(mood.seen(by: stranger).values == .baseline)
            #expect(mood.explain(.worry, seenBy: stranger).causes.isEmpty)
        }

        let first = try #require(worried.first)
        #expect((1370...1390).contains(first), "worried from \(house.clockTime(house.moment(30, first)))")
        // Shut at midnight, it no longer matters within twenty minutes.
        #expect((1440...1460).contains(try #require(worried.last)))
        #expect(mood.state.values.worry == Emotion.worry.baseline)
        let entries = mood.history.entries(from: .distantPast, to: .distantFuture, seenBy: EmotionFixtures.owner)
        #expect(entries.contains { $0.trigger?.id == "open:cover.garage" && $0.trigger?.events == ["happening_1210"] })
        #expect(mood.history.entries(from: .distantPast, to: .distantFuture, seenBy: stranger).isEmpty)
    }
}
