import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

/// A house with one heated room, as the mind reads it at ten in the evening.
private struct HeatedHouseFixture: HouseReader, CommandHistoryReader, HouseHistory {
    let history: WhatIfInputs
    let now: Date
    var isMeasured = true

    init(_ generated: GeneratedHistory = GeneratedHistory()) {
        history = generated.history()
        now = generated.evening
    }

    var snapshot: HouseSnapshot {
        func thermometer(_ id: String, _ name: String, in room: String?) -> Device {
            Device(
                id: id, name: name, deviceClass: .sensor, roomID: room, integration: "generated", stateChangedAt: now,
                entities: [Entity(id: "sensor.\(id)", kind: .sensor, name: name, deviceClass: "temperature", unit: "°C", verbs: [])])
        }
        var snapshot = GeneratedHistory.house
        if isMeasured {
            snapshot.devices += [
                thermometer("inside", "Living room temperature", in: GeneratedHistory.roomID),
                thermometer("outside", "Garden temperature", in: nil),
            ]
        }
        snapshot.rooms.append(Room(id: "cellar", name: "cellar"))
        return snapshot
    }

    func house() async throws -> HouseSnapshot { snapshot }
    func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch { HouseEventBatch(events: [], through: place) }
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand] { [] }
    func replay(since: Date) async throws -> AccessReplay { AccessReplay([], under: .init(zone: .gmt, grants: [:], devices: [Device]())) }
    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] { [] }

    func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] {
        let rooms = history.rooms.flatMap { [$0.inside, $0.outside] }.map { ($0.entityID, $0.hours) }
        let all = rooms + history.meters.map { ($0.entityID, $0.hours) }
        return (all.first { $0.0 == entityID }?.1 ?? []).filter { from <= $0.hour && $0.hour < to }
    }

    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] {
        guard snapshot.seen(by: visibility).devices.contains(where: { $0.entities.contains { $0.id == entityID } }) else { return [] }
        return try await hours(of: entityID, from: from, to: to)
    }
}

