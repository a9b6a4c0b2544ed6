@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Emotion history")
struct EmotionHistoryTests {
    private static let start = EmotionFixtures.noon

    private static func cause(_ id: String, devices: [String] = []) -> Cause {
        Cause(
            id, .health, EmotionVector(happiness: -1, worry: 1), ParameterizedSentence("{} is out of reach.", id), devices: devices,
            since: start)
    }

    @Test("A mood change adds an entry with its cause; a calm hour adds none")
    func entries() {
        var mood = Mood(at: Self.start)
        for minute in 0..<60 { mood.update([], at: Self.start + Double(minute) * 60) }
        mood.update([Self.cause("lamp")], at: Self.start + 3600)
        for minute in 61..<120 { mood.update([Self.cause("lamp")], at: Self.start + Double(minute) * 60) }
        mood.update([], at: Self.start + 7200)
        for minute in 121..<180 { mood.update([], at: Self.start + Double(minute) * 60) }

        let entries = mood.history.entries(from: Self.start, to: Self.start + 86400, seenBy: EmotionFixtures.owner)
        #expect(entries.first?.at == Self.start)
        #expect(entries.dropFirst().first?.trigger?.id == "lamp")
        #expect(entries.dropFirst().first?.at == Self.start + 3600)
        #expect(entries.count < 10)
        #expect(entries.contains { $0.trigger?.until != nil })
    }

    @Test("A time range includes its start and excludes its end")
    func range() {
        var mood = Mood(at: Self.start)
        for hour in 0..<60 { mood.update(hour / 10 % 2 == 0 ? [] : [Self.cause("lamp")], at: Self.start + Double(hour) * 3600) }
        let all = mood.history.entries
        guard all.count > 3 else {
            Issue.record("the mood should have changed")
            return
        }
        let part = mood.history.entries(from: all[1].at, to: all[3].at, seenBy: EmotionFixtures.owner)
        #expect(part == Array(all[1...2]))
    }

    @Test("History shows only entries whose cause the asker may see, with the state of those causes")
    func seen() {
        var mood = Mood(at: Self.start)
        mood.update([Self.cause("safe", devices: ["safe"])], at: Self.start)
        mood.update([], at: Self.start + 3600)
        for minute in 61..<100 { mood.update([], at: Self.start + Double(minute) * 60) }
        mood.update([Self.cause("lamp", devices: ["lamp"]), Self.cause("safe", devices: ["safe"])], at: Self.start + 7200)

        let bea = RequesterVisibility(key: "person:bea", devices: ["lamp"])
        let entries = mood.history.entries(from: Self.start, to: Self.start + 86400, seenBy: bea)
        #expect(entries.map(\.trigger?.id) == ["lamp"])
        #expect(entries.first?.state.shares.map(\.cause.id) == ["lamp"])
    }

    // It was once empty for everyone but the owner: each entry had a trigger that they could not see.
    @Test("A partial view of the history depends on visible causes and their times only")
    func ofAPart() {
        var mood = Mood(at: Self.start)
        let lamp = Cause(
            "lamp", .environment, EmotionVector(worry: 0.2), ParameterizedSentence("The lamp is out of reach."), devices: ["lamp"],
            since: Self.start + 600
        )
        mood.update([lamp], at: Self.start + 600)
        mood.update([lamp, Self.cause("safe", devices: ["safe"])], at: Self.start + 1200)
        for minute in 21..<60 { mood.update([lamp], at: Self.start + Double(minute) * 60) }

        let entries = mood.history.entries(
            from: Self.start, to: Self.start + 86400, seenBy: RequesterVisibility(key: "person:bea", devices: ["lamp"]))
        #expect(entries.map(\.trigger?.id) == ["lamp"])
        #expect(entries.map(\.at) == [Self.start + 600] && entries.first?.state.shares.map(\.cause.id) == ["lamp"])
    }

    @Test("A year of mood changes stays within the entry limit and keeps a bad hour of last month", .timeLimit(.minutes(10)))
    func bounded() {
        var mood = Mood(at: Self.start)
        let day = 86400.0
        for step in 0..<(400 * 24) {
            let isBad = step % 3 == 0
            let now = Self.start + Double(step) * 3600
            mood.update(isBad ? [Self.cause("lamp")] : [], at: now)
            if step % 24 == 0 { mood.prune(at: now, keepingFrom: now - 365 * day) }
        }
        let entries = mood.history.entries
        let now = Self.start + 400 * day
        #expect(entries.count <= EmotionHistory.entryLimit)
        #expect(entries.count > 365)
        #expect(entries.allSatisfy { now.timeIntervalSince($0.at) < 367 * day })
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.at < $1.at })
        let old = entries.filter { now.timeIntervalSince($0.at) > 40 * day }
        #expect(old.contains { $0.state.values.worry > 0.4 })
        #expect(old.count < 340)
    }

    // With a clock ten years ahead everything was old: the mood history was gone in a minute.
    @Test("A clock jump ahead neither thins nor prunes the history")
    func leap() {
        var mood = Mood(at: Self.start)
        let (day, minute) = (86400.0, 60.0)
        for step in 0..<100 { mood.update(step / 10 % 2 == 0 ? [] : [Self.cause("lamp")], at: Self.start + Double(step) * 10 * minute) }
        let before = mood.history.entries
        let sure = Self.start + day
        for step in 0..<10 {
            mood.update([], at: Self.start + 3650 * day + Double(step) * minute)
            mood.prune(at: sure, keepingFrom: sure - 365 * day)
        }
        #expect(before.count > 3 && mood.history.entries.starts(with: before))
    }
}
