import CardeaModel
import Foundation

/// What the house says when it is asked how it feels, or why: in words, with what they rest on.
public struct MoodAnswer: Hashable, Sendable {
    public let words: String
    /// What was asked about, or what is felt most.
    public let emotion: Emotion
    /// 0 to 1.
    public let value: Double
    /// The whole state as the asker may know it.
    public let state: EmotionalState
    /// The causes that the words name, the weightiest first.
    public let causes: [Cause]
    /// In which temperatures are told, in these words and in those of its causes.
    public let temperatureUnit: TemperatureUnit

    /// The happenings that the words rest on.
    public var events: [String] { Self.unique(causes.flatMap(\.events)) }
    /// The devices that the words speak of, by id.
    public var devices: [String] { Self.unique(causes.flatMap(\.devices)) }

    private static func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension Mood {
    /// More causes than this are not one answer.
    private static let mentionLimit = 5

    /// "Why are you worried?", answered from the causes that the asker may see, and from no others: the value that is named is the one
    /// that these lead to.
    ///
    /// - Parameters:
    ///   - emotion: nil for "how are you?", which is answered for what is felt most.
    ///   - lexicon: in whose words it is told.
    ///   - degrees: in which the asker reads temperatures.
    public func explain(
        _ emotion: Emotion? = nil, seenBy sight: AskerVisibility, in lexicon: Lexicon = .standard, degrees: TemperatureUnit = .celsius
    ) -> MoodAnswer {
        let state = seen(by: sight)
        let asked = emotion ?? state.primary
        let value = state.values[asked]
        let all = state.causes(of: asked)
        let causes = all.prefix(Self.mentionLimit).filter { abs($0.share) >= 0.005 }
        let passing = state.fading.filter { $0.effects[asked] != 0 }.prefix(2)
        let words = MoodText(lexicon: lexicon, temperatureUnit: degrees)
        var sentences = [words.opening(asked, value)]
        sentences += words.sentences(causes)
        if all.count > causes.count { sentences.append(words.remainder(all.dropFirst(causes.count))) }
        let left = state.unsettled[asked]
        if all.isEmpty, abs(left) < 0.005 {
            sentences.append(lexicon.stateText(.nothingMoves))
        } else if abs(left) >= 0.005 {
            sentences += words.unsettled(left, passing: Array(passing), beyond: (value - asked.baseline) * left > 0)
        }
        let named = causes.map(\.cause) + (abs(left) >= 0.005 ? Array(passing) : [])
        return MoodAnswer(
            words: sentences.joined(separator: " "), emotion: asked, value: value, state: state, causes: named, temperatureUnit: degrees)
    }
}

/// A mood in sentences.
private struct MoodText {
    let lexicon: Lexicon
    let temperatureUnit: TemperatureUnit

    /// Each with what it does; of several that are only new the names are enough.
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

    /// What is too small, or too much, to be named one by one.
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