@Suite("What-if questions in natural language")
struct WhatIfServiceTests {
    private func reply(
        _ sentence: String, _ house: HeatedHouseFixture = HeatedHouseFixture(),
        seenBy visibility: RequesterVisibility = RequesterVisibility(key: "person:ada", seesEverybody: true),
        in degrees: TemperatureUnit = .celsius
    ) async throws -> Reply {
        var chosen = Preferences()
        chosen.temperatureUnit = degrees
        let preferences = chosen
        let imagining = WhatIfService(houseReader: house, records: house, houseHistory: house) { house.now }
        let capabilities = MindCapabilities(whatIf: { supposed, snapshot, visibility in
            try await imagining.reply(to: supposed, in: snapshot, seenBy: visibility, preferences: preferences)
        })
        return try await QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: house, capabilities: capabilities).answer(
            sentence, in: house.snapshot, seenBy: visibility, at: house.now, preferences: preferences)
    }

    @Test(
        "Any wording gives the night's cost, with the true consumption inside the range",
        arguments: [
            "What would it cost to keep 22 degrees all night?", "what would it cost to keep 22 degrees in the living room all night",
            "how much would it cost to keep the living room at 22 degrees all night?", "what if we keep 22° in the living room all night",
            "what would it cost to keep the living room at 22°C all night", "how much would it cost to keep 22 degrees tonight?",
            "what would it cost if we kept 22 degrees all night", "waht would it cost to keep 22 degrees all night?",
            "what would it cost to keep 22 degrees in the livign room all night?",
        ])
    func phrasings(sentence: String) async throws {
        let reply = try await reply(sentence)
        let generated = GeneratedHistory()
        let direct = WhatIfEngine(generated.history(), at: generated.evening).answer(generated.night(22, [.energy, .cost], hours: 24))
        let cost = try #require(direct.answers[.cost]?.difference)

        #expect(reply.confidence == 0.9 && reply.response.contains("would cost about"), "\(reply.response)")
        guard case .number(let told, nil, nil)? = reply.facts.first else {
            Issue.record("no cost is found in \(reply.facts)")
            return
        }
        #expect(abs(told - cost.value) < 0.02 * cost.value)
        let truth = generated.truth(celsius: 22, hours: 24).more * Preferences().energyCostRate
        #expect(cost.low <= truth && truth <= cost.high)
        #expect(reply.response.contains("from 22:00 to 22:00 of the next day"))
        // Counting the night alone leaves out the morning's savings.
        let night = try #require(
            WhatIfEngine(generated.history(), at: generated.evening).answer(generated.night(22)).answers[.cost]?.difference)
        #expect(cost.value < night.value)
        #expect(Set(reply.devices) == ["inside", "outside", "heater"] && reply.suggestions.isEmpty)
        // It once named only the devices, and nothing that could be opened.
        for sensor in ["sensor.inside", "sensor.outside"] {
            #expect(reply.events.contains { $0.hasPrefix("readings_\(sensor)_") }, "\(reply.events)")
        }
    }

    @Test(
        "Fahrenheit askers ask and read in Fahrenheit",
        arguments: [
            ("what would it cost to keep 72 degrees in the living room all night", 22.2, "at 72 °F"),
            ("what would it cost to keep 72 in the living room all night", 22.2, "at 72 °F"),
            ("what would it cost to keep the living room at 22°C all night", 22.0, "at 71.6 °F"),
        ])
    func fahrenheit(sentence: String, celsius: Double, words: String) async throws {
        let reply = try await reply(sentence, in: .fahrenheit)
        guard case .temperature(_, let supposed, _)? = reply.whatIfQuestion?.changes.first else {
            Issue.record("nothing was imagined: \(reply.response)")
            return
        }
        #expect(supposed == celsius)
        #expect(reply.response.contains(words) && !reply.response.contains("°C"), "\(reply.response)")
        let hot = try await self.reply("what would it cost to keep 200 degrees all night?", in: .fahrenheit)
        #expect(hot.confidence == 0 && hot.response.contains("41 to 95 °F"), "\(hot.response)")
    }

    @Test(
        "An unanswerable question names the missing data",
        arguments: [
            ("what would it cost to keep 22 degrees in the cellar all night?", "nothing that heats"),
            ("what would it cost to keep 60 degrees all night?", "5 to 35"),
        ])
    func unable(sentence: String, words: String) async throws {
        let reply = try await reply(sentence)

        #expect(reply.confidence == 0 && reply.response.contains(words), "\(reply.response)")
    }

    @Test("Missing thermometers are named; without energy access no number is shown")
    func missing() async throws {
        var bare = HeatedHouseFixture()
        bare.isMeasured = false
        let unmeasured = try await reply("what would it cost to keep 22 degrees all night?", bare)
        #expect(unmeasured.confidence == 0 && unmeasured.response.contains("not known how warm"))

        let child = RequesterVisibility(key: "person:kim", seesEnergy: false)
        let hidden = try await reply("what would it cost to keep 22 degrees all night?", seenBy: child)
        #expect(hidden.confidence == 0 && hidden.facts.isEmpty && !hidden.response.contains("kWh"))
    }

    @Test("A question for three hours or a day covers that duration")
    func lengths() async throws {
        let short = try await reply("what if we keep 23 degrees for three hours")
        #expect(short.confidence > 0 && !short.response.contains("from 22:00"))
        #expect(try await reply("what would it cost to keep 20 degrees all day?").confidence > 0)
    }
}

/// A house with a garage, and the history of its openings.
private struct GarageHouseFixture: HouseReader, CommandHistoryReader, HouseHistory {
    /// Sunday, 22 March 2026, noon in Berlin.
    static let now = GeneratedAccessMonth.day(8.5)
    var recordedEvents: [HouseEvent] = []

    /// - Parameter said: the garage's reports, each with its age in days.
    init(_ said: [(ago: Double, word: String)]) {
        recordedEvents = said.enumerated().map { number, one in
            HouseEvent(
                id: "happening_\(number)", at: Self.now - one.ago * 86_400, deviceID: "garage", entityID: "cover.garage",
                fact: .state(one.word))
        }
    }

