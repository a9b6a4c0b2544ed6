import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

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
        let roomID = if let room { try await sitting.room(room).roomID } else { String?.none }
        let look = try await sitting.output.waiting(for: "Reading the last \(span.duration)") {
            try await sitting.look(.environment(last: span.length, roomID: roomID))
        }
        let answer = look.answer
        try await sitting.output.show(look) {
            guard !answer.readings.isEmpty else { return "Nothing there measures the air." }
            let names = try await sitting.deviceNames()
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
