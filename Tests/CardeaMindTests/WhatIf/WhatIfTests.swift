import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("What-if answers from history")
struct WhatIfTests {
    private static let houses = UInt64(TestRepetitions.of(10, full: 40))

    /// Nine in ten; for the gate's small sample three standard deviations less.
    private static func least(of all: Int) -> Double {
        let all = Double(all)
        return 0.9 * all - (TestRepetitions.isFull ? 0 : 3 * (0.9 * 0.1 * all).squareRoot())
    }

    /// A random house.
    private static func house(_ seed: UInt64, _ dice: inout SeededHouseGenerator) -> GeneratedHistory {
        var house = GeneratedHistory(days: 24, seed: seed)
        house.room.tau = Double.random(in: 10...60, using: &dice)
        house.room.rate = 45 / house.room.tau + 0.8
        house.room.outside = Double.random(in: -2...8, using: &dice)
        return house
    }

    @Test(
        "A warm night's consumption, next day included, lies within the range on nine nights in ten",
        arguments: [8, 24])
    func warmNights(hours: Int) {
        var (inside, temperatures, all, widths) = (0, 0, 0, [Double]())
        for seed in 0..<Self.houses {
            var dice = SeededHouseGenerator(seed)
            let house = Self.house(seed, &dice)
            let choices: [Double] = [22, 20, 16]
            let celsius = choices.randomElement(using: &dice) ?? 22

            let result = WhatIfEngine(house.history(), at: house.evening).answer(house.night(celsius, hours: Double(hours)))

            guard let energy = result.answers[.energy], let temperature = result.answers[.temperature] else {
                Issue.record("\(result.errors)")
                continue
            }
            let truth = house.truth(celsius: celsius, hours: hours)
            all += 1
            if (energy.difference.low...energy.difference.high).contains(truth.more) { inside += 1 }
            if (temperature.predicted.low...temperature.predicted.high).contains(truth.mean) { temperatures += 1 }
            widths.append((energy.difference.high - energy.difference.low) / 2)
        }
        widths.sort()
        print(
            "what-if nights of \(hours) hours: \(inside) of \(all) energies inside, \(temperatures) temperatures, half a range is \(widths[widths.count / 2]) kWh"
        )
        #expect(Double(inside) >= Self.least(of: all), "\(inside) of \(all)")
        #expect(Double(temperatures) >= Self.least(of: all), "\(temperatures) of \(all)")
    }

    // After a day of cooling, the simulated room was once heated for heat that the real days had kept by themselves.
    @Test("A cool day's saving lies within the range on nine days in ten, with the following night reheated")
    func coolDays() {
        var (inside, all, misses, widths) = (0, 0, [Double](), [Double]())
        for seed in 0..<Self.houses {
            var dice = SeededHouseGenerator(seed)
            let house = Self.house(seed, &dice)
            // From six in the morning to six in the morning.
            let question = WhatIfQuestion(
                scenario: "a cool day",
                changes: [
                    .temperature(
                        roomID: GeneratedHistory.roomID, celsius: 16,
                        during: QuietHours(from: GeneratedAccessMonth.time("06:00"), to: GeneratedAccessMonth.time("22:00")))
                ], from: house.evening + 8 * 3600, duration: 86_400, metrics: [.energy])

            let result = WhatIfEngine(house.history(), at: house.evening).answer(question)

            guard let energy = result.answers[.energy] else {
                Issue.record("\(result.errors)")
                continue
            }
            let truth = house.truth(from: house.days * 24 + 6, hours: 24) { (6..<22).contains($0 % 24) ? 16 : nil }.more
            all += 1
            if (energy.difference.low...energy.difference.high).contains(truth) { inside += 1 }
            misses.append(abs(energy.difference.value - truth))
            widths.append((energy.difference.high - energy.difference.low) / 2)
        }
        misses.sort()
        widths.sort()
        print(
            "what-if cool days: \(inside) of \(all) inside, half are within \(misses[misses.count / 2]) kWh, half a range is "
                + "\(widths[widths.count / 2]) kWh")
        #expect(Double(inside) >= Self.least(of: all), "\(inside) of \(all)")
    }

