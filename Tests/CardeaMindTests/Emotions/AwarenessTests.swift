@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Awareness: wake state and share of the house that is observed")
struct AwarenessTests {
    private static let night = EmotionFixtures.date("2025-06-25T01:00:00Z")
    private static let quiet = TimeOfDay("22:00").flatMap { from in TimeOfDay("06:00").map { QuietHours(from: from, to: $0) } }
    private static let house = EmotionFixtures.house(
        EmotionFixtures.device("lamp", "Lamp", EmotionFixtures.entity("light.lamp", .light, "off")),
        EmotionFixtures.device("motion", "Hall", EmotionFixtures.entity("binary_sensor.hall", .binarySensor, "off", deviceClass: "motion")),
        EmotionFixtures.device("plug", "Plug", EmotionFixtures.entity("switch.plug", .switch, "off")),
        EmotionFixtures.device(
            "therm", "Thermometer", status: .offline, EmotionFixtures.entity("sensor.t", .sensor, "20", deviceClass: "temperature")))

    @Test("State is active by day, sleeping in quiet hours, inactive without sensors and processing during long work")
    func statuses() {
        let at = { (signals: Awareness.Signals, now: Date) in Awareness(signals, at: now).status }
        #expect(at(.init(snapshot: Self.house, quietHours: Self.quiet), EmotionFixtures.noon) == .active)
        #expect(at(.init(snapshot: Self.house, quietHours: Self.quiet), Self.night) == .sleeping)
        #expect(at(.init(snapshot: Self.house), Self.night) == .active)
        #expect(at(.init(snapshot: Self.house, quietHours: Self.quiet, phaseDuration: 5), Self.night) == .processing)
        #expect(
            at(.init(snapshot: Self.house, houseReaderResponds: false, quietHours: Self.quiet, phaseDuration: 5), Self.night) == .inactive)
    }

    @Test("Motion in the hall at night wakes the house; a plug switched by an integration does not")
    func up() {
        let status = { (event: HouseEvent) in
            Awareness(.init(snapshot: Self.house, events: [event], quietHours: Self.quiet), at: Self.night).status
        }
        let at = Self.night - 600
        let motion = EmotionFixtures.event(1, at, device: "motion", entity: "binary_sensor.hall", .state("on"))
        #expect(status(motion) == .active)
        #expect(status(EmotionFixtures.event(1, at - 3600, device: "motion", entity: "binary_sensor.hall", .state("on"))) == .sleeping)
        #expect(status(EmotionFixtures.event(2, at, device: "lamp", entity: "light.lamp", .state("on"))) == .active)
        #expect(
            status(EmotionFixtures.event(3, at, device: "plug", entity: "switch.plug", actor: "integration:mqtt", .state("on")))
                == .sleeping)
        #expect(status(EmotionFixtures.event(4, at, actor: "person:ada", .presence(isHome: true))) == .active)
        #expect(status(EmotionFixtures.event(5, at, actor: "person:ada", .presence(isHome: false))) == .sleeping)
    }

    @Test("Awareness equals the mean of the measured parts, and each part is listed")
    func parts() {
        let all = Awareness(.init(snapshot: Self.house), at: EmotionFixtures.noon)
        #expect(all.parts.map(\.name) == [.devices, .journal, .sensors])
        #expect(all.parts.map(\.value) == [0.75, 1, 0])
        #expect(abs(all.level - (0.75 * 0.4 + 0.3)) < 1e-12)
        let behind = Awareness(.init(snapshot: Self.house, journalLag: 10_000), at: EmotionFixtures.noon)
        #expect(behind.parts.first { $0.name == .journal }?.value == 0)
        #expect(Awareness(.init(snapshot: Self.house, houseReaderResponds: false), at: EmotionFixtures.noon).level == 0)
        #expect(Awareness(.init(snapshot: EmotionFixtures.house(), journalLag: .nan), at: EmotionFixtures.noon).level == 0)
    }
}
