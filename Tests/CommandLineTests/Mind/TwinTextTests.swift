import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Twins and what-if answers in the terminal")
struct TwinTextTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private var clock: HouseClock { HouseClock(zone: .gmt, now: start) }
    private let output = Output(json: false)
    private let twin = TwinAnswer(
        id: "twin_heater", deviceID: "heater", name: "Heater", type: "climate", fidelityLevel: "expert", syncStatus: "syncing",
        lastSync: Date(timeIntervalSince1970: 1_799_999_000), divergenceScore: 0.5, capabilities: ["reported"])

    private func estimate(_ value: Double) -> EstimateAnswer { EstimateAnswer(value: value, low: value - 1, high: value + 1) }

    private func detail(_ thermal: ThermalAnswer? = nil, problem: String? = nil) -> TwinDetailAnswer {
        let wish = TwinWishAnswer(
            entityID: "climate.heater", action: "set_temperature", value: 22, since: start, until: nil, by: "person:1")
        return TwinDetailAnswer(
            twin: twin,
            reported: [
                "climate.heater": TwinReportAnswer(kind: "climate", state: "heat", attributes: ["target_temperature": 20], at: start)
            ], desired: [wish], pending: [wish], divergingKeys: ["climate.heater/target_temperature"], thermal: thermal,
            thermalProblem: problem, history: [:])
    }

    @Test("The list shows each twin's state and the number in sync")
    func list() {
        let text = DeviceTwinsListCommand.text(TwinsAnswer(twins: [twin]), clock: clock, output)

        #expect(text.contains("Heater") && text.contains("syncing") && text.contains("50 %"))
        #expect(text.hasSuffix("0 of 1 twins are in sync with their devices."))
    }

    @Test("A twin shows reported, desired and pending states and its room's predicted temperature")
    func show() throws {
        let hours = (0..<48).map { start + Double($0 - 48) * 3600 }
        let thermal = ThermalAnswer(
            roomID: "den", timeConstant: estimate(25), heatingRate: estimate(2), gain: estimate(0), oneStepError: 0.1, freeRunError: 0.4,
            hoursOfReadings: 700, measured: hours.map { .init(at: $0, inside: 20, outside: nil) },
            fitted: hours.dropFirst().map { .init(at: $0, value: 20.4) },
            forecast: (0..<24).map { .init(at: start + Double($0) * 3600, value: 19, low: 18, high: 20) })
        let text = DeviceTwinShowCommand.text(detail(thermal), clock: clock, output, columns: 80)

        for words in ["REPORTED", "DESIRED", "PENDING", "set_temperature", "22", "25 (24 to 26) h", "measured", "fitted", "░"] {
            #expect(text.contains(words), "\(words)")
        }
        #expect(!text.contains("\u{1B}"))
        let bare = DeviceTwinShowCommand.text(detail(problem: "There is no thermometer."), clock: clock, output, columns: 80)
        #expect(bare.contains("is not available. There is no thermometer.") && !bare.contains("measured"))
    }

    @Test("A twin's wire format is flat and reads back equal")
    func wire() throws {
        let data = try WireFormat.encode(detail())
        let json = try JSONDecoder().decode(JSONValue.self, from: data)
        #expect(json["id"] == "twin_heater" && json["pending"] != nil && json["thermal"] == .null && json["thermal_problem"] == .null)
        let back = try WireFormat.decoder().decode(TwinDetailAnswer.self, from: data)
        #expect(try WireFormat.encode(back) == data)
    }

    @Test("A what-if answer has sentences, a chart for each number and changed door decisions")
    func whatIf() {
        let points = (0..<8).map { hour in
            WhatIfAnswer.Point(at: start + Double(hour) * 3600, baseline: 1, predicted: 2, low: 1.5, high: 2.5)
        }
        let metric = WhatIfAnswer.Metric(
            baseline: estimate(8), predicted: estimate(16), difference: estimate(8), unit: "kWh", words: "More.", series: points)
        let row = WhatIfAnswer.Row(at: start, deviceID: "front-door", who: "Plumber", was: "let through", wouldBe: "refused (revoked)")
        let answer = WhatIfAnswer(
            analysisID: "analysis_1", response: "It would cost about 3 more.", about: "", results: ["energy": metric, "cost": metric],
            problems: [:], recommendations: [], basis: .init(words: "", readings: 0, entities: [], windows: []),
            replay: .init(openedThenShut: 1, shutThenOpened: 0, asked: 0, unknown: 0, rows: [row]))
        let text = WhatIfCommand.text(answer, clock: clock, output, columns: 80)

        #expect(text.hasPrefix("It would cost about 3 more.") && text.contains("Energy, hour by hour") && text.contains("would be"))
        #expect(!text.contains("Cost, hour by hour"), "money follows energy")
        #expect(text.contains("Plumber") && text.contains("refused (revoked)"))
    }

    @Test("A free-text answer is followed by its chart, and notifications are grouped by outcome")
    func plainWords() {
        let points = (0..<8).map { hour in
            WhatIfAnswer.Point(at: start + Double(hour) * 3600, baseline: 1, predicted: 2, low: 1.5, high: 2.5)
        }
        let metric = WhatIfAnswer.Metric(
            baseline: estimate(8), predicted: estimate(16), difference: estimate(8), unit: "kWh", words: "More.", series: points)
        func drawn(_ notices: [String: WhatIfAnswer.Notices]?) -> WhatIfAnswer {
            WhatIfAnswer(
                analysisID: "analysis_1", response: "Never shown.", about: "", results: ["energy": metric], problems: [:],
                recommendations: [], basis: .init(words: "", readings: 0, entities: [], windows: []), replay: nil, notices: notices)
        }
        let answer = HouseReplyAnswer(response: "It would cost about 3.", confidence: 0.9, context: .init(events: [], devices: []))
        let text = WhatIfCommand.text(answer, drawn(nil), clock: clock, output, columns: 80)

        #expect(text.hasPrefix("It would cost about 3.") && text.contains("Energy, hour by hour") && text.contains("usually"))
        #expect(!text.contains("Never shown.") && !text.contains("CHANGE"))
        let known = drawn(["cover.garage": .init(kept: 3, added: [start], missed: [start + 60])])
        let listed = WhatIfCommand.text(known, clock: clock, output, columns: 80)
        #expect(listed.contains("no notification") && listed.contains("another notification"))
        let unknown = drawn(["cover.garage": .init(kept: nil, added: [start], missed: [])])
        #expect(!WhatIfCommand.text(unknown, clock: clock, output, columns: 80).contains("another notification"))
    }

    /// The what-if request that the typed command sends to the house.
    private func asked(_ line: String) async throws -> JSONValue {
        let guest = #"""
            {"guest_id":"guest_1","name":"Plumber","status":"active","grants":[],"starts_at":null,"expires_at":"2027-02-01T00:00:00.000Z",
            "schedule":null,"max_uses":0,"used_count":0,"remaining_uses":-1,"requires_approval":false,"ask_each_time":false,
            "local_only":false,"created_at":"2026-11-01T00:00:00.000Z","created_by":null,"paired_at":null,"scanned_at":null,
            "last_used_at":null,"suspended_at":null,"revoked_at":null,"version":1}
            """#
        let person = #"""
            {"person_id":"person_1","username":"ben","name":"Ben","role":"member","permissions":[],"status":"active",
            "can_invite_guests":false,"created_at":"2026-11-01T00:00:00.000Z","last_seen_at":null}
            """#
        let house = ScriptedTransport { request, _ in
            switch request.url.path {
            case "/api/v1/house":
                .json(
                    200,
                    #"{"house_id":"h","name":"Lime","time_zone":"UTC","now":"2026-11-21T14:31:00.000Z","public_url":"https://house.example","rooms":[]}"#
                )
            case "/api/v1/guests": .json(200, #"{"guests":[\#(guest)],"total":1}"#)
            case "/api/v1/people": .json(200, #"{"people":[\#(person)],"total":1}"#)
            default: .refused(400, "validation_error")
            }
        }
        let terminal = TestTerminal(house: house)
        try await terminal.signIn()
        _ = try await terminal.run(line)
        let request = try #require(house.requests.last { $0.url.path.hasSuffix("/predictions/what-if") })
        return try JSONDecoder().decode(JSONValue.self, from: try #require(request.body))
    }

    @Test("A pass's hours and end, a watched state and the past days are sent as typed")
    func asks() async throws {
        let watch = try await asked("whatif --watch cover.garage=open --for 10m --from 22:00 --to 06:00 --last-days 2")
        #expect(
            watch["changes"] == [
                "device": ["cover.garage": ["watch": ["states": ["open"], "longer_than": "600s", "from": "22:00", "to": "06:00"]]]
            ])
        #expect(watch["days"] == 2 && watch["duration"] == "7d")

        let hours = try await asked("whatif --guest Plumber --days tue,fri --between 9-12 --until 2026-12-24")
        let pass = try #require(hours["changes"]?["access"]?["guest:guest_1"])
        #expect(pass["schedule"] == ["lines": [["days": ["tue", "fri"], "from": "09:00", "to": "12:00"]]])
        #expect(pass["expires_at"] == "2026-12-25T00:00:00Z" && hours["days"] == nil)
        let role = try await asked("whatif --person ben --role admin")
        #expect(role["changes"] == ["access": ["person:person_1": ["role": "admin"]]])
    }

    @Test("An incomplete question is refused before any request is sent")
    func arguments() async throws {
        for wrong in [
            [], ["--room", "den"], ["--device", "dryer"], ["--guest", "Plumber"], ["why", "--room", "den", "--temperature", "22"],
            ["--room", "den", "--temperature", "22", "--from", "22:00"], ["--person", "ben"], ["--role", "admin"],
            ["--watch", "cover.garage=open"], ["--watch", "cover.garage", "--for", "10m"], ["--guest", "Plumber", "--between", "noon"],
            ["--room", "den", "--temperature", "22", "--revoked"], ["--guest", "Plumber", "--revoked", "--last-days", "32"],
        ] {
            await #expect(throws: (any Error).self) { try await WhatIfCommand.asyncParse(wrong) }
        }
        let room = try await WhatIfCommand.asyncParse(["--room", "den", "--temperature", "22", "--from", "22:00", "--to", "06:00"])
        #expect(room.room == "den" && room.temperature == 22)
        #expect(try await WhatIfCommand.asyncParse(["what", "would", "it", "cost"]).words.count == 4)
    }
}