    @Test("The cost of 22 degrees all night has a sentence, a range, a basis and a saving")
    func reply() throws {
        let house = GeneratedHistory()
        let question = house.night(22)

        let history = house.history()
        let started = ContinuousClock.now
        let result = WhatIfEngine(history, at: house.evening).answer(question)
        print("what-if answer: \(ContinuousClock.now - started) over \(house.days) days")

        let energy = try #require(result.answers[.energy])
        let cost = try #require(result.answers[.cost])
        #expect(result.errors.isEmpty)
        #expect(energy.difference.low > 0)
        #expect(abs(energy.predicted.value - energy.baseline.value - energy.difference.value) < 1e-9)
        #expect(abs(cost.difference.value - energy.difference.value * 0.15) < 1e-9)
        #expect(energy.series.count == 8 && energy.series.first?.at == house.evening)
        #expect(abs(energy.series.reduce(0) { $0 + $1.predicted } - energy.predicted.value) < 1e-6)
        #expect(energy.series.allSatisfy { $0.low <= $0.predicted && $0.predicted <= $0.high && $0.low >= 0 })
        #expect(try #require(result.answers[.temperature]).difference.low > 0)
        #expect(result.basis.windows.count == 14 && result.basis.twins[GeneratedHistory.roomID] != nil)
        #expect(result.basis.entities == ["sensor.heater_power", "sensor.inside", "sensor.outside"])
        #expect(result.recommendations.count == 1)
        #expect(result.recommendations.allSatisfy { $0.saving.low > 0 })

        let words = WhatIfText().reply(to: question, result)
        print("what-if reply: \(words)")
        #expect(words.hasPrefix("Keeping the living room at 22 °C from 22:00 to 06:00 would cost about "))
        #expect(
            words.contains("95 of 100") && words.contains("14 days") && words.contains("0.15 per kWh")
                && words.contains("Holding 21 °C instead of 22 °C saves"))
    }

    @Test("Fahrenheit and Celsius readers get equal results, each in their unit")
    func fahrenheit() throws {
        let house = GeneratedHistory()
        let (history, question) = (house.history(), house.night(22))
        let words = WhatIfText(degrees: .fahrenheit)
        let plain = WhatIfEngine(history, at: house.evening).answer(question)
        let result = WhatIfEngine(history, at: house.evening, in: words).answer(question)
        let told = words.reply(to: question, result)

        #expect(told.hasPrefix("Keeping the living room at 71.6 °F from 22:00 to 06:00 would cost about "), "\(told)")
        #expect(told.contains("within 1.8 °F of 69.8 °F") && told.contains("Holding 69.8 °F instead of 71.6 °F saves"), "\(told)")
        #expect(!told.contains("°C") && !told.contains("a degree"), "\(told)")
        let warmth = try #require(result.answers[.temperature])
        #expect(warmth.unit == "°C" && warmth.difference == plain.answers[.temperature]?.difference)
        // A difference in temperature is not a temperature: no offset is added.
        let last = warmth.words.components(separatedBy: ", ").last?.components(separatedBy: " °F").first ?? ""
        let warmer = try #require(Double(last), "\(warmth.words)")
        #expect(abs(warmer - warmth.difference.value * 1.8) <= 0.1, "\(warmth.words)")
    }

    @Test("A cooler night reports a saving; a usual night does not")
    func savings() throws {
        let house = GeneratedHistory(room: GeneratedRoom(tau: 20, rate: 2.5, day: 21, night: 20, disturbance: 0.02))
        let result = WhatIfEngine(house.history(), at: house.evening).answer(house.night(17))
        #expect(try #require(result.answers[.energy]).difference.high < 0)
        #expect(result.recommendations.contains { $0.words.hasPrefix("Doing so saves about ") })

        let same = WhatIfEngine(house.history(), at: house.evening).answer(house.night(20))
        #expect(try #require(same.answers[.energy]).difference.value.magnitude < 0.5)
        #expect(!same.recommendations.contains { $0.words.hasPrefix("Doing so saves") } || same.answers[.energy]?.difference.high ?? 0 < 0)
    }

    @Test("A room warm without heating is not heated in simulation and saves nothing")
    func summer() throws {
        let house = GeneratedHistory(room: GeneratedRoom(tau: 20, rate: 2.5, outside: 12, disturbance: 0.02))
        var history = house.history()
        // A cold month and then a warm week: the room is at 26 degrees and not heated.
        let warm = GeneratedHistory.hours(40 * 24) { $0 < house.days * 24 - 2 ? [] : [26 + 0.1 * sin(Double($0))] }
        let off = GeneratedHistory.hours(40 * 24) { $0 < house.days * 24 - 2 ? [] : [0] }
        let room = try #require(history.rooms.first)
        history.rooms = [
            .init(
                roomID: room.roomID, inside: .init(entityID: "i", hours: room.inside.hours + warm),
                outside: .init(entityID: "o", hours: room.outside.hours + warm), heating: .metered(entityID: "sensor.heater_power"))
        ]
        history.meters = history.meters.map {
            $0.deviceID == "heater" ? .init(entityID: $0.entityID, deviceID: "heater", metering: $0.metering, hours: $0.hours + off) : $0
        }
        var question = house.night(20)
        question.from = house.evening + 9 * 86_400

        let result = WhatIfEngine(history, at: question.from).answer(question)

        // The last nine nights are warm; those before were not.
        let energy = try #require(result.answers[.energy])
        #expect(energy.series.allSatisfy { $0.predicted >= 0 })
        #expect(!result.recommendations.contains { $0.words.hasPrefix("Doing so saves") })
    }

    @Test("A dryer left off saves its average consumption of earlier weeks")
    func dryer() throws {
        // Thursday the 26th of February 2026 is the 57th day.
        let house = GeneratedHistory(days: 57)
        let question = WhatIfQuestion(
            scenario: "no dryer", changes: [.power(deviceID: "dryer", isOn: false, during: nil)], from: house.evening, duration: 2 * 3600,
            metrics: [.energy, .cost])

        let result = WhatIfEngine(house.history(), at: house.evening).answer(question)

        let energy = try #require(result.answers[.energy])
        #expect(abs(energy.baseline.value - 1.8) < 0.1 && abs(energy.difference.value + 1.8) < 0.1)
        #expect(energy.predicted.value == 0)
        #expect(result.basis.windows.count == 8)
        #expect(result.recommendations.count == 1)

        // On a Wednesday nothing is saved, and nothing is recommended.
        var wednesday = question
        wednesday.from -= 86_400
        let none = WhatIfEngine(house.history(), at: wednesday.from).answer(wednesday)
        #expect(try #require(none.answers[.energy]).difference.value.magnitude < 0.01)

        // Left on for an hour on a Wednesday it uses its usual energy.
        var on = wednesday
        on.changes = [
            .power(
                deviceID: "dryer", isOn: true,
                during: QuietHours(from: GeneratedAccessMonth.time("22:00"), to: GeneratedAccessMonth.time("23:00")))
        ]
        let more = WhatIfEngine(house.history(), at: on.from).answer(on)
        #expect(abs(try #require(more.answers[.energy]).difference.value - 0.9) < 0.1)
    }

    @Test("Overlapping changes of one room merge, the later one wins")
    func twoWishes() throws {
        let house = GeneratedHistory()
        let history = house.history()
        var both = house.night(22, [.energy])
        both.changes.insert(.temperature(roomID: GeneratedHistory.roomID, celsius: 15, during: nil), at: 0)
        let one = try #require(WhatIfEngine(history, at: house.evening).answer(house.night(22, [.energy])).answers[.energy])
        let two = WhatIfEngine(history, at: house.evening).answer(both)
        #expect(try #require(two.answers[.energy]).predicted == one.predicted)
        #expect(two.recommendations.allSatisfy { $0.words.hasPrefix("Holding a degree less each time saves") })
    }

    @Test("A change without consumers leaves the consumption unchanged")
    func unchanged() throws {
        let house = GeneratedHistory(days: 57)
        let question = WhatIfQuestion(
            scenario: "", changes: [.access(.role(of: "person:ben", .guest))], from: house.evening, duration: 2 * 3600, metrics: [.energy])
        let energy = try #require(WhatIfEngine(house.history(), at: house.evening).answer(question).answers[.energy])
        #expect(energy.difference == .init(0, low: 0, high: 0) && energy.baseline.value > 1.8)
    }

    @Test("Half hours at both ends count as half")
    func halves() throws {
        let house = GeneratedHistory(days: 57)
        let question = WhatIfQuestion(
            scenario: "no dryer", changes: [.power(deviceID: "dryer", isOn: false, during: nil)], from: house.evening + 1800,
            duration: 3600,
            metrics: [.energy])
        let energy = try #require(WhatIfEngine(house.history(), at: house.evening).answer(question).answers[.energy])
        #expect(abs(energy.baseline.value - 0.9) < 0.05)
        #expect(energy.series.count == 2)
    }

    // MARK: Unanswerable questions

    @Test("A short history is reported as short")
    func thin() {
        let house = GeneratedHistory(days: 3)
        let result = WhatIfEngine(house.history(), at: house.evening).answer(house.night(22))
        #expect(result.answers.isEmpty && result.recommendations.isEmpty)
        #expect(Set(result.errors.keys) == [.energy, .cost, .comfort, .temperature])
        #expect(WhatIfText().reply(to: house.night(22), result).contains("I cannot say"))
    }

    @Test("Nights with gaps are left out, and too many gaps give no answer")
    func holes() throws {
        let house = GeneratedHistory()
        let gaps = Set([1, 2, 3, 4, 6, 8, 10].map { house.days * 24 - $0 * 24 })
        let result = WhatIfEngine(house.history(missing: gaps), at: house.evening).answer(house.night(22))
        #expect(result.basis.windows.count == 14)
        #expect(
            result.basis.windows.allSatisfy { window in
                !gaps.contains { window.contains(GeneratedRoom.beginning + Double($0) * 3600 + 1) }
            })

        let all = Set((1..<30).map { house.days * 24 - $0 * 24 })
        let none = WhatIfEngine(house.history(missing: all), at: house.evening).answer(house.night(22))
        #expect(none.errors[.energy] == .tooFewPeriods(have: 0, needed: 4))
    }

    @Test("Missing measurements, prices and set points are named")
    func named() throws {
        let house = GeneratedHistory()
        var history = house.history()
        let on = WhatIfQuestion(
            scenario: "", changes: [.power(deviceID: "lamp", isOn: true, during: nil)], from: house.evening, duration: 3600,
            metrics: [.energy, .comfort, .access])
        let unmetered = WhatIfEngine(history, at: house.evening).answer(on)
        #expect(unmetered.errors == [.energy: .noMeter(deviceID: "lamp"), .comfort: .noRoom, .access: .noAccessChange])

        history.house.rooms[0].traits.preferredTemperature = nil
        history.rooms = history.rooms.map {
            .init(
                roomID: $0.roomID, inside: $0.inside, outside: $0.outside,
                heating: .share(
                    Dictionary(
                        uniqueKeysWithValues: history.meters[0].hours.map { ($0.hour, $0.mean / 2000) }), perHour: nil, .electricity))
        }
        let unknown = WhatIfEngine(history, at: house.evening).answer(house.night(22))
        #expect(
            unknown.errors == [
                .energy: .heatingNotMetered(roomID: "living-room"), .cost: .heatingNotMetered(roomID: "living-room"),
                .comfort: .noPreference,
            ])
        #expect(unknown.answers[.temperature] != nil)
        // A room without its own temperature uses the house's preference.
        var preferring = history
        preferring.house.defaultTemperature = 19.5
        let usual = WhatIfEngine(preferring, at: house.evening).answer(house.night(22, [.comfort]))
        #expect(usual.errors[.comfort] == nil && usual.answers[.comfort]?.words.contains("of 19.5 °C") == true)

        history.rooms = history.rooms.map {
            guard case .share(let shares, _, _) = $0.heating else { return $0 }
            return .init(roomID: $0.roomID, inside: $0.inside, outside: $0.outside, heating: .share(shares, perHour: 0.2, .gas))
        }
        let gas = WhatIfEngine(history, at: house.evening).answer(house.night(22))
        #expect(gas.errors[.cost] == .noRate(.gas) && gas.answers[.energy]?.unit == "m³")

        history.rooms = []
        #expect(WhatIfEngine(history, at: house.evening).answer(house.night(22)).errors[.energy] == .noReadings(roomID: "living-room"))
    }

    @Test("Changed pass hours are replayed, and notifications of a watch rule are counted")
    func access() throws {
        let month = GeneratedAccessMonth(perDay: 150, seed: 12)
        var history = WhatIfInputs(
            house: HouseSnapshot(name: "House", zone: GeneratedAccessMonth.zone, guests: [Inhabitant(key: "guest:g0", name: "Plumber")]),
            preferences: Preferences(), replay: AccessReplay(month.attempts, under: month.rules))
        history.events = [
            HouseEvent(id: "h1", at: GeneratedAccessMonth.day(1), deviceID: "garage", entityID: "cover.garage", fact: .state("open")),
            HouseEvent(id: "h2", at: GeneratedAccessMonth.day(1.5), deviceID: "garage", entityID: "cover.garage", fact: .state("closed")),
        ]
        let never = WeeklySchedule(lines: [])
        let question = WhatIfQuestion(
            scenario: "no plumber",
            changes: [
                .access(.schedule(of: "guest:g0", never)),
                .watch(entityID: "cover.garage", WatchRule(entityID: "cover.garage", words: ["open"], longerThan: 600)),
            ], from: GeneratedAccessMonth.day(30), duration: 86_400, metrics: [.access], days: 30)

        let result = WhatIfEngine(history, at: GeneratedAccessMonth.day(30)).answer(question)

        let answer = try #require(result.answers[.access])
        let shut = month.attempts.count {
            $0.actor == "guest:g0" && $0.refusal == nil
                && ($0.verb == .unlock || ($0.verb == .open || $0.verb == .setPosition) && $0.deviceID == "garage")
        }
        #expect(answer.difference.value == -Double(shut) && shut > 10)
        #expect(result.notices["cover.garage"]?.added.count == 1)
        let words = WhatIfText().reply(to: question, result)
        #expect(words.hasPrefix("Other hours for Plumber") && words.contains("would not have") && words.contains("in the last 30 days"))

        history.replay = nil
        #expect(WhatIfEngine(history, at: GeneratedAccessMonth.day(30)).answer(question).errors[.access] == .noAttempts)
    }

    // It once counted from the first attempt to the last: thirty days with a door opened on one of them were "the last 1 day".
    @Test("The replayed days are reported even with few attempts, and so is truncation")
    func days() throws {
        let (now, door) = (GeneratedAccessMonth.day(30), GeneratedAccessMonth.device("front", .lock))
        let unlocks = (0..<3).map { number in
            AccessReplay.Attempt(
                id: "happening_\(number)", at: now - 20 * 86_400 + Double(number) * 60, actor: "person:ada", deviceID: "front",
                entityID: "lock.front", verb: .unlock, status: .confirmed)
        }
        let grants = ["person:ada": Grant(id: "role:ada", scope: .role(.owner, disabled: false))]
        let rules = AccessReplay.Rules(zone: GeneratedAccessMonth.zone, grants: grants, devices: [door])
        let house = HouseSnapshot(name: "House", zone: GeneratedAccessMonth.zone)
        var history = WhatIfInputs(house: house, preferences: Preferences(), replay: AccessReplay(unlocks, under: rules))
        var question = WhatIfQuestion(
            scenario: "", changes: [.access(.role(of: "person:ada", .member))], from: now, duration: 86_400, metrics: [.access], days: 30)

        func told() -> String { WhatIfEngine(history, at: now).answer(question).answers[.access]?.words ?? "nothing" }
        #expect(told() == "In the last 30 days, no door would have opened or stayed shut otherwise.")
        question.days = nil
        #expect(told().hasPrefix("In the last 7 days, "))

        question.days = 30
        history.replay = AccessReplay(unlocks, under: rules, since: now - 20.5 * 86_400)
        #expect(told().hasSuffix("So much was asked that only the last 20 days of it were decided again as a whole."))
        history.replay = AccessReplay(unlocks, under: rules, since: now - 5.5 * 3600)
        #expect(told().contains("only the last 5 hours of it"))
    }

    @Test("Notifications missed by a longer delay are counted, and unknown counts are never understated")
    func missed() throws {
        var history = WhatIfInputs(house: HouseSnapshot(name: "House", zone: GeneratedAccessMonth.zone), preferences: Preferences())
        func said(_ word: String, _ day: Double) -> HouseEvent {
            HouseEvent(
                id: "h\(day)", at: GeneratedAccessMonth.day(day), deviceID: "garage", entityID: "cover.garage", fact: .state(word))
        }
        // Open for twelve hours, and for half an hour.
        history.events = [said("open", 1), said("closed", 1.5), said("open", 2), said("closed", 2 + 1.0 / 48)]
        func told(_ former: WatchRule.Baseline, minutes: Double) throws -> (WatchRule.Comparison, String) {
            history.watchRules = ["cover.garage": former]
            let rule = WatchRule(entityID: "cover.garage", words: ["open"], longerThan: minutes * 60)
            let question = WhatIfQuestion(
                scenario: "", changes: [.watch(entityID: "cover.garage", rule)], from: GeneratedAccessMonth.day(3), duration: 86_400,
                metrics: [.access])
            let result = WhatIfEngine(history, at: GeneratedAccessMonth.day(3)).answer(question)
            return (try #require(result.notices["cover.garage"]), WhatIfText().reply(to: question, result))
        }
        let ten = WatchRule(entityID: "cover.garage", words: ["open"], longerThan: 600)

        let (longer, words) = try told(.rules([ten]), minutes: 60)
        #expect(longer.kept.count == 1 && longer.added.isEmpty)
        #expect(longer.missed.map(\.at) == [GeneratedAccessMonth.day(2) + 600])
        #expect(words.contains("would have been 1 notice, 1 fewer and 0 more than by what tells of it now"))
        let (same, _) = try told(.rules([ten]), minutes: 10)
        #expect(same.kept.count == 2 && same.missed.isEmpty && same.added.isEmpty)
        for former in [WatchRule.Baseline.nothing, .unknown] {
            let (notices, words) = try told(former, minutes: 10)
            #expect(
                notices.added.count == 2 && notices.missed.isEmpty && words.contains("2 notices") && !words.contains("fewer"), "\(words)")
        }

        history.events = []
        let question = WhatIfQuestion(
            scenario: "", changes: [.watch(entityID: "cover.garage", ten)], from: GeneratedAccessMonth.day(3), duration: 86_400,
            metrics: [.access])
        #expect(WhatIfEngine(history, at: GeneratedAccessMonth.day(3)).answer(question).errors[.access] == .noWatchedStates)
    }

    @Test("The answer names the room only if there are several")
    func rooms() throws {
        let house = GeneratedHistory()
        var history = house.history()
        let question = house.night(22, [.temperature, .comfort])
        let alone = WhatIfText().reply(to: question, WhatIfEngine(history, at: house.evening).answer(question))
        #expect(!alone.contains("of the rooms asked about"))

        var kitchen = Room(id: "kitchen", name: "kitchen")
        kitchen.traits.preferredTemperature = 21
        history.house.rooms.append(kitchen)
        let living = try #require(history.rooms.first)
        history.rooms.append(
            .init(roomID: "kitchen", inside: living.inside, outside: living.outside, heating: living.heating, model: living.model))
        var both = question
        both.changes.append(.temperature(roomID: "kitchen", celsius: 20, during: nil))
        let told = WhatIfEngine(history, at: house.evening).answer(both)
        for metric in [WhatIfMetric.temperature, .comfort] {
            let words = try #require(told.answers[metric]?.words)
            #expect(words.hasPrefix("In the living room, of the rooms asked about the one that is told here:"), "\(words)")
        }
    }

    // For a question at half past ten, half of the warm-up was once counted: it was spread over the whole hour, half of which was outside.
    @Test("A night starting at half past includes its whole warm-up")
    func halfPast() throws {
        let house = GeneratedHistory()
        let history = house.history()
        let whole = try #require(WhatIfEngine(history, at: house.evening).answer(house.night(22, [.energy])).answers[.energy])
        var late = house.night(22, [.energy], hours: 7.5)
        late.from = house.evening + 1800

        let energy = try #require(WhatIfEngine(history, at: house.evening).answer(late).answers[.energy])

        #expect(abs(energy.difference.value - whole.difference.value) < 0.3)
        // In half an hour it is heated for half an hour.
        let first = try #require(energy.series.first)
        #expect(first.at == late.from && first.predicted <= GeneratedHistory.kilowatts / 2 + 1e-9 && first.predicted > 0.9)
    }

    // The total once included the model error, and the hours did not.
    @Test("Hourly ranges include the model error, as the total does")
    func hourly() throws {
        let house = GeneratedHistory()
        let result = WhatIfEngine(house.history(), at: house.evening).answer(house.night(22, [.energy, .temperature]))
        let twin = try #require(result.basis.twins[GeneratedHistory.roomID])
        let temperature = try #require(result.answers[.temperature])
        #expect(temperature.series.allSatisfy { ($0.high - $0.low) / 2 >= 1.96 * twin.oneStepError })

        // The first hour is heated at full power on each of the days, and still the energy is not known to the watt.
        let energy = try #require(result.answers[.energy])
        let reaches = energy.series.map { $0.high - $0.predicted }
        #expect(reaches.allSatisfy { $0 > 0.05 }, "\(reaches)")
    }

    // Rooms were once added as if their weather were independent: two equal rooms seemed more certain than twice one.
    @Test("Two rooms with the same weather have the same relative uncertainty as one")
    func sameWeather() throws {
        let house = GeneratedHistory()
        var history = house.history()
        let question = house.night(22, [.energy])
        let one = try #require(WhatIfEngine(history, at: house.evening).answer(question).answers[.energy])

        history.house.rooms.append(Room(id: "kitchen", name: "kitchen"))
        let living = try #require(history.rooms.first)
        history.rooms.append(
            .init(roomID: "kitchen", inside: living.inside, outside: living.outside, heating: living.heating, model: living.model))
        var both = question
        both.changes.append(
            .temperature(
                roomID: "kitchen", celsius: 22,
                during: QuietHours(from: GeneratedAccessMonth.time("22:00"), to: GeneratedAccessMonth.time("06:00"))))
        let two = try #require(WhatIfEngine(history, at: house.evening).answer(both).answers[.energy])

        func half(_ figure: Estimate) -> Double { figure.high - figure.value }
        #expect(abs(two.difference.value - 2 * one.difference.value) < 1e-9)
        #expect(abs(half(two.difference) - 2 * half(one.difference)) < 1e-9)
        #expect(abs(half(two.predicted) - 2 * half(one.predicted)) < 1e-9)
        for (alone, together) in zip(one.series, two.series) {
            #expect(abs((together.high - together.predicted) - 2 * (alone.high - alone.predicted)) < 1e-9)
        }
    }

    @Test("A natural-language question and its API form are equivalent")
    func again() throws {
        let house = GeneratedHistory()
        var question = house.night(22, [.energy, .temperature])
        (question.scenario, question.days) = ("", 2)
        let draft = try #require(question.draft)
        let read = try WhatIfQuestion.parse(
            draft, in: GeneratedHistory.house, seenBy: RequesterVisibility(key: "person:ada", seesEverybody: true), at: house.evening)
        #expect(read == question)
        question.changes = [.access(.revoked("guest:g", from: .distantPast))]
        #expect(question.draft == nil)
    }

    @Test("Heating time per hour is counted from reports, and unknown during outages")
    func shares() {
        let start = GeneratedRoom.beginning
        func said(_ word: String, _ minutes: Double) -> HouseEvent {
            HouseEvent(id: "h\(Int(minutes))", at: start + minutes * 60, deviceID: "d", entityID: "climate.d", fact: .state(word))
        }
        let gone = HouseEvent(id: "x", at: start + 200 * 60, deviceID: "d", fact: .deviceStatus(.offline))
        let shares = WhatIfInputs.RoomHistory.shares(
            of: "climate.d", saying: ["heating"], in: [said("idle", 0), said("heating", 30), said("idle", 75), gone, said("idle", 300)],
            until: start + 420 * 60)
        #expect(shares[start] == 0.5 && shares[start + 3600] == 0.25 && shares[start + 7200] == 0)
        #expect(shares[start + 3 * 3600] == nil && shares[start + 4 * 3600] == nil && shares[start + 5 * 3600] == 0 && shares.count == 5)
    }

    @Test("A clock change in the night gives an answer")
    func clocks() throws {
        // The generated year begins in January; in New York the 8th of March 2026 has 23 hours.
        var house = GeneratedHistory(days: 67)
        house.seed = 3
        var history = house.history()
        history.house.zone = try #require(TimeZone(identifier: "America/New_York"))
        var question = house.night(22, [.energy])
        question.from = GeneratedRoom.beginning + 66 * 86_400
        let result = WhatIfEngine(history, at: question.from).answer(question)
        #expect(result.answers[.energy] != nil)
    }

    @Test("Any history gives an answer or a reason, with ordered intervals")
    func fuzzed() {
        var dice = SeededHouseGenerator(TestSeed.value(77))
        let house = GeneratedHistory(days: 12)
        let plain = house.history()
        let strange: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, 0, -5, 21, 3000]
        func spoiled(_ hours: [HourlyReading]) -> [HourlyReading] {
            hours.compactMap { hour in
                func say(_ value: Double) -> Double {
                    Int.random(in: 0..<400, using: &dice) == 0 ? strange.randomElement(using: &dice) ?? 0 : value
                }
                if Int.random(in: 0..<300, using: &dice) == 0 { return nil }
                let moments = [Date(timeIntervalSinceReferenceDate: 1e300), .distantPast, .distantFuture, hour.hour - 1800]
                let at = Int.random(in: 0..<300, using: &dice) == 0 ? moments.randomElement(using: &dice) ?? hour.hour : hour.hour
                return HourlyReading(
                    hour: at, low: say(hour.low), high: say(hour.high), mean: say(hour.mean), first: say(hour.first), last: say(hour.last),
                    used: say(hour.used), count: hour.count)
            }
        }
        for _ in 0..<Self.houses {
            var history = plain
            history.meters = plain.meters.map {
                .init(entityID: $0.entityID, deviceID: $0.deviceID, metering: $0.metering, hours: spoiled($0.hours))
            }
            history.rooms = plain.rooms.map {
                .init(
                    roomID: $0.roomID, inside: .init(entityID: "i", hours: spoiled($0.inside.hours)),
                    outside: .init(entityID: "o", hours: spoiled($0.outside.hours)), heating: $0.heating)
            }
            var question = house.night(Double.random(in: 5...35, using: &dice))
            question.changes.append(.power(deviceID: "dryer", isOn: Bool.random(using: &dice), during: nil))
            let moments: [Date] = [house.evening, house.evening + 1234.5, house.evening - 5 * 86_400, .distantFuture, .distantPast]
            question = WhatIfQuestion(
                scenario: "", changes: question.changes, from: moments.randomElement(using: &dice) ?? house.evening,
                duration: Double.random(in: 0...300_000, using: &dice), metrics: Set(WhatIfMetric.allCases))

            let result = WhatIfEngine(history, at: house.evening).answer(question)

            #expect(Set(result.answers.keys).union(result.errors.keys) == Set(WhatIfMetric.allCases), "seed \(dice.seed)")
            for answer in result.answers.values {
                for figure in [answer.baseline, answer.predicted, answer.difference] {
                    #expect(figure.low <= figure.value && figure.value <= figure.high, "seed \(dice.seed)")
                }
            }
            #expect(!WhatIfText().reply(to: question, result).isEmpty, "seed \(dice.seed)")
        }
    }

    @Test("What-if sources import nothing with side effects")
    func files() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/CardeaMind/WhatIf")
        for file in try FileManager.default.contentsOfDirectory(at: folder.standardizedFileURL, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" && !["WhatIfDataLoader.swift", "WhatIfService.swift"].contains(file.lastPathComponent) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("import ") }.allSatisfy { ["import CardeaModel", "import Foundation"].contains($0) })
            #expect(!lines.contains { $0.contains("async") || $0.contains("await ") || $0.contains("@escaping") })
        }
    }
}