    func house() async throws -> HouseSnapshot {
        var garage = GeneratedAccessMonth.device("garage", .cover, deviceClass: "garage")
        garage.name = "Garage door"
        return HouseSnapshot(name: "House", zone: GeneratedAccessMonth.zone, devices: [garage])
    }

    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        let found = recordedEvents.filter { event in
            (wanted.entities?.contains("cover.garage") ?? true) && (wanted.kinds?.contains(event.fact.kind) ?? true)
                && (wanted.from.map { event.at >= $0 } ?? true) && (wanted.to.map { event.at < $0 } ?? true)
        }.sorted { $0.at < $1.at }
        return Array((wanted.newestFirst ? Array(found.reversed()) : found).prefix(wanted.limit))
    }

    func events(after place: FeedPosition, limit: Int) async throws -> HouseEventBatch { HouseEventBatch(events: [], through: place) }
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand] { [] }
    func replay(since: Date) async throws -> AccessReplay { AccessReplay([], under: .init(zone: .gmt, grants: [:], devices: [Device]())) }
    func hours(of entityID: String, from: Date, to: Date) async throws -> [HourlyReading] { [] }
    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] { [] }
}

@Suite("What-if questions about watch rules")
struct WatchRuleHistoryTests {
    private func answer(_ said: [(ago: Double, word: String)], days: Int) async throws -> WhatIfService.Answer {
        let house = GarageHouseFixture(said)
        let rule: JSONValue = ["states": ["open"], "longer_than": "10m", "from": "22:00", "to": "06:00"]
        let draft = WhatIfRequest(
            scenario: "", changes: ["device": ["cover.garage": ["watch": rule]]], duration: "1d", metrics: ["access"], days: days)
        return try await WhatIfService(houseReader: house, records: house, houseHistory: house) { GarageHouseFixture.now }
            .answer(draft, seenBy: RequesterVisibility(key: "person:ada", seesEverybody: true), preferences: Preferences())
    }

    // Only reports within the period were once read: a garage open since before it counted as shut.
    @Test("A garage open since before the period is noticed at nightfall, by its name")
    func before() async throws {
        let open = try await answer([(ago: 3, word: "closed"), (ago: 1.2, word: "open")], days: 1)
        #expect(open.result.notices["cover.garage"]?.added.count == 1)
        #expect(open.words.contains("Of the Garage door there would have been 1 notice"), "\(open.words)")
        #expect(open.result.subject == "watching the Garage door by another rule" && !open.words.contains("cover.garage"))

        let shut = try await answer([(ago: 3, word: "open"), (ago: 1.2, word: "closed")], days: 1)
        #expect(shut.result.notices["cover.garage"]?.added.isEmpty == true)
        let unheard = try await answer([], days: 1)
        #expect(unheard.result.errors[.access] == .noWatchedStates)
    }

    @Test("Notifications from before the period are not counted")
    func window() async throws {
        let said = [(ago: 5.0, word: "open"), (ago: 1.2, word: "closed"), (ago: 0.9, word: "open"), (ago: 0.1, word: "closed")]
        // Once for each opening: five days ago, and in the last night.
        #expect(try await answer(said, days: 1).result.notices["cover.garage"]?.added.count == 1)
        #expect(try await answer(said, days: 7).result.notices["cover.garage"]?.added.count == 2)
    }
}

@Suite("Selection of a room's thermal sensors")
struct ThermalSensorsTests {
    private func device(_ id: String, _ name: String, _ room: String?, _ entities: [Entity]) -> Device {
        Device(
            id: id, name: name, deviceClass: DeviceClass(of: entities), roomID: room, integration: "x", stateChangedAt: .distantPast,
            entities: entities)
    }

    private func thermometer(_ id: String, unit: String = "°C") -> Entity {
        Entity(id: "sensor.\(id)", kind: .sensor, name: id, deviceClass: "temperature", unit: unit, verbs: [])
    }

    private func house(_ devices: [Device]) -> HouseSnapshot {
        HouseSnapshot(name: "House", zone: .gmt, rooms: [Room(id: "den", name: "Den"), Room(id: "yard", name: "Garden")], devices: devices)
    }

