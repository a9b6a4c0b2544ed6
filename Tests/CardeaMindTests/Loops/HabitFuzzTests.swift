@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Habit learning under fuzzing")
struct HabitFuzzTests {
    @Test("Unusual words, names and times are accepted, and the size stays bounded", arguments: TestSeed.values(1..<21))
    func anything(seed: Int) throws {
        var dice = FixtureRandom(seed: seed)
        var habits = Habits(zone: TimeZone(secondsFromGMT: 5 * 3600 + 1800) ?? .gmt)
        let times: [Date] = [.distantPast, .distantFuture, Date(timeIntervalSince1970: -1), EmotionFixtures.noon]
        for place in 0..<1500 {
            let word = ["open", "closed", "", "unknown", "\u{202E}{}", "on", "off", "locked", "NaN"][dice.index(9)]
            let id = [".", "", "lock.", "light.\(place)", "cover.a", "person:ada", "binary_sensor.x"][dice.index(7)]
            let at = dice.index(9) == 0 ? times[dice.index(4)] : EmotionFixtures.noon + dice.number(-1e7...1e7)
            let facts: [HouseEvent.Fact] = [
                .state(word), .presence(isHome: dice.index(2) == 0), .deviceStatus(.offline), .sighting(type: word, words: id),
            ]
            habits.learn(
                HouseEvent(
                    id: "h", at: at, deviceID: dice.index(2) == 0 ? id : nil, entityID: dice.index(9) == 0 ? nil : id,
                    actor: dice.index(2) == 0 ? "person:\(place)" : nil, fact: facts[dice.index(4)]))
            if dice.index(200) == 0 { habits.advance(to: at) }
        }
        habits.update(EmotionFixtures.house(HabitSimulation.garage), at: EmotionFixtures.noon)
        _ = habits.detectDeviations(EmotionFixtures.house(HabitSimulation.garage), at: EmotionFixtures.noon)
        #expect(habits.states.count <= Habits.stateLimit)
        #expect(habits.homes.count <= Habits.homeLimit)
        for hour in -1...168 {
            let share = habits.usualState(of: "cover.a", at: hour)?.share ?? 0
            #expect((0...1.0001).contains(share))
        }
        _ = try JSONDecoder().decode(Habits.self, from: JSONEncoder().encode(habits))
    }

    @Test("A temporary clock jump of years does not stop learning", arguments: [Date.distantFuture, .distantPast])
    func wrongClock(wrong: Date) {
        var house = HabitSimulation(seed: 2, devices: [HabitSimulation.garage])
        house.addState("cover.garage", "open", at: wrong)
        house.addState("cover.garage", "closed", at: wrong)
        let sensor = EmotionFixtures.entity("sensor.t", .sensor, "20", deviceClass: "temperature")
        let hour = { (at: Date) in HourlyReading(hour: at, low: 20, high: 20, mean: 20, first: 20, last: 20, used: 0, count: 1) }
        house.habits.learn(hour(wrong), of: sensor, on: HabitSimulation.garage)
        for day in 0..<30 {
            house.simulateDay(day, house.garageDay())
            house.habits.learn(hour(house.moment(day, 600)), of: sensor, on: HabitSimulation.garage)
        }
        house.simulateDay(30, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
        #expect(house.habits.usualLevel(of: "sensor.t", at: 10)?.count ?? 0 > 15)
    }

    @Test("In an oversized house only some devices are tracked")
    func big() {
        var habits = Habits(zone: .gmt)
        for place in 0..<2000 {
            habits.learn(
                HouseEvent(id: "h", at: EmotionFixtures.noon, deviceID: "d", entityID: "light.\(place)", fact: .state("on")))
        }
        #expect(habits.states.count == Habits.stateLimit)
    }

    @Test("Hours in the weekly table count at most ten weeks", arguments: TestSeed.values(1..<21))
    func table(seed: Int) throws {
        var dice = FixtureRandom(seed: seed)
        var table = WeeklyHourTable()
        for _ in 0..<100 {
            let from = EmotionFixtures.noon + dice.number(-1e8...1e8)
            table.add(from: from, to: from + dice.number(-1e4...3e6), isActive: dice.index(2) == 0, in: EmotionFixtures.zone)
        }
        for hour in 0..<168 {
            let (share, count) = table.usual(at: hour)
            #expect((0...1.0001).contains(share))
            #expect(count <= 10.01)
        }
        let again = try JSONDecoder().decode(WeeklyHourTable.self, from: JSONEncoder().encode(table))
        for hour in 0..<168 { #expect(abs(again.usual(at: hour).count - table.usual(at: hour).count) < 0.001) }
    }

    @Test(
        "Local clock fields match those of the calendar", arguments: ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"])
    func wall(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let seed = Int(truncatingIfNeeded: TestSeed.value(9))
        var dice = FixtureRandom(seed: seed)
        for _ in 0..<300 {
            let moment = Date(timeIntervalSince1970: dice.number(0...4e9).rounded())
            let parts = calendar.dateComponents([.weekday, .hour, .minute], from: moment)
            let hour = LocalHour(moment, in: zone)
            #expect(hour.weekday == ((parts.weekday ?? 0) + 5) % 7, "\(moment), seed \(seed)")
            #expect(hour.minute == (parts.hour ?? 0) * 60 + (parts.minute ?? 0), "\(moment), seed \(seed)")
        }
    }
}
