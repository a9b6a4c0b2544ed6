import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct WhatIfCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif", abstract: "Predict the effect of a change from the house's history.",
        discussion: """
            Changes nothing. Temperatures are predicted from the room's past days, energy from past weeks, and access by replaying the
            access attempts of the last days with the changed pass, role or rule.

              cardea whatif what would it cost to keep 22 degrees all night
              cardea whatif --room living-room --temperature 22 --from 22:00 --to 06:00 --metrics energy,cost,temperature
              cardea whatif --device dryer --power off --duration 1d
              cardea whatif --guest Plumber --revoked --last-days 30
              cardea whatif --guest Cleaner --days tue,fri --between 9-12
              cardea whatif --person ben --role member --last-days 2
              cardea whatif --watch cover.garage=open --for 10m --from 22:00 --to 06:00
            """)

    @Argument(help: "A question in plain words, instead of the options.")
    var words: [String] = []
    @Option(help: "A room to heat, by id or name. Needs --temperature.", completion: .rooms)
    var room: String?
    @Option(help: "The temperature of the room, °C.")
    var temperature: Double?
    @Option(help: "A device to switch, by id or name. Needs --power.", completion: .devices)
    var device: String?
    @Option(help: "The state of the device: on or off.")
    var power: String?
    @Option(help: "The start time on each day, HH:MM.")
    var from: String?
    @Option(help: "The end time on each day, HH:MM.")
    var to: String?
    @Option(help: "A guest with a changed pass, by id or name.")
    var guest: String?
    @Flag(help: "The pass is revoked.")
    var revoked = false
    @Option(help: "The number of uses of the pass; 0 for no limit.")
    var uses: Int?
    @Flag(help: "The pass works only on the house's own network.")
    var localOnly = false
    @Flag(name: [.long, .customLong("ask-each-time")], help: "A resident must approve each opening.")
    var asks = false
    @Option(help: ArgumentHelp("The pass works only on these days: mon,tue or mon-fri or weekend.", valueName: "days"))
    var days: ParsedDays?
    @Option(
        help: ArgumentHelp(
            "The pass works only in these hours, in the house's time zone: 9-12 or 09:00-12:30; 22-2 runs past midnight.",
            valueName: "hours"))
    var between: String?
    @Option(help: ArgumentHelp("The end of the pass: now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.", valueName: "time"))
    var until: String?
    @Option(help: "A resident with another role, by id or name. Needs --role.")
    var person: String?
    @Option(help: "The role: owner, admin or member.")
    var role: String?
    @Option(help: ArgumentHelp("An entity state to be notified of: cover.garage=open. Needs --for.", valueName: "entity=word"))
    var watch: ParsedEntityState?
    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long the state must hold: 10m, 1h.", valueName: "duration"))
    var lasting: String?
    @Option(help: ArgumentHelp("The number of past days to replay, 1 to 31. Default: at least 7.", valueName: "days"))
    var lastDays: Int?
    @Option(help: "The duration of the change: 8h, 2d. Default: from --from to --to.")
    var duration: String?
    @Option(help: "The results to show, separated by commas: energy, cost, comfort, temperature, access.")
    var metrics: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let isAsked = room != nil || device != nil || guest != nil || person != nil || watch != nil
        guard words.isEmpty != (isAsked == false) else {
            throw ValidationError("Ask in words, or add a change with --room, --device, --guest, --person or --watch.")
        }
        if room != nil, temperature == nil { throw ValidationError("--room needs a --temperature.") }
        if device != nil, power == nil { throw ValidationError("--device needs --power on or --power off.") }
        let isPass = revoked || localOnly || asks || uses != nil || days != nil || between != nil || until != nil
        guard isPass == (guest != nil) else {
            throw ValidationError(
                "--guest needs --revoked, --uses, --local-only, --ask-each-time, --days, --between or --until, and these need --guest.")
        }
        if let between, WeekdayParser.hours(between) == nil {
            throw ValidationError("--between \(between) is not a time range. Write 9-12 or 09:00-12:30.")
        }
        if (person == nil) != (role == nil) { throw ValidationError("--person and --role go together.") }
        if (watch == nil) != (lasting == nil) { throw ValidationError("--watch and --for go together.") }
        if let lasting, TimeParser.duration(lasting) == nil {
            throw ValidationError("--for \(lasting) is no length of time. Write 10m, 1h or 2d.")
        }
        if (from == nil) != (to == nil) { throw ValidationError("--from and --to go together.") }
        if let lastDays, !(1...31).contains(lastDays) { throw ValidationError("--last-days needs 1 to 31.") }
    }

    func run(in context: CommandContext) async throws {
        guard words.isEmpty else {
            let client = try context.client()
            let answer = try await client.mind.ask(words.joined(separator: " "), in: "terminal")
            return try await context.output.show(answer) {
                // The parsed question is sent again for the hourly values: sentences cannot be drawn.
                guard let body = answer.whatIf else { return AskCommand.text(answer, withEvidence: false) }
                let drawn = try await context.output.showingProgress(for: "Imagining") { try await client.twins.whatIf(body) }
                let clock = try await context.clock()
                return Self.text(answer, drawn, clock: clock, context.output, columns: context.output.columns)
            }
        }
        let body = WhatIfBody(
            changes: try await changes(context), duration: duration ?? defaultDuration,
            metrics: metrics?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }, days: lastDays)
        let look = try await context.output.showingProgress(for: "Imagining") { try await context.query(.whatIf(body)) }
        let clock = try await context.clock()
        try await context.output.show(look) {
            Self.text(look.answer, clock: clock, context.output, columns: context.output.columns)
        }
    }

    private func changes(_ context: CommandContext) async throws -> JSONValue {
        var changes: [String: JSONValue] = [:]
        var hours: [String: JSONValue] = [:]
        if let from, let to { hours = ["from": .string(from), "to": .string(to)] }
        if let room, let temperature {
            let id = try await context.room(room).roomID
            changes["room"] = [id: .object(hours.merging(["temperature": .number(temperature)]) { first, _ in first })]
        }
        if let device, let power {
            let id = try await context.device(device).deviceID
            changes["device"] = [id: .object(hours.merging(["power": .string(power)]) { first, _ in first })]
        }
        if let watch, let lasting {
            let rule = hours.merging(
                ["states": [.string(watch.word)], "longer_than": .string("\(Int(TimeParser.duration(lasting) ?? 0))s")]
            ) { first, _ in first }
            var devices: [String: JSONValue] = [:]
            if case .object(let named)? = changes["device"] { devices = named }
            devices[watch.entity] = ["watch": .object(rule)]
            changes["device"] = .object(devices)
        }
        var access: [String: JSONValue] = [:]
        if let guest { access["guest:\(try await context.guest(guest).guestID)"] = .object(try await passChanges(context)) }
        if let person, let role { access["person:\(try await context.client().person(person).personID)"] = ["role": .string(role)] }
        if !access.isEmpty { changes["access"] = .object(access) }
        return .object(changes)
    }

    /// The changed fields of the pass.
    private func passChanges(_ context: CommandContext) async throws -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        if revoked { fields["revoked"] = true }
        if localOnly { fields["local_only"] = true }
        if asks { fields["asks_each_time"] = true }
        if let uses { fields["max_uses"] = .number(Double(uses)) }
        if let schedule { fields["schedule"] = schedule }
        if let until {
            let clock = try await context.clock()
            guard let end = TimeParser(zone: clock.zone, now: clock.now).date(until, .end) else {
                throw CommandLineError.usage("--until \(until) is no time. Write now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.")
            }
            fields["expires_at"] = .string(end.formatted(.iso8601))
        }
        return fields
    }

    /// As the house writes the hours of a week.
    private var schedule: JSONValue? {
        guard days != nil || between != nil else { return nil }
        let hours = between.flatMap { WeekdayParser.hours($0) }.map { ($0.from.description, $0.to.description) } ?? ("00:00", "00:00")
        let chosen = Weekday.allCases.filter { days?.days.contains($0) ?? true }.map { JSONValue.string($0.rawValue) }
        let line: [String: JSONValue] = ["days": .array(chosen), "from": .string(hours.0), "to": .string(hours.1)]
        return .object(["lines": .array([.object(line)])])
    }

    /// From `--from` until `--to`; by default a day, or a week with a guest, a person or a watching rule.
    private var defaultDuration: String {
        let isOfThePast = guest != nil || person != nil || watch != nil
        guard !isOfThePast, let from = from.flatMap({ TimeOfDay($0) })?.minutes, let to = to.flatMap({ TimeOfDay(end: $0) })?.minutes,
            from != to
        else { return isOfThePast ? "7d" : "24h" }
        return "\((to - from + 1440) % 1440)m"
    }

    // MARK: Output

    /// The answer in plain words, with the simulated course drawn below it.
    static func text(
        _ answer: HouseReplyAnswer, _ drawn: WhatIfAnswer, clock: HouseClock, _ output: Output, columns: Int
    ) -> String {
        ([AskCommand.text(answer, withEvidence: false)] + plots(drawn, clock: clock, output, columns: columns))
            .joined(separator: "\n\n")
    }

    static func text(_ answer: WhatIfAnswer, clock: HouseClock, _ output: Output, columns: Int) -> String {
        ([answer.response] + plots(answer, clock: clock, output, columns: columns)).joined(separator: "\n\n")
    }

    private static func plots(_ answer: WhatIfAnswer, clock: HouseClock, _ output: Output, columns: Int) -> [String] {
        var parts: [String] = []
        for metric in ["temperature", "energy", "cost", "comfort"] {
            guard let told = answer.results[metric], let plot = plot(told, columns: columns, clock, output) else { continue }
            // Cost follows energy at a fixed rate: one chart of the two is enough.
            if metric == "cost", answer.results["energy"] != nil { continue }
            parts.append("\(output.bold(metric.capitalized)), hour by hour\n\(plot)")
        }
        if let replay = answer.replay, !replay.rows.isEmpty {
            let rows = replay.rows.prefix(20).map { [clock.short($0.at), $0.deviceID ?? "", $0.who ?? "", $0.was, $0.wouldBe] }
            var table = Table("WHEN", "DEVICE", "WHO", "WAS", "WOULD BE", rows: Array(rows)).text(output)
            if replay.rows.count > rows.count { table += "\n\(replay.rows.count - rows.count) more; --json lists them." }
            parts.append(table)
        }
        if let notices = answer.notices, let table = table(notices, clock, output) { parts.append(table) }
        return parts
    }

    /// The times at which a watching rule would have notified, and at which it would not have. Unchanged ones are not listed.
    private static func table(_ notices: [String: WhatIfAnswer.Notices], _ clock: HouseClock, _ output: Output) -> String? {
        var turns: [(at: Date, entity: String, what: String)] = []
        for (entity, told) in notices {
            for at in told.missed { turns.append((at, entity, "no notification")) }
            for at in told.added { turns.append((at, entity, told.kept == nil ? "notification" : "another notification")) }
        }
        turns.sort { ($0.at, $0.entity) > ($1.at, $1.entity) }
        guard !turns.isEmpty else { return nil }
        let rows = turns.prefix(20).map { [clock.short($0.at), $0.entity, $0.what] }
        let table = Table("WHEN", "ENTITY", "CHANGE", rows: Array(rows)).text(output)
        return turns.count > rows.count ? "\(table)\n\(turns.count - rows.count) more; --json lists them." : table
    }

    private static func plot(_ metric: WhatIfAnswer.Metric, columns: Int, _ clock: HouseClock, _ output: Output) -> String? {
        guard metric.series.count > 1 else { return nil }
        return Plot(
            series: [
                .init(name: "would be", lineStyle: .solid, points: metric.series.map { ($0.at, $0.predicted) }),
                .init(name: "usually", lineStyle: .dotted, points: metric.series.map { ($0.at, $0.baseline) }),
            ], band: .init(name: "in 95 of 100 cases", points: metric.series.map { ($0.at, $0.low, $0.high) }), unit: metric.unit
        ).text(width: columns, style: output.style, time: clock.short)
    }
}

/// `cover.garage=open`
struct ParsedEntityState: ExpressibleByArgument {
    let entity: String
    let word: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        (entity, word) = (parts[0], parts[1])
    }
}
