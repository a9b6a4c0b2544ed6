@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Habit learning")
struct HabitTests {
    @Test(
        "A garage usually closed by ten is reported at eleven, not before",
        arguments: 1...TestRepetitions.of(4, full: 12))
    func garage(seed: Int) throws {
        var house = HabitSimulation(seed: seed, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay()) }
        #expect(house.raised.isEmpty)

        house.simulateDay(30, house.garageDay(.infinity))
        house.simulateDay(31, [(480, "cover.garage", "closed")])

        #expect(house.raised.count == 1)
        let (at, deviation) = try #require(house.raised.first)
        #expect(("22:50"..."23:10").contains(house.clockTime(at)), "raised at \(house.clockTime(at))")
        #expect(deviation.key == HabitKey("cover.garage", .closing))
        #expect(deviation.deviceID == "garage")
        #expect(deviation.sureness > 0.9)
        #expect(deviation.words.text.hasPrefix("Garage door is usually shut by 22:"))
        #expect(deviation.words.text.contains("; it has been open since 1"))
        #expect(deviation.events.count == 1)
        #expect(house.ended.map(\.deviation.id) == [deviation.id])
    }

    @Test("Garage habit holds across a clock change", arguments: ["2025-02-27T00:00:00+01:00", "2025-09-25T00:00:00+02:00"])
    func clocks(first: String) throws {
        var house = HabitSimulation(seed: 3, first: first, devices: [HabitSimulation.garage])
        for day in 0..<34 { house.simulateDay(day, house.garageDay()) }
        house.simulateDay(34, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
        let at = house.clockTime(try #require(house.raised.first).at)
        #expect(("22:50"..."23:10").contains(at), "raised at \(at)")
    }

    @Test("Three days form no habit")
    func young() {
        var house = HabitSimulation(seed: 1, devices: [HabitSimulation.garage])
        for day in 0..<3 { house.simulateDay(day, house.garageDay()) }
        house.simulateDay(3, house.garageDay(.infinity))
        house.simulateDay(4, [])
        #expect(house.raised.isEmpty)
        #expect(house.habits.all(in: house.house, seenBy: EmotionFixtures.owner).isEmpty)
    }

    @Test("A deviation is raised once until it ends")
    func once() {
        var house = HabitSimulation(seed: 2, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay(), watching: false) }
        house.simulateDay(30, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
        #expect(house.habits.activeDeviations.count == 1)
        house.addState("cover.garage", "closed", at: house.moment(31, 1))
        house.detectDeviations(at: house.moment(31, 5))
        #expect(house.ended.count == 1)
        #expect(house.habits.activeDeviations.isEmpty)
    }

    @Test("Thirty further similar days raise at most one false alarm", arguments: 1...TestRepetitions.of(3, full: 8))
    func calm(seed: Int) {
        var house = HabitSimulation(
            seed: seed,
            devices: [
                HabitSimulation.garage,
                EmotionFixtures.device("front", "Front door", EmotionFixtures.entity("lock.front", .lock, "locked")),
                EmotionFixtures.device(
                    "back", "Back door", EmotionFixtures.entity("binary_sensor.back", .binarySensor, "off", deviceClass: "door")),
                EmotionFixtures.device("sofa", "Sofa lamp", EmotionFixtures.entity("light.sofa", .light, "off")),
                EmotionFixtures.device("cellar", "Cellar lamp", EmotionFixtures.entity("light.cellar", .light, "off")),
            ])
        for day in 0..<60 {
            var steps = house.garageDay()
            // In and out a few times a day, for a minute or a few.
            for _ in 0..<(4 + house.dice.index(4)) {
                let at = house.dice.number(400...1330)
                steps += [(at, "lock.front", "unlocked"), (at + house.dice.number(0.5...4), "lock.front", "locked")]
            }
            // The garden, at weekends for longer.
            let hours = day % 7 > 4 ? 150.0 : 30
            for _ in 0..<house.dice.index(4) {
                let at = house.dice.number(600...1080)
                steps += [(at, "binary_sensor.back", "on"), (at + house.dice.number(2...hours), "binary_sensor.back", "off")]
            }
            // Evenings, later at weekends; a bell curve of half an hour.
            let bed = (day % 7 == 4 || day % 7 == 5 ? 1410 : 1350) + house.dice.gaussian() * 25
            steps += [(1080 + house.dice.gaussian() * 30, "light.sofa", "on"), (min(bed, 1439), "light.sofa", "off")]
            if house.dice.index(3) == 0 {
                let at = house.dice.number(480...1260)
                steps += [(at, "light.cellar", "on"), (at + house.dice.number(3...25), "light.cellar", "off")]
            }
            house.simulateDay(day, steps, watching: day >= 30)
        }
        let told = house.raised.map { "\(house.clockTime($0.at)) \($0.deviation.words.text)" }
        #expect(house.raised.count <= 1, "\(told)")
    }

    @Test("A cellar door that never opens is reported after half an hour; a door in daily use is not")
    func neverOpen() {
        var house = HabitSimulation(
            seed: 4, devices: [EmotionFixtures.device("cellar", "Cellar door", EmotionFixtures.entity("lock.cellar", .lock, "locked"))])
        for day in 0..<20 { house.simulateDay(day, []) }
        house.simulateDay(20, [(600, "lock.cellar", "unlocked")])
        #expect(house.raised.map { house.clockTime($0.at) } == ["10:35"])
        #expect(house.raised.first?.deviation.key.aspect == .hours)
    }

    @Test("Hours at home are learned for residents, not for guests")
    func homes() throws {
        var house = HabitSimulation(seed: 5, devices: [], people: [Inhabitant(key: "person:ada", name: "Ada", isHome: true)])
        for day in 0..<28 {
            let isWorkday = day % 7 < 5
            for hour in 0..<24 {
                let at = house.moment(day, Double(hour * 60))
                if isWorkday, hour == 8 || hour == 17 {
                    house.habits.learn(HouseEvent(id: "h", at: at, actor: "person:ada", fact: .presence(isHome: hour == 17)))
                    house.habits.learn(HouseEvent(id: "g", at: at, actor: "guest:plumber", fact: .presence(isHome: hour == 17)))
                }
                house.habits.advance(to: at)
            }
        }
        let monday = { (hour: Int) in house.habits.usualPresence("person:ada", at: hour)?.share }
        #expect(monday(3) == 1)
        #expect(monday(12) == 0)
        #expect(monday(6 * 24 + 12) == 1)
        #expect(try #require(house.habits.usualPresence("person:ada", at: 12)).count > 3)
        #expect(house.habits.usualPresence("guest:plumber", at: 12) == nil)

        let words = house.habits.all(in: house.house, seenBy: EmotionFixtures.owner).map(\.words.text)
        #expect(words == ["Ada is usually at home on working days 00:00–08:00 and 17:00–24:00, at weekends at all hours."])
        #expect(house.habits.all(in: house.house, seenBy: RequesterVisibility(key: "person:bea")).isEmpty)
        #expect(house.habits.all(in: house.house, seenBy: RequesterVisibility(key: "person:ada")).count == 1)
    }

    @Test("Learned habits are readable by those who may see the device")
    func reading() throws {
        var house = HabitSimulation(seed: 6, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay()) }
        let all = house.habits.all(in: house.house, seenBy: EmotionFixtures.owner)
        #expect(all.map(\.key.aspect) == [.closing, .hours])
        let closing = try #require(house.habits.usualClosing(of: "cover.garage", on: 2))
        #expect((1310...1330).contains(closing.minute))
        #expect(closing.nights >= 29)
        #expect(try #require(house.habits.usualState(of: "cover.garage", at: 20)).share > 0.99)
        #expect(try #require(house.habits.usualState(of: "cover.garage", at: 3)).share < 0.01)
        #expect(all.last?.words.text == "Garage door is usually open 18:00–22:00." || all.last?.words.text.contains("17:00") == true)
        #expect(house.habits.all(in: house.house, seenBy: RequesterVisibility(key: "person:bea", devices: [])).isEmpty)
    }

    @Test("Habits survive encoding and stay small")
    func kept() throws {
        var house = HabitSimulation(seed: 6, devices: [HabitSimulation.garage])
        for day in 0..<30 { house.simulateDay(day, house.garageDay()) }
        let data = try JSONEncoder().encode(house.habits)
        #expect(data.count < 6000)
        house.habits = try JSONDecoder().decode(Habits.self, from: data)
        house.simulateDay(30, house.garageDay(.infinity))
        #expect(house.raised.count == 1)
    }
}
