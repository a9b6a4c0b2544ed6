import CardeaModel
import Foundation

/// Describes a mood in sentences.
struct MoodText {
    let lexicon: Lexicon
    let temperatureUnit: TemperatureUnit

    /// One sentence for each cause with its effect. Of several new devices only the names are given.
    func sentences(_ causes: [(cause: Cause, share: Double)]) -> [String] {
        let new = causes.filter { $0.cause.id.hasPrefix("new:") }
        guard new.count > 1 else { return causes.map { sentence($0.cause, $0.share) } }
        let names = lexicon.list(new.compactMap { $0.cause.words.names.first })
        let together = lexicon.stateText(.severalNew, [.list: names, .value: signed(new.reduce(0) { $0 + $1.share })])
        return causes.filter { !$0.cause.id.hasPrefix("new:") }.map { sentence($0.cause, $0.share) } + [together]
    }

    private func sentence(_ cause: Cause, _ share: Double) -> String {
        lexicon.stateText(.withShare, [.words: cause.words.text(in: temperatureUnit), .value: signed(share)])
    }

    /// A sentence for the causes that are too small or too many to be named one by one.
    func remainder(_ causes: ArraySlice<(cause: Cause, share: Double)>) -> String {
        let sum = causes.reduce(0) { $0 + $1.share }
        let amount = abs(sum) < 0.005 ? lexicon.stateText(.lessThanPercent) : signed(sum)
        return lexicon.stateText(causes.count == 1 ? .oneSmaller : .severalSmaller, [.count: "\(causes.count)", .value: amount])
    }

    func opening(_ emotion: Emotion, _ value: Double) -> String {
        let difference = value - emotion.baseline
        let manner: StateSentence =
            if abs(difference) < 0.02 {
                .feelsAsUsual
            } else if difference > 0 {
                difference >= 0.15 ? .feelsMuchMore : .feelsMore
            } else {
                difference <= -0.15 ? .feelsMuchLess : .feelsLess
            }
        let values: [Placeholder: String] = [
            .condition: lexicon.stateText(emotion.adjective), .value: percent(value), .number: percent(emotion.baseline),
        ]
        return lexicon.stateText(manner, values)
    }

    func unsettled(_ left: Double, passing: [Cause], beyond: Bool) -> [String] {
        guard beyond else { return [lexicon.stateText(.stillComing)] }
        guard !passing.isEmpty else { return [lexicon.stateText(.leftFromBefore, [.value: signed(left)])] }
        return [lexicon.stateText(.isPassing, [.value: signed(left)])] + passing.map { $0.words.text(in: temperatureUnit) }
    }

    private func percent(_ value: Double) -> String { lexicon.stateText(.percent, [.number: "\(Int((value * 100).rounded()))"]) }
    private func signed(_ share: Double) -> String { (share < 0 ? "−" : "+") + percent(abs(share)) }
}
