@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Whatever a house says, learning from it ends well")
struct HabitFuzzTests {
    @Test("Strange words, names and times are taken in their stride, and memory stays bounded", arguments: TestSeed.values(1..<21))
    func anything(seed: Int) throws {
        var dice = FeltDice(seed: seed)
        var habits = Habits(zone: TimeZone(secondsFromGMT: 5 * 3600 + 1800) ?? .gmt)
        let times: [Date] = [.distantPast, .distantFuture, Date(timeIntervalSince1970: -1), FeltHouse.noon]
        for place in 0..<1500 {
            let word = ["open", "closed", "", "unknown", "\u{202E}{}", "on", "off", "locked", "NaN"][dice.roll(9)]
            let id = [".", "", "lock.", "light.\(place)", "cover.a", "person:ada", "binary_sensor.x"][dice.roll(7)]
            let at = dice.roll(9) == 0 ? times[dice.roll(4)] : FeltHouse.noon + dice.number(-1e7...1e7)
            let facts: [Happening.Fact] = [
                .state(word), .presence(isHome: dice.roll(2) == 0), .standing(.offline), .seen(type: word, words: id),
            ]
            habits.take(
                Happening(
                    id: "h", at: at, deviceID: dice.roll(2) == 0 ? id : nil, entityID: dice.roll(9) == 0 ? nil : id,
                    actor: dice.roll(2) == 0 ? "person:\(place)" : nil, fact: facts[dice.roll(4)]))
            if dice.roll(200) == 0 { habits.advance(to: at) }
        }
        habits.know(FeltHouse.picture(LivedIn.garage), at: FeltHouse.noon)
        _ = habits.watch(FeltHouse.picture(LivedIn.garage), at: FeltHouse.noon)
        #expect(habits.states.count <= Habits.stateLimit)
        #expect(habits.homes.count <= Habits.homeLimit)
        for hour in -1...168 {
            let share = habits.usualState(of: "cover.a", at: hour)?.share ?? 0
            #expect((0...1.0001).contains(share))
        }
        _ = try JSONDecoder().decode(Habits.self, from: JSONEncoder().encode(habits))
    }

    @Test("A clock that was years ahead for a moment does not end all learning", arguments: [Date.distantFuture, .distantPast])
    func wrongClock(wrong: Date) {
        var house = LivedIn(seed: 2, devices: [LivedIn.garage])
        house.say("cover.garage", "open", at: wrong)
        house.say("cover.garage", "closed", at: wrong)
        let sensor = FeltHouse.entity("sensor.t", .sensor, "20", deviceClass: "temperature")
        let hour = { (at: Date) in HourlyReading(hour: at, low: 20, high: 20, mean: 20, first: 20, last: 20, used: 0, count: 1) }
        house.habits.take(hour(wrong), of: sensor, on: LivedIn.garage)
        for day in 0..<30 {
            house.live(day, house.garageDay())
            house.habits.take(hour(house.moment(day, 600)), of: sensor, on: LivedIn.garage)
        }
        house.live(30, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
        #expect(house.habits.usualLevel(of: "sensor.t", at: 10)?.count ?? 0 > 15)
    }

    @Test("A house too big to be watched as a whole is watched in part")
    func big() {
        var habits = Habits(zone: .gmt)
        for place in 0..<2000 {
            habits.take(
                Happening(id: "h", at: FeltHouse.noon, deviceID: "d", entityID: "light.\(place)", fact: .state("on")))
        }
        #expect(habits.states.count == Habits.stateLimit)
    }

    @Test("The hours of a table never count more than ten weeks, whatever is added", arguments: TestSeed.values(1..<21))
    func table(seed: Int) throws {
        var dice = FeltDice(seed: seed)
        var table = HourTable()
        for _ in 0..<100 {
            let from = FeltHouse.noon + dice.number(-1e8...1e8)
            table.add(from: from, to: from + dice.number(-1e4...3e6), isActive: dice.roll(2) == 0, in: FeltHouse.zone)
        }
        for hour in 0..<168 {
            let (share, count) = table.usual(at: hour)
            #expect((0...1.0001).contains(share))
            #expect(count <= 10.01)
        }
        let again = try JSONDecoder().decode(HourTable.self, from: JSONEncoder().encode(table))
        for hour in 0..<168 { #expect(abs(again.usual(at: hour).count - table.usual(at: hour).count) < 0.001) }
    }

    @Test(
        "The wall's clock is read as a calendar reads it", arguments: ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"])
    func wall(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let seed = Int(truncatingIfNeeded: TestSeed.value(9))
        var dice = FeltDice(seed: seed)
        for _ in 0..<300 {
            let moment = Date(timeIntervalSince1970: dice.number(0...4e9).rounded())
            let parts = calendar.dateComponents([.weekday, .hour, .minute], from: moment)
            let hour = HouseHour(moment, in: zone)
            #expect(hour.weekday == ((parts.weekday ?? 0) + 5) % 7, "\(moment), seed \(seed)")
            #expect(hour.minute == (parts.hour ?? 0) * 60 + (parts.minute ?? 0), "\(moment), seed \(seed)")
        }
    }
}
