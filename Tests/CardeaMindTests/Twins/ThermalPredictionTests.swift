import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Thermal twin: predictions and rejected input")
struct ThermalPredictionTests {
    private static let hour: TimeInterval = 3600

    @Test("The next day's temperature lies within the predicted interval on nine days in ten")
    func nextDay() throws {
        var (inside, all) = (0, 0)
        for seed in 0..<20 as Range<UInt64> {
            let room = GeneratedRoom(tau: 12 + 3 * Double(seed), rate: 2.5, gain: 0.03, disturbance: 0.03)
            let minutes = room.minutes(days: 15, seed: seed)
            let sensor = GeneratedRoom.SimulatedSensor(noise: 0.05, rounding: 0.1)
            let twin = try ThermalTwin(sensor.read(Array(minutes.prefix(14 * 1440)), seed: seed))
            let next = sensor.read(Array(minutes.suffix(1440 + 60)), seed: seed).samples
            let start = try #require(next.first?.inside)
            let plan = next.dropLast().map { sample in
                ThermalTwin.PlanSegment(hours: 1, outside: sample.outside ?? 0, heating: .share(sample.heating ?? 0))
            }

            let course = twin.predict(from: start, under: plan)

            for (point, sample) in zip(course, next.dropFirst()) {
                all += 1
                if let said = sample.inside, (point.inside.low...point.inside.high).contains(said) { inside += 1 }
            }
        }
        print("thermal course: \(inside) of \(all) readings of the next days inside")
        #expect(Double(inside) >= 0.9 * Double(all))
    }

    @Test("Holding, heating and cooling need the energy and time of the equation")
    func closedForms() throws {
        let room = GeneratedRoom(tau: 30, rate: 2, gain: 0.05)
        let twin = try ThermalTwin(GeneratedRoom.SimulatedSensor().read(room.minutes(days: 28, seed: 3), seed: 3))

        let hold = try #require(twin.energy(toHold: 21, outside: 0, hours: 10, kilowatts: 3))
        let up = try #require(twin.warmUp(from: 17, to: 21, outside: 0))
        let down = try #require(twin.coolDown(from: 21, to: 17, outside: 0))

        #expect(abs(hold.value / ((21.0 / 30 - 0.05) / 2 * 30) - 1) < 0.05)
        #expect(hold.low < hold.value && hold.value < hold.high)
        let ceiling = 30 * (2 + 0.05)
        #expect(abs(up.value / (30 * log((ceiling - 17) / (ceiling - 21))) - 1) < 0.05)
        #expect(abs(down.value / (30 * log((21 - 1.5) / (17 - 1.5))) - 1) < 0.05)
        #expect(twin.warmUp(from: 17, to: 90, outside: 0) == nil)
        #expect(twin.coolDown(from: 21, to: 0, outside: 10) == nil)
        #expect(twin.heating(toHold: 80, outside: 0) == nil)
        #expect(twin.heating(toHold: 10, outside: 20)?.value == 0)
    }

    @Test("A set point is reached and held within the heating's power")
    func setPoint() throws {
        let room = GeneratedRoom(tau: 30, rate: 2)
        let twin = try ThermalTwin(GeneratedRoom.SimulatedSensor().read(room.minutes(days: 21, seed: 5), seed: 5))
        let plan = (0..<24).map { _ in ThermalTwin.PlanSegment(hours: 1, outside: 0, heating: .setPoint(22)) }

        let course = twin.predict(from: 18, under: plan)
        let weak = twin.predict(from: 18, under: plan, capacity: 0.2)

        #expect(abs(try #require(course.last).inside.value - 22) < 0.01)
        #expect(course.allSatisfy { (0...1).contains($0.heating) && $0.inside.low < $0.inside.value })
        #expect(try #require(weak.last).inside.value < 18.5)
        #expect(weak.allSatisfy { $0.heating == 0.2 })
    }

