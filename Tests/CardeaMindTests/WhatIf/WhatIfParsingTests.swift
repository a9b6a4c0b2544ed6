import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("What-if changes are parsed or rejected by field name")
struct WhatIfParsingTests {
    @Test(
        "Durations are parsed in human and ISO 8601 forms",
        arguments: [
            ("8h", 28_800.0), (" 2D ", 172_800), ("90m", 5400), ("90 min", 5400), ("1h30m", 5400), ("1d 12 hours", 129_600), ("1.5h", 5400),
            ("1,5 h", 5400), ("PT8H", 28_800), ("P2D", 172_800), ("P1DT12H", 129_600), ("P1W", 604_800), ("pt90m", 5400), ("120s", 120),
            ("31 days", 2_678_400),
        ])
    func spans(text: String, seconds: Double) throws {
        #expect(try WhatIfDuration.seconds(text) == seconds)
    }

    @Test(
        "An invalid duration is rejected with its reason",
        arguments: [
            ("", WhatIfDuration.DurationError.empty), ("   ", .empty), ("h", .notANumber("h")), ("8", .noUnit("8")),
            ("8 parsecs", .unknownUnit("parsecs")),
            ("P1M", .calendarUnit("m")), ("P1Y", .calendarUnit("y")), ("2 months", .calendarUnit("months")), ("1h 2h", .twice("h")),
            ("30s", .tooShort(30)), ("0h", .tooShort(0)), ("32d", .tooLong(2_764_800)), ("1e9h", .unknownUnit("e")),
            ("-8h", .notANumber("-8h")),
            ("P", .notANumber("p")), ("PT", .notANumber("pt")), ("1.2.3h", .notANumber("1.2.3")), ("٨h", .notANumber("٨h")),
            (String(repeating: "1", count: 65), .tooMuchText),
        ])
    func refusedSpans(text: String, problem: WhatIfDuration.DurationError) {
        #expect(throws: problem) { try WhatIfDuration.seconds(text) }
        #expect(!problem.text.isEmpty)
    }

