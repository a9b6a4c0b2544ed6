import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct DeviceTwinShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a twin: its reported, desired and pending state.",
        discussion: """
            An expert twin of a heater or thermometer also shows the heat loss of its room: see `cardea twins make`.

              cardea twins show "Front door"
            """)

    @Argument(help: "The twin, by id, device or name.", completion: .devices)
    var twin: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let id = try await context.twin(twin).id
        let look = try await context.query(.twin(id))
        let clock = try await context.clock(look)
        try await context.output.show(look) { Self.text(look.answer, clock: clock, context.output, columns: context.output.columns) }
    }

    static func text(_ answer: TwinDetailAnswer, clock: HouseClock, _ output: Output, columns: Int) -> String {
        let twin = answer.twin
        let said = twin.lastSync.map { ", last reported \(clock.spoken($0))" } ?? ""
        var parts = [
            "\(output.bold(twin.name)) (\(twin.id)), \(twin.fidelityLevel): \(DeviceTwinsListCommand.statusText(twin.syncStatus))\(said)"
        ]
        let reports = answer.reported.sorted { $0.key < $1.key }.map { entity, report in
            let shown = report.lastReported?.attributes ?? report.attributes
            let more = shown.sorted { $0.key < $1.key }.compactMap { name, value in Self.valueText(value).map { "\(name) \($0)" } }
            let state = report.lastReported.map { "not known, last reported \($0.state)" } ?? report.state
            return [entity, state, more.joined(separator: ", "), report.at.map(clock.short) ?? "never"]
        }
        parts.append(Table("REPORTED", "STATE", "", "WHEN", rows: reports).text(output))
        if !answer.desired.isEmpty {
            parts.append(Table("DESIRED", "WANTED", "", "SINCE", rows: desiredRows(answer.desired, clock)).text(output))
        }
        if !answer.pending.isEmpty {
            parts.append(Table("PENDING", "WANTED", "", "SINCE", rows: desiredRows(answer.pending, clock)).text(output))
        }
        if !answer.divergingKeys.isEmpty { parts.append("Different from the request: \(answer.divergingKeys.joined(separator: ", "))") }
        if let thermal = answer.thermal { parts.append(text(thermal, clock: clock, output, columns: columns)) }
        if let problem = answer.thermalProblem { parts.append("The heat loss of the room is not available. \(problem)") }
        return parts.joined(separator: "\n\n")
    }

    private static func desiredRows(_ wishes: [TwinWishAnswer], _ clock: HouseClock) -> [[String]] {
        wishes.map { [$0.entityID, $0.action, $0.value.flatMap(Self.valueText) ?? "", clock.short($0.since)] }
    }

    private static func valueText(_ value: JSONValue) -> String? {
        value.string ?? value.number.map(StateText.number) ?? value.bool.map { $0 ? "yes" : "no" }
    }

    private static func text(_ thermal: ThermalAnswer, clock: HouseClock, _ output: Output, columns: Int) -> String {
        func range(_ estimate: EstimateAnswer) -> String {
            "\(StateText.number(rounded(estimate.value))) (\(StateText.number(rounded(estimate.low))) to \(StateText.number(rounded(estimate.high))))"
        }
        let words = """
            Unheated, the room loses 63 % of its excess warmth in \(range(thermal.timeConstant)) h. Full heating warms it by \
            \(range(thermal.heatingRate)) °C an hour, sun and people by \(range(thermal.gain)).
            Fitted to \(thermal.hoursOfReadings) hours of readings; off by \(StateText.number(rounded(thermal.oneStepError))) °C from one \
            hour to the next, by \(StateText.number(rounded(thermal.freeRunError))) °C over whole runs.
            """
        let last = thermal.measured.last.map { [(at: $0.at, value: $0.inside)] } ?? []
        let plot = Plot(
            series: [
                .init(name: "measured", lineStyle: .solid, points: thermal.measured.map { ($0.at, $0.inside) }),
                .init(name: "fitted", lineStyle: .dotted, points: thermal.fitted.map { ($0.at, $0.value) }),
                .init(
                    name: "forecast, if the next day is like the last", lineStyle: .solid,
                    points: thermal.forecast.isEmpty ? [] : last + thermal.forecast.map { ($0.at, $0.value) }),
            ], band: .init(name: "in 95 of 100 cases", points: thermal.forecast.map { ($0.at, $0.low, $0.high) }), unit: "°C")
        return [words, plot.text(width: columns, style: output.style, time: clock.short)].compactMap(\.self).joined(separator: "\n\n")
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
