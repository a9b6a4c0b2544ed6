@testable import CardeaMind
import CardeaModel
import Foundation

/// A randomly simulated house, day after day: its people's actions become events, and its habits are learned from them.
struct HabitSimulation {
    var dice: FixtureRandom
    var habits: Habits
    var house: HouseSnapshot
    let first: Date
    private(set) var number = 0
    private(set) var raised: [(at: Date, deviation: Deviation)] = []
    private(set) var ended: [(at: Date, deviation: Deviation)] = []

    /// One step: a minute of the day, and an entity's report then.
    typealias Step = (minute: Double, entity: String, word: String)

    init(seed: Int, first: String = "2025-03-03T00:00:00+01:00", devices: [Device], people: [Inhabitant] = []) {
        dice = FixtureRandom(seed: seed)
        house = HouseSnapshot(name: "Home", zone: EmotionFixtures.zone, devices: devices, people: people)
        habits = Habits(zone: EmotionFixtures.zone)
        self.first = EmotionFixtures.date(first)
        habits.update(house, at: self.first)
    }

    /// The time of this minute of a day in local time, counted from the first day.
    func moment(_ day: Int, _ minute: Double) -> Date {
        let plain = first.addingTimeInterval(Double(day) * 86400 + minute * 60)
        let shift = EmotionFixtures.zone.secondsFromGMT(for: first) - EmotionFixtures.zone.secondsFromGMT(for: plain)
        return plain.addingTimeInterval(Double(shift))
    }

    /// Simulates a day, checking every five minutes for deviations.
    mutating func simulateDay(_ day: Int, _ steps: [Step], watching: Bool = true) {
        var steps = steps.sorted { $0.minute < $1.minute }[...]
        for tick in 0..<288 {
            let minute = Double(tick + 1) * 5
            while let step = steps.first, step.minute < minute {
                addState(step.entity, step.word, at: moment(day, step.minute))
                steps.removeFirst()
            }
            let now = moment(day, minute)
            if tick % 12 == 11 { habits.advance(to: now) }
            if watching { detectDeviations(at: now) }
        }
    }

    mutating func addState(_ entity: String, _ word: String, at: Date) {
        number += 1
        for (place, device) in house.devices.enumerated() {
            for (part, one) in device.entities.enumerated() where one.id == entity {
                house.devices[place].entities[part].state.value = word
                habits.learn(
                    HouseEvent(id: "happening_\(number)", at: at, deviceID: device.id, entityID: entity, fact: .state(word)))
            }
        }
    }

    mutating func detectDeviations(at now: Date) {
        let (begun, over) = habits.detectDeviations(house, at: now)
        raised += begun.map { (now, $0) }
        ended += over.map { (now, $0) }
    }

    /// `23:05`.
    func clockTime(_ moment: Date) -> String { LocalHour.clock(LocalHour(moment, in: EmotionFixtures.zone).minute) }

    static let garage = EmotionFixtures.device(
        "garage", "Garage door", EmotionFixtures.entity("cover.garage", .cover, "closed", deviceClass: "garage"))

    /// Out in the morning, home in the evening, and shut around ten.
    mutating func garageDay(_ shutAt: Double? = nil) -> [Step] {
        let out = 450 + dice.number(-15...15)
        let home = 1050 + dice.number(-30...30)
        var steps: [Step] = [
            (out, "cover.garage", "opening"), (out + 0.3, "cover.garage", "open"), (out + 6, "cover.garage", "closed"),
            (home, "cover.garage", "open"),
        ]
        if shutAt != .infinity { steps.append((shutAt ?? 1320 + dice.number(-20...20), "cover.garage", "closed")) }
        return steps
    }
}
