@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Every mood cause references an event or a sensor hour")
struct CauseEvidenceTests {
    /// A random house: its state, its event history, and its sensor readings. Half of the history is deleted.
    private struct RandomHouse {
        var house = EmotionFixtures.house()
        var events: [HouseEvent] = []
        var hours: [String: [HourlyReading]] = [:]
        var known = DeviceFirstSeen()

        private static let things: [(entity: String, kind: EntityKind, deviceClass: String?, words: [String])] = [
            ("lock.front", .lock, nil, ["locked", "unlocked", "jammed"]), ("cover.garage", .cover, "garage", ["open", "closed"]),
            ("binary_sensor.smoke", .binarySensor, "smoke", ["on", "off", "off", "off"]),
            ("binary_sensor.window", .binarySensor, "window", ["on", "off"]),
            ("binary_sensor.cell", .binarySensor, "battery", ["on", "off"]), ("sensor.cell", .sensor, "battery", ["3", "12", "80"]),
            ("sensor.warmth", .sensor, "temperature", ["12", "21", "30"]), ("sensor.air", .sensor, "carbon_dioxide", ["600", "2500"]),
            ("light.lamp", .light, nil, ["on", "off"]),
        ]

        init(_ dice: inout FixtureRandom) {
            var study = Room(id: "study", name: "Study")
            study.traits.preferredTemperature = 21
            house.rooms = [study]
            for thing in Self.things {
                let word = thing.words[dice.index(thing.words.count)]
                let status = dice.index(2) == 0 ? DeviceStatus.online : DeviceStatus.allCases[dice.index(DeviceStatus.allCases.count)]
                let device = "device.\(thing.entity)"
                house.devices.append(
                    EmotionFixtures.device(
                        device, "Thing", room: "study", status: status,
                        EmotionFixtures.entity(thing.entity, thing.kind, word, deviceClass: thing.deviceClass)))
                for _ in 0..<dice.index(4) {
                    let said = HouseEvent.Fact.state(thing.words[dice.index(thing.words.count)])
                    let stands = HouseEvent.Fact.deviceStatus(dice.index(2) == 0 ? .offline : .online)
                    let (isStanding, actor) = (dice.index(3) == 0, dice.index(2) == 0 ? "person:ada" : nil)
                    let at = EmotionFixtures.noon - dice.number(0...259_200)
                    addEvent(at, device: device, entity: isStanding ? nil : thing.entity, actor: actor, isStanding ? stands : said)
                }
                if thing.kind == .sensor, dice.index(2) == 0 {
                    let value = Double(word) ?? 0
                    hours[thing.entity] = [
                        HourlyReading(
                            hour: EmotionFixtures.noon - 3600, low: value, high: value, mean: value, first: value, last: value, used: 0,
                            count: 9)
                    ]
                }
            }
            for (key, name) in [("person:ada", "Ada"), ("person:bea", "Bea")] {
                house.people.append(Inhabitant(key: key, name: name, isHome: [true, false, nil][dice.index(3)]))
                for _ in 0..<dice.index(3) {
                    let at = EmotionFixtures.noon - dice.number(0...259_200)
                    addEvent(at, device: nil, entity: nil, actor: key, .presence(isHome: dice.index(2) == 0))
                }
            }
            // Some of them are new.
            var before = house
            before.devices.removeAll { _ in dice.index(4) == 0 }
            known.update(before, at: EmotionFixtures.noon - 30 * 86_400)
            known.update(house, at: EmotionFixtures.noon - 3600)
        }

        private mutating func addEvent(_ at: Date, device: String?, entity: String?, actor: String?, _ fact: HouseEvent.Fact) {
            let number = events.count + 1
            events.append(EmotionFixtures.event(number, at, device: device, entity: entity, actor: actor, fact))
        }

        /// Returns whether anything is recorded of the devices and people that a cause names.
        func remembers(_ cause: Cause) -> Bool {
            if cause.needs.contains(.everything) { return !events.isEmpty }
            let devices = house.devices.filter { cause.devices.contains($0.id) }
            return events.contains { event in
                devices.contains { $0.id == event.deviceID }
                    || (event.fact.kind == .presence && event.actor.map(cause.people.contains) == true)
            } || devices.contains { device in device.entities.contains { hours[$0.id] != nil } }
        }
    }

    // A lock jammed for longer than the retention, and a new lamp, once worried and excited the house without a visible reason.
    @Test("A cause has no events only if nothing it refers to is recorded")
    func grounds() {
        var found: [String: Int] = [:]
        for seed in TestSeed.values(1..<301) {
            var dice = FixtureRandom(seed: seed)
            let house = RandomHouse(&dice)
            let now = dice.index(2) == 0 ? EmotionFixtures.noon : EmotionFixtures.date("2025-06-25T21:30:00Z")
            let outlook = CauseDetector(
                snapshot: house.house, events: house.events, hours: house.hours, firstSeen: house.known, now: now)
            for cause in outlook.causes() {
                found[cause.id.split(separator: ":").first.map(String.init) ?? "", default: 0] += 1
                #expect(cause.events.isEmpty != house.remembers(cause), "seed \(seed): \(cause.id) rests on \(cause.events)")
                // An requester who sees the device may read it, whoever caused it.
                let visibility = RequesterVisibility(key: "person:nobody", devices: Set(cause.devices))
                if cause.people.isEmpty, cause.needs.isEmpty { #expect(visibility.sees(cause), "seed \(seed): \(cause.id)") }
            }
        }
        let kinds = ["offline", "jammed", "alarm", "open", "battery", "temperature", "comfort", "air", "new", "absence", "quiet"]
        #expect(kinds.allSatisfy { (found[$0] ?? 0) > 3 }, "\(found), seeds from \(TestSeed.value(1)) on")
    }
}