    @Test("Any text is a bounded duration or rejected")
    func fuzzedSpans() {
        var dice = SeededHouseGenerator(TestSeed.value(31))
        let letters = Array("0123456789.,ptdhmswy PTDHMW+-e٣²é\u{0}\n∞")
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            let text = String((0..<Int.random(in: 0...12, using: &dice)).map { _ in letters.randomElement(using: &dice) ?? "8" })
            if let seconds = try? WhatIfDuration.seconds(text) {
                #expect(WhatIfDuration.range.contains(seconds), "\(text), seed \(dice.seed)")
            }
        }
    }

    // MARK: Changes

    private static let house: HouseSnapshot = {
        var heating = GeneratedAccessMonth.device("heating", .climate)
        heating.roomID = "living-room"
        return HouseSnapshot(
            name: "House", zone: .gmt, rooms: [Room(id: "living-room", name: "living room")],
            devices: GeneratedAccessMonth.devices + [heating],
            people: [Inhabitant(key: "person:ada", name: "Ada"), Inhabitant(key: "person:ben", name: "Ben")],
            guests: [Inhabitant(key: "guest:g", name: "Greta")])
    }()
    private static let owner = RequesterVisibility(key: "person:ada", seesEverybody: true, seesGuests: true)

    private func read(_ value: JSONValue, by visibility: RequesterVisibility = Self.owner) throws(WhatIfFieldError) -> [WhatIfChange] {
        try WhatIfChange.parse(value, in: Self.house, seenBy: visibility)
    }

    @Test("Changes of rooms, devices, passes, people, flags and watches are parsed")
    func changes() throws {
        let night = QuietHours(from: GeneratedAccessMonth.time("22:00"), to: GeneratedAccessMonth.time("06:00"))
        #expect(
            try read(["room": ["living-room": ["temperature": 22, "from": "22:00", "to": "06:00"]]])
                == [.temperature(roomID: "living-room", celsius: 22, during: night)])
        #expect(
            try read(["device": ["climate.heating": ["set_temperature": 19.5]]])
                == [.temperature(roomID: "living-room", celsius: 19.5, during: nil)])
        #expect(try read(["device": ["lamp": ["power": "off"]]]) == [.power(deviceID: "lamp", isOn: false, during: nil)])
        #expect(try read(["device": ["lamp": ["power": true]]]) == [.power(deviceID: "lamp", isOn: true, during: nil)])
        #expect(try read(["device": ["front": ["is_security_device": true]]]) == [.access(.securityDevice("front", true))])
        #expect(try read(["access": ["person:ben": ["role": "resident"]]]) == [.access(.role(of: "person:ben", .member))])
        #expect(
            try read(["access": ["guest:g": ["max_uses": 3, "expires_at": nil, "schedule": nil]]])
                == [.access(.expiry(of: "guest:g", nil)), .access(.useLimit(of: "guest:g", 3)), .access(.schedule(of: "guest:g", nil))])
        #expect(try read(["access": ["guest:g": ["revoked": true]]]) == [.access(.revoked("guest:g", from: .distantPast))])
        #expect(
            try read(["access": ["guest:g": ["schedule": ["lines": [["days": ["mon"], "from": "08:00", "to": "18:00"]]]]]])
                == [
                    .access(
                        .schedule(
                            of: "guest:g",
                            WeeklySchedule(
                                lines: [
                                    .init(days: [.mon], from: GeneratedAccessMonth.time("08:00"), to: GeneratedAccessMonth.time("18:00"))
                                ])))
                ])
        #expect(
            try read(["device": ["cover.garage": ["watch": ["states": ["open"], "longer_than": "10m", "from": "22:00", "to": "06:00"]]]])
                == [.watch(entityID: "cover.garage", WatchRule(entityID: "cover.garage", words: ["open"], longerThan: 600, between: night))]
        )
        #expect(try read(["device": ["cover.garage": ["watch": nil]]]) == [.watch(entityID: "cover.garage", nil)])
    }

    @Test(
        "Invalid changes are rejected by name and path",
        arguments: [
            ([1], "changes"), ([:], "changes"), (["lamp": ["power": "off"]], "changes.lamp"), (["device": 1], "changes.device"),
            (["device": ["lamp": ["from": "22:00", "to": "23:00"]]], "changes"), (["device": ["lamp": "off"]], "changes.device.lamp"),
            (["room": ["attic": ["temperature": 20]]], "changes.room.attic"),
            (["device": ["attic": ["power": true]]], "changes.device.attic"),
            (["device": ["lamp": ["temperature": 20]]], "changes.device.lamp"),
            (["device": ["lamp": ["colour": "red"]]], "changes.device.lamp.colour"),
            (["room": ["living-room": ["temperature": 99]]], "changes.room.living-room.temperature"),
            (["room": ["living-room": ["humidity": 50]]], "changes.room.living-room.humidity"),
            (["device": ["lamp": ["power": "on", "from": "22:00", "to": "24:30"]]], "changes.device.lamp.to"),
            (["access": ["guest:h": ["revoked": true]]], "changes.access.guest:h"),
            (["access": ["token:1": ["revoked": true]]], "changes.access.token:1"),
            (["access": ["guest:g": ["max_uses": 1.5]]], "changes.access.guest:g.max_uses"),
            (["access": ["guest:g": ["from": "22:00"]]], "changes.access.guest:g.from"),
        ] as [(JSONValue, String)])
    func refusedChanges(value: JSONValue, field: String) {
        do {
            Issue.record("\(try read(value)) was read")
        } catch {
            #expect(error.field == field && !error.words.isEmpty)
        }
    }

    @Test("At most 32 changes are accepted")
    func many() {
        var house = Self.house
        house.devices = (0..<40).map { GeneratedAccessMonth.device("lamp\($0)", .light) }
        let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("lamp\($0)", JSONValue.object(["power": false])) })
        #expect(throws: WhatIfFieldError("changes", "must have at most 32 changes")) {
            try WhatIfChange.parse(["device": .object(many)], in: house, seenBy: Self.owner)
        }
    }

    @Test("A hidden person is rejected like a missing one; changes to oneself are accepted")
    func hidden() throws {
        let ben = RequesterVisibility(key: "person:ben")
        for key in ["person:ada", "person:zoe", "guest:g", "guest:h"] {
            #expect(throws: WhatIfFieldError("changes.access.\(key)", "must be a person or guest of this house, as person:ID or guest:ID"))
            {
                try read(["access": [key: ["revoked": true]]], by: ben)
            }
        }
        #expect(try read(["access": ["person:ben": ["role": "admin"]]], by: ben) == [.access(.role(of: "person:ben", .admin))])
        #expect(throws: WhatIfFieldError("changes.device.front", "must be the id of a device of this house")) {
            var snapshot = Self.house
            snapshot.devices.removeAll { $0.id == "front" }
            _ = try WhatIfChange.parse(["device": ["front": ["power": true]]], in: snapshot, seenBy: ben)
        }
    }

    @Test("A question starts with its change and selects matching metrics")
    func questions() throws {
        let noon = Date(timeIntervalSince1970: 1_773_489_600)
        var draft = WhatIfRequest(
            scenario: "", changes: ["room": ["living-room": ["temperature": 22, "from": "22:00", "to": "06:00"]]], duration: "8h")
        let question = try WhatIfQuestion.parse(draft, in: Self.house, seenBy: Self.owner, at: noon)
        #expect(question.from == noon + 10 * 3600 && question.duration == 8 * 3600 && question.metrics == [.energy, .cost, .temperature])
        #expect(try WhatIfQuestion.parse(draft, in: Self.house, seenBy: Self.owner, at: noon + 11 * 3600).from == noon + 11 * 3600)
        // Without a start it begins with the next full hour; with a stated start it begins then.
        #expect(try WhatIfQuestion.parse(draft, in: Self.house, seenBy: Self.owner, at: noon + 11.5 * 3600).from == noon + 12 * 3600)
        draft.from = noon + 11.5 * 3600
        #expect(try WhatIfQuestion.parse(draft, in: Self.house, seenBy: Self.owner, at: noon).from == noon + 11.5 * 3600)
        draft.from = nil
        draft.changes = ["access": ["guest:g": ["revoked": true]]]
        #expect(try WhatIfQuestion.parse(draft, in: Self.house, seenBy: Self.owner, at: noon).metrics == [.access])
        func refused(_ field: String, _ change: (inout WhatIfRequest) -> Void) {
            var bad = draft
            change(&bad)
            do {
                Issue.record("\(try WhatIfQuestion.parse(bad, in: Self.house, seenBy: Self.owner, at: noon)) was read")
            } catch {
                #expect(error.field == field)
            }
        }
        refused("duration") { $0.duration = "8" }
        refused("metrics") { $0.metrics = ["noise"] }
        refused("metrics") { $0.metrics = [] }
        refused("from") { $0.from = noon + 90 * 86_400 }
    }

    @Test("Any JSON changes are parsed or rejected")
    func fuzzedChanges() {
        var dice = SeededHouseGenerator(TestSeed.value(33))
        let subjects = ["living-room", "lamp", "front", "climate.heating", "cover.garage", "guest:g", "person:ben", "", "…"]
        let fields = [
            "temperature", "power", "from", "to", "role", "schedule", "max_uses", "expires_at", "revoked", "revoked_at", "watch",
            "is_security_device",
            "asks_each_time", "x",
        ]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &dice) {
            case 0: .number([22, 0, -1, 1e308, .nan, .infinity, 3, 0.5].randomElement(using: &dice) ?? 0)
            case 1: .string(["on", "off", "22:00", "06:00", "member", "2026-01-01T00:00:00Z", "10m", ""].randomElement(using: &dice) ?? "")
            case 2: .bool(Bool.random(using: &dice))
            case 3: .null
            case 4: .array(["open", "closed"])
            case 5: .string(String((0..<200).map { _ in "\u{1F511}" }))
            case 6: .object(["states": value(0), "longer_than": value(0), "from": value(0), "to": value(0)])
            case 7: .object(["lines": .array([.object(["days": ["mon"], "from": value(0), "to": value(0)])])])
            default: .object(["lines": value(0)])
            }
        }
        var read = 0
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            var changes: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 1...2, using: &dice) {
                var parts: [String: JSONValue] = [:]
                for _ in 0..<Int.random(in: 1...2, using: &dice) { parts[fields.randomElement(using: &dice) ?? ""] = value(2) }
                changes[subjects.randomElement(using: &dice) ?? ""] = Int.random(in: 0..<4, using: &dice) > 0 ? .object(parts) : value(1)
            }
            let section = ["room", "device", "access", "", "x"].randomElement(using: &dice) ?? ""
            do {
                read += try self.read([section: .object(changes)]).isEmpty ? 0 : 1
            } catch {
                #expect(!error.words.isEmpty && error.words.count < 400, "seed \(dice.seed)")
            }
        }
        #expect(read > 3, "seed \(dice.seed)")
    }
}
