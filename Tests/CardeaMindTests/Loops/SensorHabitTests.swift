@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Habits of sensor levels")
struct SensorHabitTests {
    private static let sensor = EmotionFixtures.entity("sensor.study", .sensor, "20", deviceClass: "temperature", unit: "°C")
    private static let plug = EmotionFixtures.entity("sensor.freezer", .sensor, "90", deviceClass: "power", unit: "W")
    private static let devices = [
        EmotionFixtures.device("study", "Study", sensor), EmotionFixtures.device("freezer", "Freezer", plug),
    ]

    private static func hour(_ at: Date, _ mean: Double) -> HourlyReading {
        HourlyReading(hour: at, low: mean, high: mean, mean: mean, first: mean, last: mean, used: 0, count: 60)
    }

    /// - Parameter value: by day and hour.
    private static func simulate(
        _ house: inout HabitSimulation, _ days: Range<Int>, _ place: Int, _ value: (Int, Int, inout FixtureRandom) -> Double
    ) {
        for day in days {
            for hour in 0..<24 {
                let at = house.moment(day, Double(hour * 60))
                let mean = value(day, hour, &house.dice)
                house.habits.learn(Self.hour(at, mean), of: house.house.devices[place].entities[0], on: house.house.devices[place])
                house.detectDeviations(at: at.addingTimeInterval(3600))
            }
        }
    }

    @Test(
        "A usual level has a mean and spread per hour, and a similar month raises nothing",
        arguments: 1...TestRepetitions.of(4, full: 10))
    func usual(seed: Int) throws {
        var house = HabitSimulation(seed: seed, devices: Self.devices)
        Self.simulate(&house, 0..<60, 0) { _, hour, dice in (hour < 6 ? 18 : 21) + dice.gaussian() * 0.6 }
        Self.simulate(&house, 0..<60, 1) { _, _, dice in 90 + dice.gaussian() * 20 }
        let level = try #require(house.habits.usualLevel(of: "sensor.study", at: 12))
        #expect(abs(level.mean - 21) < 0.7)
        #expect((0.2...1.2).contains(level.deviation))
        #expect(house.raised.isEmpty)
    }

    @Test("An unusual level is raised once after two hours, and ends when it is usual again")
    func strays() throws {
        var house = HabitSimulation(seed: 1, devices: Self.devices)
        Self.simulate(&house, 0..<20, 1) { _, _, dice in 90 + dice.gaussian() * 10 }
        Self.simulate(&house, 20..<21, 1) { _, hour, _ in hour >= 10 && hour < 15 ? 900 : 90 }
        #expect(house.raised.map { house.clockTime($0.at) } == ["12:00"])
        #expect(house.ended.map { house.clockTime($0.at) } == ["16:00"])
        let deviation = try #require(house.raised.first).deviation
        #expect(deviation.words.text.hasPrefix("Freezer shows 900 W, where "))
        #expect(EmotionFixtures.owner.sees(deviation))
        #expect(!RequesterVisibility(key: "person:bea", seesEnergy: false).sees(deviation))
    }

    @Test("One unusual day does not raise the tolerance for the next")
    func robust() {
        var house = HabitSimulation(seed: 1, devices: Self.devices)
        Self.simulate(&house, 0..<20, 1) { _, _, dice in 90 + dice.gaussian() * 10 }
        for day in 20..<24 { Self.simulate(&house, day..<(day + 1), 1) { _, hour, _ in hour >= 10 && hour < 15 ? 900 : 90 } }
        #expect(house.raised.count == 4)
    }

    @Test("An hour counts once; past hours and NaN do not count")
    func hours() throws {
        var habits = Habits(zone: EmotionFixtures.zone)
        for _ in 0..<5 { habits.learn(Self.hour(EmotionFixtures.noon, 20), of: Self.sensor, on: Self.devices[0]) }
        habits.learn(Self.hour(EmotionFixtures.noon - 86400, 30), of: Self.sensor, on: Self.devices[0])
        habits.learn(Self.hour(EmotionFixtures.noon + 86400, .nan), of: Self.sensor, on: Self.devices[0])
        let level = try #require(habits.usualLevel(of: "sensor.study", at: 15))
        #expect(level.mean == 20)
        #expect(level.count == 1)
    }

    @Test("A range set by a person replaces the learned one")
    func pinned() throws {
        var house = HabitSimulation(seed: 1, devices: Self.devices)
        try house.habits.correct(HabitKey("sensor.study", .level), .between(low: 19, high: 23), by: "person:ada", at: house.first)
        Self.simulate(&house, 0..<1, 0) { _, hour, _ in hour == 5 || hour == 6 ? 17 : 21 }
        #expect(house.raised.map(\.deviation.words.text) == ["Study shows 17 °C, where 19 to 23 is wanted."])
    }
}
