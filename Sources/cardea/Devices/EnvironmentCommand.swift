import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct EnvironmentCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "environment", abstract: "The air in the rooms: now, and between which values it was.",
        discussion: """
              cardea environment
              cardea environment --room "Living room" --for 7d
            """)

    @Option(help: "Only this room, by id or name.", completion: .rooms)
    var room: String?
    @OptionGroup var span: SpanOptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let roomID = if let room { try await client.room(room).roomID } else { String?.none }
        let (from, to) = span.span()
        let answer = try await sitting.output.waiting(for: "Reading the last \(span.duration)") {
            try await client.readings.environment(from: from, to: to, roomID: roomID)
        }
        try await sitting.output.show(answer) {
            guard !answer.readings.isEmpty else { return "Nothing there measures the air." }
            let names = try await client.deviceNames()
            let rows = answer.readings.map { air in
                [
                    names[air.deviceID] ?? air.deviceID, air.metric.rawValue, measure(air.value, air), measure(air.min, air),
                    measure(air.max, air),
                ]
            }
            return Table("DEVICE", "WHAT", "NOW", "LOWEST", "HIGHEST", rows: rows).text(sitting.output)
        }
    }

    private func measure(_ value: Double?, _ air: EnvironmentAnswer.Air) -> String {
        guard let value else { return "" }
        return StateWords.number(value) + (air.unitOfMeasurement.map { " \($0)" } ?? "")
    }
}
