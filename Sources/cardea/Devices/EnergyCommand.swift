import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct EnergyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "energy", abstract: "Show current power and past energy use.",
        discussion: """
              cardea energy
              cardea energy --for 4w
            """)

    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.output.showingProgress(for: "Reading the last \(span.duration)") {
            try await context.query(.energy(last: span.length))
        }
        let answer = look.answer
        try await context.output.show(look) {
            guard !answer.readings.isEmpty else { return "No device reports energy." }
            let rows = answer.readings.map { use in
                [
                    use.energyType.rawValue, use.power.map { "\(StateText.number($0)) W" } ?? "",
                    use.energy.map { "\(StateText.number($0)) \(use.unit)" } ?? "", use.cost.map(StateText.number) ?? "",
                ]
            }
            return Table("KIND", "NOW", "LAST \(span.duration.uppercased())", "COST", rows: rows).text(context.output)
        }
    }
}
