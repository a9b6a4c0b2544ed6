@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Mood causes: rooms")
struct RoomCauseTests {
    private static let noon = EmotionFixtures.noon

    private static func house(_ temperatures: String..., wanted: Double) -> HouseSnapshot {
        var room = Room(id: "study", name: "Study")
        room.traits.preferredTemperature = wanted
        var snapshot = EmotionFixtures.house(rooms: [room])
        snapshot.devices = temperatures.enumerated().map { place, word in
            EmotionFixtures.device(
                "t\(place)", "Thermometer", room: "study",
                EmotionFixtures.entity("sensor.t\(place)", .sensor, word, deviceClass: "temperature"))
        }
        return snapshot
    }

    @Test("A room far from its target temperature lowers happiness by the distance; one on target raises it")
    func temperature() throws {
        let outlook = { (word: String) in CauseDetector(snapshot: Self.house(word, wanted: 21), now: Self.noon).causes() }
        let cold = try #require(outlook("17.5").first)
        #expect(cold.id == "temperature:study")
        #expect(cold.words.text == "Study is at 17.5 °C, colder than the 21 °C wanted.")
        #expect(cold.words.text(in: .fahrenheit) == "Study is at 63.5 °F, colder than the 69.8 °F wanted.")
        #expect(cold.devices == ["t0"])
        #expect(try #require(outlook("10").first).effects.happiness < cold.effects.happiness)
        #expect(outlook("22.5").isEmpty)
        #expect(try #require(outlook("21.4").first).effects == EmotionVector(happiness: 0.15))
        #expect(outlook("unknown").isEmpty)
        #expect(outlook("nan").isEmpty)
    }

    @Test("A single thermometer in the sun does not define the room temperature")
    func sun() {
        #expect(CauseDetector(snapshot: Self.house("21", "20.5", "38", wanted: 21), now: Self.noon).causes().map(\.id) == ["comfort:study"])
    }

    @Test("The start of a cold period comes from the hourly readings of the sensor")
    func since() throws {
        let hours = (0..<6).map { hour in
            let mean = hour < 3 ? 21.0 : 17
            return HourlyReading(
                hour: Self.noon - Double(6 - hour) * 3600, low: mean, high: mean, mean: mean, first: mean, last: mean, used: 0, count: 9)
        }
        let outlook = CauseDetector(snapshot: Self.house("17", wanted: 21), hours: ["sensor.t0": hours], now: Self.noon)
        let cause = try #require(outlook.causes().first)
        #expect(cause.since == Self.noon - 3 * 3600)
        // The hours in which it was cold, and not those before.
        let cold = try #require(ReadingEvidence(of: "sensor.t0", Array(hours.suffix(3))))
        #expect(cause.events == [cold.id] && outlook.evidenceSensors == ["sensor.t0"])
    }

    @Test(
        "High CO₂ raises worry",
        arguments: [("carbon_dioxide", "2000", true), ("carbon_dioxide", "900", false), ("pm25", "60", true), ("aqi", "99", false)])
    func air(deviceClass: String, word: String, worries: Bool) {
        let house = EmotionFixtures.house(
            EmotionFixtures.device("air", "Study air", EmotionFixtures.entity("sensor.air", .sensor, word, deviceClass: deviceClass)))
        let value = Double(word) ?? 0
        let hour = HourlyReading(
            hour: Self.noon - 3600, low: value, high: value, mean: value, first: value, last: value, used: 0, count: 9)
        let causes = CauseDetector(snapshot: house, hours: ["sensor.air": [hour]], now: Self.noon).causes()
        #expect(causes.map(\.id) == (worries ? ["air:sensor.air"] : []))
        #expect(causes.allSatisfy { $0.events == [ReadingEvidence(of: "sensor.air", [hour])?.id] })
    }
}
