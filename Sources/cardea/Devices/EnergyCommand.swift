import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct EnergyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy", abstract: "What flows now, and what was used.",
        discussion: """
              cardea energy
              cardea energy --for 4w
            """)

    @OptionGroup var span: SpanOptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.output.waiting(for: "Reading the last \(span.duration)") {
            try await sitting.look(.energy(last: span.length))
        }
        let answer = look.answer
        try await sitting.output.show(look) {
            guard !answer.readings.isEmpty else { return "Nothing in the house counts energy." }
            let rows = answer.readings.map { use in
                [
                    use.energyType.rawValue, use.power.map { "\(StateWords.number($0)) W" } ?? "",
                    use.energy.map { "\(StateWords.number($0)) \(use.unit)" } ?? "", use.cost.map(StateWords.number) ?? "",
                ]
            }
            return Table("KIND", "NOW", "LAST \(span.duration.uppercased())", "COST", rows: rows).text(sitting.output)
        }
    }
}