    @Test("Hourly readings of sensors yield the same room")
    func hours() throws {
        let room = GeneratedRoom(tau: 20, rate: 2.5)
        let minutes = room.minutes(days: 21, seed: 9)
        var (inside, outside, heating): ([HourlyReading], [HourlyReading], [Date: Double]) = ([], [], [:])
        for start in stride(from: 0, to: minutes.count, by: 60) {
            let hour = GeneratedRoom.beginning.addingTimeInterval(Double(start) * 60)
            let span = minutes[start..<min(start + 60, minutes.count)]
            let said = { (value: (GeneratedRoom.MinuteSample) -> Double) in
                span.enumerated().map { Reading(at: hour.addingTimeInterval(Double($0.offset) * 60), value: value($0.element)) }
            }
            inside += [HourlyReading(said(\.inside), in: hour, after: inside.last?.last)].compactMap(\.self)
            outside += [HourlyReading(said(\.outside), in: hour, after: outside.last?.last)].compactMap(\.self)
            heating[hour] = span.reduce(0) { $0 + $1.heating } / Double(span.count)
        }

        let twin = try ThermalTwin(ThermalSeries(inside: inside, outside: outside, heating: heating))

        #expect(abs(twin.timeConstant.value / 20 - 1) < 0.05)
        #expect(abs(twin.heatingRate.value / 2.5 - 1) < 0.05)
    }

    // MARK: Refusals

    private func series(_ count: Int, _ sample: (Int) -> (Double?, Double?, Double?)) -> ThermalSeries {
        ThermalSeries(
            (0..<count).map { place in
                let (inside, outside, heating) = sample(place)
                return .init(
                    at: GeneratedRoom.beginning.addingTimeInterval(Double(place) * Self.hour), inside: inside, outside: outside,
                    heating: heating)
            })
    }

    @Test("Too few, constant and unexcited series are rejected with their own errors")
    func refusals() {
        #expect(throws: ThermalTwinError.tooFewReadings(readings: 0, needed: 48)) { try ThermalTwin(ThermalSeries([])) }
        #expect(throws: ThermalTwinError.tooFewReadings(readings: 29, needed: 48)) {
            try ThermalTwin(series(30) { (20 + sin(Double($0)), 5, Double($0 % 2)) })
        }
        #expect(throws: ThermalTwinError.constant) { try ThermalTwin(series(400) { (21, 5, Double($0 % 2)) }) }
        #expect(throws: ThermalTwinError.unexcited) { try ThermalTwin(series(400) { (20 + sin(Double($0) / 9), 5, 0.4) }) }
        #expect(throws: ThermalTwinError.tooFewReadings(readings: 0, needed: 48)) {
            try ThermalTwin(series(400) { (20 + sin(Double($0) / 9), 5, nil) })
        }
    }

    @Test("A room that cools when heated, or with unrelated data, gives no twin")
    func unphysical() {
        var dice = SeededHouseGenerator(11)
        var rates = 0
        for seed in 0..<30 as Range<UInt64> {
            let room = GeneratedRoom(tau: 20, rate: 2)
            let minutes = room.minutes(days: 14, seed: seed)
            let samples = GeneratedRoom.SimulatedSensor().read(minutes, seed: seed).samples
            // Another room's heating: on exactly when this one's is off.
            let swapped = ThermalSeries(
                samples.map { .init(at: $0.at, inside: $0.inside, outside: $0.outside, heating: $0.heating.map { 1 - $0 }) })
            let twin = try? ThermalTwin(swapped, hasGain: false)
            if twin != nil { rates += 1 }
            // White noise around 20 degrees, whatever happens.
            let noise = series(300) { _ in (20 + dice.nextGaussian(), 5 + 3 * dice.nextGaussian(), Double.random(in: 0...1, using: &dice)) }
            #expect(throws: ThermalTwinError.self) { try ThermalTwin(noise) }
        }
        #expect(rates == 0)
    }

    @Test("Any input gives a prediction or an error")
    func fuzzed() {
        var dice = SeededHouseGenerator(TestSeed.value(13))
        let strange: [Double?] = [nil, .nan, .infinity, -.infinity, 0, 1e308, -1e308, 20, 21.5, 0.5, -40, 1e-300]
        for _ in 0..<300 {
            let count = Int.random(in: 0...120, using: &dice)
            let isWild = Bool.random(using: &dice)
            let samples = (0..<count).map { _ in
                ThermalSeries.Sample(
                    at: Date(
                        timeIntervalSinceReferenceDate: isWild
                            ? [0, 1e300, -1e300, .nan, .infinity, 60, 7200].randomElement(using: &dice) ?? 0
                            : Double.random(in: 0...400_000, using: &dice)),
                    inside: strange.randomElement(using: &dice) ?? nil, outside: strange.randomElement(using: &dice) ?? nil,
                    heating: strange.randomElement(using: &dice) ?? nil)
            }
            if let twin = try? ThermalTwin(ThermalSeries(samples)) {
                #expect(twin.timeConstant.value.isFinite && twin.heatingRate.value > 0, "seed \(dice.seed)")
            }
        }
    }
}
