import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct IndoorClimateCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "environment", abstract: "Show climate values of the rooms: now, lowest and highest.",
        discussion: """
              cardea environment
              cardea environment --room "Living room" --for 7d
            """)

    @Option(help: "Show only this room, by id or name.", completion: .rooms)
    var room: String?
    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let roomID = if let room { try await context.room(room).roomID } else { String?.none }
        let look = try await context.output.showingProgress(for: "Reading the last \(span.duration)") {
            try await context.query(.environment(last: span.length, roomID: roomID))
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.readings.isEmpty else { return "No climate sensors there." }
            let names = try await context.deviceNames()
            let rows = answer.readings.map { air in
                [
                    names[air.deviceID] ?? air.deviceID, air.metric.rawValue, valueText(air.value, air), valueText(air.min, air),
                    valueText(air.max, air),
                ]
            }
            return Table("DEVICE", "WHAT", "NOW", "LOWEST", "HIGHEST", rows: rows).text(context.output)
        }
    }

    private func valueText(_ value: Double?, _ air: EnvironmentAnswer.SensorReading) -> String {
        guard let value else { return "" }
        return StateText.number(value) + (air.unitOfMeasurement.map { " \($0)" } ?? "")
    }
}
