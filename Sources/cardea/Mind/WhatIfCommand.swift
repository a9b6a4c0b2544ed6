import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct WhatIfCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif", abstract: "What would be, by what was, with how sure that is.",
        discussion: """
            Nothing is done by asking. Warmth is told from the room's own past days, what a device uses from past weeks, and doors by deciding
            again what was tried in the last days.

              cardea whatif what would it cost to keep 22 degrees all night
              cardea whatif --room living-room --temperature 22 --from 22:00 --to 06:00 --metrics energy,cost,temperature
              cardea whatif --device dryer --power off --duration 1d
              cardea whatif --guest Plumber --revoked --duration 30d
            """)

    @Argument(help: "A question in plain words, instead of the options.")
    var words: [String] = []
    @Option(help: "A room that is kept at a temperature.", completion: .rooms)
    var room: String?
    @Option(help: "How warm, °C.")
    var temperature: Double?
    @Option(help: "A device that is on or off.", completion: .devices)
    var device: String?
    @Option(help: "on or off.")
    var power: String?
    @Option(help: "From when each day, HH:MM.")
    var from: String?
    @Option(help: "Until when each day, HH:MM.")
    var to: String?
    @Option(help: "A guest whose pass is another.")
    var guest: String?
    @Flag(help: "The pass was taken back.")
    var revoked = false
    @Option(help: "How often it may be used; 0 for no limit.")
    var uses: Int?
    @Flag(help: "It is good only on the house's own network.")
    var localOnly = false
    @Flag(help: "Somebody is asked each time.")
    var asks = false
    @Option(help: "For how long: 8h, 2d. From --from until --to where it is left out.")
    var duration: String?
    @Option(help: "What is asked about, with commas between: energy, cost, comfort, temperature, access.")
    var metrics: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let isAsked = room != nil || device != nil || guest != nil
        guard words.isEmpty != (isAsked == false) else {
            throw ValidationError("Ask in words, or name a --room, a --device or a --guest and what is otherwise.")
        }
        if room != nil, temperature == nil { throw ValidationError("--room needs a --temperature.") }
        if device != nil, power == nil { throw ValidationError("--device needs --power on or --power off.") }
        if guest != nil, !revoked, !localOnly, !asks, uses == nil {
            throw ValidationError("--guest needs --revoked, --uses, --local-only or --asks.")
        }
        if (from == nil) != (to == nil) { throw ValidationError("--from and --to go together.") }
    }

    func run(in sitting: Sitting) async throws {
        guard words.isEmpty else {
            let answer = try await sitting.client().mind.ask(words.joined(separator: " "), in: "terminal")
            return try await sitting.output.show(answer) { AskCommand.text(answer, withEvidence: false) }
        }
        let body = WhatIfBody(
            changes: try await changes(sitting), duration: duration ?? length,
            metrics: metrics?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        let answer = try await sitting.output.waiting(for: "Imagining") { try await sitting.client().twins.whatIf(body) }
        let clock = try await sitting.clock()
        try await sitting.output.show(answer) {
            Self.text(answer, clock: clock, sitting.output, columns: sitting.output.columns)
        }
    }

    private func changes(_ sitting: Sitting) async throws -> JSONValue {
        var changes: [String: JSONValue] = [:]
        var hours: [String: JSONValue] = [:]
        if let from, let to { hours = ["from": .string(from), "to": .string(to)] }
        if let room, let temperature {
            let id = try await sitting.room(room).roomID
            changes["room"] = [id: .object(hours.merging(["temperature": .number(temperature)]) { first, _ in first })]
        }
        if let device, let power {
            let id = try await sitting.device(device).deviceID
            changes["device"] = [id: .object(hours.merging(["power": .string(power)]) { first, _ in first })]
        }
        if let guest {
            var fields: [String: JSONValue] = [:]
            if revoked { fields["revoked"] = true }
            if localOnly { fields["local_only"] = true }
            if asks { fields["asks_each_time"] = true }
            if let uses { fields["max_uses"] = .number(Double(uses)) }
            changes["access"] = ["guest:\(try await sitting.guest(guest).guestID)": .object(fields)]
        }
        return .object(changes)
    }

    /// From `--from` until `--to`; a day, or a week of doors, where they are not said.
    private var length: String {
        func minutes(_ text: String?) -> Int? { text.flatMap { TimeOfDay($0) }?.minutes }
        guard let from = minutes(from), let to = minutes(to), from != to else { return guest == nil ? "24h" : "7d" }
        return "\((to - from + 1440) % 1440)m"
    }

    // MARK: Saying

    static func text(_ answer: WhatIfAnswer, clock: HouseClock, _ output: Output, columns: Int) -> String {
        var parts = [answer.response]
        for metric in ["temperature", "energy", "cost", "comfort"] {
            guard let told = answer.results[metric], let plot = plot(told, columns: columns, clock, output) else { continue }
            // Money follows energy by a rate: one picture of the two is enough.
            if metric == "cost", answer.results["energy"] != nil { continue }
            parts.append("\(output.bold(metric.capitalized)), hour by hour\n\(plot)")
        }
        if let replay = answer.replay, !replay.rows.isEmpty {
            let rows = replay.rows.prefix(20).map { [clock.short($0.at), $0.deviceID ?? "", $0.who ?? "", $0.was, $0.wouldBe] }
            var table = Table("WHEN", "DEVICE", "WHO", "WAS", "WOULD BE", rows: Array(rows)).text(output)
            if replay.rows.count > rows.count { table += "\n\(replay.rows.count - rows.count) more; --json shows them." }
            parts.append(table)
        }
        return parts.joined(separator: "\n\n")
    }

    private static func plot(_ metric: WhatIfAnswer.Metric, columns: Int, _ clock: HouseClock, _ output: Output) -> String? {
        guard metric.series.count > 1 else { return nil }
        return Plot(
            lines: [
                .init(name: "would be", pen: .solid, points: metric.series.map { ($0.at, $0.predicted) }),
                .init(name: "usually", pen: .dotted, points: metric.series.map { ($0.at, $0.baseline) }),
            ], band: .init(name: "in 95 of 100 cases", points: metric.series.map { ($0.at, $0.low, $0.high) }), unit: metric.unit
        ).text(width: columns, ink: output.ink, time: clock.short)
    }
}
