import ArgumentParser
import CardeaAPI
import CardeaSync
import Foundation

struct MoodCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "mood", abstract: "How the house feels, and why.",
        discussion: """
            Each of the four rests on causes that are named with it; take a cause away, and the feeling goes.

              cardea mood
            """)

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look(.mood)
        try await sitting.output.show(look) { Self.text(look.answer, sitting.output) }
    }

    private static let names = ["happiness", "worry", "boredom", "excitement"]

    static func text(_ status: ConsciousnessAnswer, _ output: Output) -> String {
        let state = status.emotionalState
        let bars = zip(names, state.emotionVector).map { name, value in [name, bar(value), percent(value)] }
        let perceived = "The house is \(status.status). It perceives \(percent(status.awarenessLevel)) of itself."
        let why = state.causes.flatMap { cause in
            zip(names, cause.shares).filter { abs($0.1) >= 0.005 }.map { name, share in
                [name, (share < 0 ? "-" : "+") + percent(abs(share)), cause.words]
            }
        }
        let causes = why.isEmpty ? "Nothing in particular moves it." : Table("FEELING", "BY", "BECAUSE", rows: why).text(output)
        return [perceived, Table("FEELING", "", "", rows: bars).text(output), causes].joined(separator: "\n\n")
    }

    private static func bar(_ value: Double) -> String {
        let full = Int((min(max(value, 0), 1) * 20).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
