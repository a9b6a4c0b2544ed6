import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Terminal output of scenes, tokens and histories")
struct CommandOutputTests {
    private func parse<Command: ParsableCommand>(_ words: [String], as _: Command.Type = Command.self) throws -> Command {
        try #require(try Cardea.parseAsRoot(words) as? Command)
    }

    @Test("A scene action is parsed as device, colon, verb and optional value")
    func sceneActions() throws {
        let command: SceneMakeCommand = try parse([
            "scenes", "make", "Good night", "hall-light:set_brightness=40", "Front door:lock",
            #"study-light:set_color={"temperature":2700}"#,
        ])
        #expect(command.name == "Good night" && command.actions.map(\.device) == ["hall-light", "Front door", "study-light"])
        #expect(command.actions.map(\.action) == ["set_brightness", "lock", "set_color"])
        #expect(command.actions.map { $0.value?.json } == [.number(40), nil, .object(["temperature": .number(2700)])])
        for bad in ["hall-light", ":on", "hall-light:", "hall-light:=4"] {
            #expect(throws: (any Error).self, "\(bad)") { try Cardea.parseAsRoot(["scenes", "make", "Night", bad]) }
        }
    }

    @Test(
        "Invalid arguments are refused before any request is sent",
        arguments: [
            "scenes make Night", "scenes run", "rooms rename Study", "sessions end", "sessions end abc --others", "tokens make",
            "tokens make A --for soon", "tokens make A --for 4h --no-end", "tokens make A --action on",
            "tokens make A --device hall-light --action fly", "history", "history hall --for ever", "energy --for 0d",
        ])
    func nonsense(line: String) {
        #expect(throws: (any Error).self) { try Cardea.parseAsRoot(line.split(separator: " ").map(String.init)) }
    }

    @Test("A command without a subcommand runs its default")
    func defaults() throws {
        let _: ScenesListCommand = try parse(["scenes"])
        let _: RoomsListCommand = try parse(["rooms", "--json"])
        let _: SessionsListCommand = try parse(["sessions"])
        let _: TokensListCommand = try parse(["tokens"])
        let history: HistoryCommand = try parse(["history", "garden", "--for", "2d"])
        #expect(history.span.length == 2 * 86_400)
    }

    private func batch(_ statuses: String...) -> BatchAnswer {
        let items = statuses.enumerated().map { index, status in
            BatchAnswer.Item(
                deviceID: "device-\(index)", entityID: nil, action: "on", status: status,
                message: status == "refused" ? "You may not do this here." : nil)
        }
        return BatchAnswer(batchID: "batch_1", results: items)
    }

    @Test("A partly failed scene names the failed actions and is unknown only if none was refused")
    func sceneReport() throws {
        #expect(SceneResult(name: "Night", answer: batch("confirmed", "confirmed")).isDone)
        let some = try SceneResult(name: "Night", answer: batch("confirmed", "refused", "unknown")).failure(calling: ["device-1": "Lamp"])
        #expect(some.status == .refused && some.code == "not_all_done")
        #expect(
            some.message == """
                Night: 2 of 3 not done.
                  Lamp: You may not do this here.
                  device-2: outcome unknown; the device did not answer
                """)
        guard case .object(let told)? = some.details["batch"] else {
            Issue.record("a script is not told what came of each thing")
            return
        }
        #expect(told["batch_id"] == .string("batch_1"))
        let unsure = try SceneResult(name: "Night", answer: batch("unknown")).failure(calling: [:])
        #expect(unsure.status == .unknown && unsure.message.hasPrefix("Night: not done."))
        let late = try SceneResult(name: "Night", answer: batch("expired", "failed")).failure(calling: [:])
        #expect(late.message.contains("expired before it was sent") && late.message.contains(": failed"))
    }

    private let morning = Date(timeIntervalSince1970: 1_795_219_200)

    private func points(_ values: [Double], every seconds: TimeInterval) -> [(at: Date, value: Double)] {
        values.enumerated().map { (morning.addingTimeInterval(Double($0) * seconds), $1) }
    }

    @Test("A sparkline goes from lowest to highest and shows gaps")
    func sparkline() {
        let hour = morning.addingTimeInterval(3600)
        #expect(Sparkline.text(points([0, 1, 2, 3, 4, 5, 6, 7], every: 450), from: morning, to: hour, width: 8) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline.text(points([5, 5], every: 1800), from: morning, to: hour, width: 4) == "▄ ▄ ")
        #expect(
            Sparkline.text([(hour, 1), (morning, 0)], from: morning, to: hour, width: 2) == "▁█", "the last moment is in the last column")
        #expect(Sparkline.text([(hour.addingTimeInterval(1), 1)], from: morning, to: hour, width: 2) == "")
        #expect(Sparkline.text(points([.nan], every: 1), from: morning, to: hour, width: 2) == "")
        #expect(Sparkline.text([], from: hour, to: morning, width: 2) == "")
    }

    private func answer(_ resolution: String, _ points: [HistoryAnswer.Point]) -> HistoryAnswer {
        HistoryAnswer(
            deviceID: "garden", entityID: "sensor.garden", unit: "°C", resolution: resolution, from: morning,
            to: morning.addingTimeInterval(86_400), points: points, nextFrom: nil)
    }

    @Test("A history shows minimum, maximum and latest value, and as a table every value")
    func history() {
        let clock = HouseClock(zone: .gmt, now: morning.addingTimeInterval(86_400))
        let output = Output(json: false, environment: ["NO_COLOR": "1"])
        let raw = answer(
            "raw",
            [5.25, 11, 7.8].enumerated().map {
                HistoryAnswer.Point(Reading(at: morning.addingTimeInterval(Double($0) * 3600), value: $1))
            })
        let words = HistoryText(raw, clock: clock)

        let summary = words.summary(of: "Garden", span: "24h")
        #expect(summary.hasPrefix("Garden, last 24h\n▁"))
        #expect(summary.contains("lowest 5.3 °C") && summary.contains("highest 11 °C") && summary.contains("latest 7.8 °C"))
        #expect(words.table(output).split(separator: "\n").count == 4)
        let hours = answer(
            "hour", [HistoryAnswer.Point(HourlyReading(hour: morning, low: 1, high: 9, mean: 5, first: 1, last: 9, used: 0, count: 2))])
        let hourly = HistoryText(hours, clock: clock)
        #expect(hourly.summary(of: "Garden", span: "4w").contains("lowest 1 °C") && hourly.table(output).contains("HIGHEST"))
        #expect(HistoryText(answer("raw", []), clock: clock).summary(of: "Garden", span: "6h") == "Garden, last 6h: no values.")
    }

    @Test("A token lists its scopes, and read is omitted if others are present")
    func tokens() throws {
        let grants = [GrantBody(deviceID: "a", actions: ["read", "on"]), GrantBody(deviceID: "b", actions: ["read"])]
        let token = APITokenAnswer(
            tokenID: "t", name: "Display", role: .member, grants: grants, createdAt: morning, expiresAt: nil, lastUsedAt: nil)
        #expect(TokenText.permissions(token, calling: ["a": "Lamp"]) == "Lamp: on, b: read")
        let whole = APITokenAnswer(
            tokenID: "t", name: "Display", role: .member, grants: nil, createdAt: morning, expiresAt: nil, lastUsedAt: nil)
        #expect(TokenText.permissions(whole, calling: [:]) == "what a member may")
    }
}
