@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Corrections of habits override learning")
struct HabitCorrectionTests {
    private static let key = HabitKey("cover.garage", .closing)

    private static func month(_ seed: Int) -> HabitSimulation {
        var house = HabitSimulation(seed: seed, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay(), watching: false) }
        return house
    }

    private static func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    @Test("A corrected time survives weeks of other evenings until it is withdrawn")
    func pinned() throws {
        var house = Self.month(1)
        try house.habits.correct(Self.key, .shutBy(Self.time("20:00")), by: "person:ada", at: house.moment(30, 0))
        for day in 30..<44 { house.simulateDay(day, house.garageDay()) }
        #expect(house.raised.count == 14)
        #expect(house.raised.allSatisfy { house.clockTime($0.at) == "20:00" })
        #expect(house.raised.first?.deviation.words.text.hasPrefix("Garage door is to be shut by 20:00") == true)
        #expect(house.ended.count == 14)
        let habit = try #require(house.habits.all(in: house.house, seenBy: EmotionFixtures.owner).first { $0.key == Self.key })
        #expect(habit.correction?.by == "person:ada")
        #expect(habit.words.text == "Garage door is usually shut by 20:00.")

        house.habits.removeCorrection(Self.key)
        house.simulateDay(44, house.garageDay())
        #expect(house.raised.count == 14)
        house.simulateDay(45, house.garageDay(.infinity))
        #expect(house.raised.count == 15)
    }

    @Test("A forgotten habit is not relearned and raises nothing; when restored, it is learned anew")
    func forgotten() throws {
        var house = Self.month(2)
        try house.habits.correct(Self.key, .forgotten, by: "person:ada", at: house.moment(30, 0))
        try house.habits.correct(HabitKey("cover.garage", .hours), .forgotten, by: "person:ada", at: house.moment(30, 0))
        for day in 30..<60 { house.simulateDay(day, house.garageDay()) }
        house.simulateDay(60, house.garageDay(.infinity))
        #expect(house.raised.isEmpty)
        #expect(house.habits.usualClosing(of: "cover.garage", on: 0) == nil)
        #expect(house.habits.usualState(of: "cover.garage", at: 3)?.count == 0)
        let words = house.habits.all(in: house.house, seenBy: EmotionFixtures.owner).map(\.words.text)
        #expect(
            words == ["I no longer learn when Garage door is usually shut or off.", "I no longer learn how Garage door usually stands."])

        house.habits.removeCorrection(Self.key)
        house.habits.removeCorrection(HabitKey("cover.garage", .hours))
        house.simulateDay(61, [(30, "cover.garage", "closed")])
        for day in 62..<90 { house.simulateDay(day, house.garageDay()) }
        #expect(house.raised.isEmpty)
        house.simulateDay(90, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
    }

    @Test("Hours marked as allowed raise no deviation; hours marked as not allowed do")
    func hours() throws {
        var house = HabitSimulation(
            seed: 3, devices: [EmotionFixtures.device("cellar", "Cellar door", EmotionFixtures.entity("lock.cellar", .lock, "locked"))])
        for day in 0..<20 { house.simulateDay(day, []) }
        let key = HabitKey("lock.cellar", .hours)
        try house.habits.correct(key, .hours(Set(0..<168), isActive: true), by: "person:ada", at: house.moment(20, 0))
        house.simulateDay(20, [(600, "lock.cellar", "unlocked"), (900, "lock.cellar", "locked")])
        #expect(house.raised.isEmpty)
        try house.habits.correct(key, .hours(Set(0..<168), isActive: false), by: "person:ada", at: house.moment(21, 0))
        house.simulateDay(21, [(600, "lock.cellar", "unlocked"), (900, "lock.cellar", "locked")])
        #expect(house.raised.map { house.clockTime($0.at) } == ["10:10"])
    }

    @Test("A meaningless correction is rejected")
    func refused() throws {
        var habits = Habits(zone: EmotionFixtures.zone)
        let twenty = try Self.time("20:00")
        #expect(throws: HabitCorrection.CorrectionError.doesNotFit) {
            try habits.correct(HabitKey("cover.garage", .hours), .shutBy(twenty), by: "person:ada", at: EmotionFixtures.noon)
        }
        #expect(throws: HabitCorrection.CorrectionError.outOfRange) {
            try habits.correct(HabitKey("sensor.t", .level), .between(low: 3, high: 2), by: "person:ada", at: EmotionFixtures.noon)
        }
        #expect(throws: HabitCorrection.CorrectionError.outOfRange) {
            try habits.correct(HabitKey("person:ada", .home), .hours([168], isActive: true), by: "person:ada", at: EmotionFixtures.noon)
        }
        // 300 was stored as °C, and the house wanted the cellar as warm as an oven.
        let range = try #require(LevelRange(of: "temperature"))
        for (low, high) in [(18.0, 300.0), (-300, 21)] {
            #expect(throws: HabitCorrection.CorrectionError.implausible(range)) {
                try habits.correct(
                    HabitKey("sensor.t", .level), .between(low: low, high: high), of: "temperature", by: "person:ada",
                    at: EmotionFixtures.noon)
            }
        }
        try habits.correct(
            HabitKey("sensor.t", .level), .between(low: -24, high: -18), of: "temperature", by: "person:ada", at: EmotionFixtures.noon)
        for sort in SensorHabit.deviceClasses { #expect(LevelRange(of: sort) != nil, "\(sort)") }
        #expect(throws: HabitCorrection.CorrectionError.tooMany) {
            for place in 0...Habits.correctionLimit {
                try habits.correct(HabitKey("light.\(place)", .hours), .forgotten, by: "person:ada", at: EmotionFixtures.noon)
            }
        }
    }
}