    @Test("Selects the room's own thermometer, the outdoor one, and a metered heating first")
    func found() throws {
        let climate = Entity(id: "climate.den", kind: .climate, name: "Den", verbs: [.on, .off])
        let meter = Entity(id: "sensor.den_power", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: [])
        var devices = [
            device("fridge", "Fridge", "den", [thermometer("a_fridge")]), device("den-air", "Den air", "den", [thermometer("den")]),
            device("post", "Post", "yard", [thermometer("post")]), device("den-heating", "Den heating", "den", [climate]),
        ]
        let said = try #require(ThermalSensors(of: "den", in: house(devices)))
        #expect(said.inside.entityID == "sensor.den" && said.outside.entityID == "sensor.post")
        #expect(said.heating == .stateReported(deviceID: "den-heating", entityID: "climate.den"))

        devices[3].entities.append(meter)
        let metered = try #require(ThermalSensors(of: "den", in: house(devices)))
        guard case .metered("den-heating", "sensor.den_power", _) = metered.heating else {
            Issue.record("\(metered.heating)")
            return
        }
        #expect(ThermalSensors(of: "yard", in: house(devices)) == nil && ThermalSensors(of: "attic", in: house(devices)) == nil)
        for place in [1, 2, 3] {
            var part = devices
            part.remove(at: place)
            #expect(ThermalSensors(of: "den", in: house(part)) == nil, "without \(devices[place].name)")
        }
    }
}

@Suite("Twin from recent commands")
struct TwinCommandTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func lamp(_ state: String, brightness: Double) -> Device {
        Device(
            id: "lamp", name: "Lamp", deviceClass: .light, integration: "x", status: .online, stateChangedAt: now - 1000,
            entities: [
                Entity(
                    id: "light.lamp", kind: .light, name: "Lamp", verbs: [.on, .off, .setBrightness],
                    state: EntityState(state, attributes: ["brightness": .number(brightness)]))
            ])
    }

    private func command(_ verb: Verb, _ value: JSONValue? = nil, _ status: CommandStatus, ago: TimeInterval) -> RecordedCommand {
        RecordedCommand(
            deviceID: "lamp", entityID: "light.lamp", verb: verb, value: value, status: status, actor: "person:ada", at: now - ago)
    }

    @Test(
        "Running commands are pending, confirmed ones desired; failed and old ones are dropped")
    func askings() {
        let waiting = Twin(of: lamp("on", brightness: 10), asked: [command(.setBrightness, 40, .dispatching, ago: 5)], at: now)
        #expect(waiting.pending(at: now).map(\.desired.value) == [40] && waiting.status(at: now) == .syncing)
        let done = Twin(of: lamp("on", brightness: 40), asked: [command(.setBrightness, 40, .confirmed, ago: 5000)], at: now)
        #expect(done.pending(at: now).isEmpty && done.desired["light.lamp"]?.count == 1 && done.status(at: now) == .synchronized)
        let overtaken = Twin(of: lamp("on", brightness: 70), asked: [command(.setBrightness, 40, .confirmed, ago: 5000)], at: now)
        #expect(overtaken.desired.isEmpty && overtaken.status(at: now) == .synchronized)
        let failed = Twin(
            of: lamp("on", brightness: 40),
            asked: [command(.setBrightness, 40, .confirmed, ago: 900), command(.setBrightness, 90, .failed, ago: 100)], at: now)
        #expect(failed.desired["light.lamp"]?.map(\.value) == [40])
        let unknown = Twin(of: lamp("off", brightness: 0), asked: [command(.on, nil, .unknown, ago: 30)], at: now)
        #expect(unknown.pending(at: now).count == 1)
        let old = Twin(of: lamp("off", brightness: 0), asked: [command(.on, nil, .unknown, ago: 3000)], at: now)
        #expect(old.pending(at: now).isEmpty && old.desired.isEmpty && old.status(at: now) == .synchronized)
        let basic = Twin(of: lamp("off", brightness: 0), asked: [command(.on, nil, .dispatching, ago: 5)], fidelity: .basic, at: now)
        #expect(basic.desired.isEmpty && basic.capabilities == [.reported])
    }
}
