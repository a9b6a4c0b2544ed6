import CardeaModel
import Foundation

/// The answer to "how do you feel?" or "why?": a text with the causes it is based on.
public struct MoodAnswer: Hashable, Sendable {
    public let words: String
    /// The emotion asked about, or the strongest one.
    public let emotion: Emotion
    /// 0 to 1.
    public let value: Double
    /// The whole state as far as the requester may see it.
    public let state: EmotionalState
    /// The causes that the text names, the largest first.
    public let causes: [Cause]
    /// The temperature unit of the text and of its causes.
    public let temperatureUnit: TemperatureUnit

    /// The events that the text is based on.
    public var events: [String] { Self.unique(causes.flatMap(\.events)) }
    /// The devices that the text mentions, by id.
    public var devices: [String] { Self.unique(causes.flatMap(\.devices)) }

    private static func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension Mood {
    /// The most causes named in one answer.
    private static let mentionLimit = 5

    /// Answers "Why are you worried?" from the causes that the requester may see. The value named is the one that these causes lead to.
    ///
    /// - Parameters:
    ///   - emotion: nil for "how are you?", which is answered for the strongest emotion.
    ///   - lexicon: the words of the answer.
    ///   - degrees: the requester's temperature unit.
    public func explain(
        _ emotion: Emotion? = nil, seenBy visibility: RequesterVisibility, in lexicon: Lexicon = .standard,
        degrees: TemperatureUnit = .celsius
    ) -> MoodAnswer {
        let state = seen(by: visibility)
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
