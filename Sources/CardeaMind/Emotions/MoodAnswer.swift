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
