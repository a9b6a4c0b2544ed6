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
    private static let told = 5

    /// "Why are you worried?", answered from the causes that the asker may see, and from no others: the value that is named is the one
    /// that these lead to.
    ///
    /// - Parameter emotion: nil for "how are you?", which is answered for what is felt most.
    public func why(_ emotion: Emotion? = nil, seenBy sight: Sight) -> MoodAnswer {
        let state = seen(by: sight)
        let asked = emotion ?? state.primary
        let value = state.values[asked]
        let all = state.causes(of: asked)
        let causes = all.prefix(Self.told).filter { abs($0.share) >= 0.005 }
        let passing = state.fading.filter { $0.effects[asked] != 0 }.prefix(2)
        var sentences = [Self.opening(asked, value)]
        sentences += Self.told(causes)
        if all.count > causes.count { sentences.append(Self.smaller(all.dropFirst(causes.count))) }
        let left = state.unsettled[asked]
        if all.isEmpty, abs(left) < 0.005 {
            sentences.append("Nothing in particular moves me.")
        } else if abs(left) >= 0.005 {
            sentences += Self.unsettled(left, passing: Array(passing), beyond: (value - asked.baseline) * left > 0)
        }
        let named = causes.map(\.cause) + (abs(left) >= 0.005 ? Array(passing) : [])
        return MoodAnswer(words: sentences.joined(separator: " "), emotion: asked, value: value, state: state, causes: named)
    }

    /// Each with what it does; of several that are only new the names are enough.
    private static func told(_ causes: [(cause: Cause, share: Double)]) -> [String] {
        let new = causes.filter { $0.cause.id.hasPrefix("new:") }
        guard new.count > 1 else { return causes.map { "\($0.cause.words.text) (\(signed($0.share)))" } }
        let names = Saying.list(new.compactMap { $0.cause.words.names.first })
        let together = "\(names) are new here. (\(signed(new.reduce(0) { $0 + $1.share })))"
        return causes.filter { !$0.cause.id.hasPrefix("new:") }.map { "\($0.cause.words.text) (\(signed($0.share)))" } + [together]
    }

    /// What is too small, or too much, to be named one by one.
    private static func smaller(_ causes: ArraySlice<(cause: Cause, share: Double)>) -> String {
        let sum = causes.reduce(0) { $0 + $1.share }
        let amount = abs(sum) < 0.005 ? "less than 1 %" : signed(sum)
        return causes.count == 1 ? "One smaller thing adds to it (\(amount))." : "\(causes.count) smaller things add to it (\(amount))."
    }

    private static func opening(_ emotion: Emotion, _ value: Double) -> String {
        let difference = value - emotion.baseline
        let manner =
            if abs(difference) < 0.02 {
                "I am as \(emotion.adjective) as usual"
            } else if difference > 0 {
                difference >= 0.15 ? "I am \(emotion.adjective)" : "I am a little more \(emotion.adjective) than usual"
            } else {
                difference <= -0.15
                    ? "I am much less \(emotion.adjective) than usual" : "I am a little less \(emotion.adjective) than usual"
            }
        return "\(manner): \(percent(value)), where \(percent(emotion.baseline)) is usual."
    }

    private static func unsettled(_ left: Double, passing: [Cause], beyond: Bool) -> [String] {
        guard beyond else { return ["It is still coming over me."] }
        guard !passing.isEmpty else { return ["Some of it is left from before and passes (\(signed(left)))."] }
        return ["It is passing (\(signed(left))), for this is over:"] + passing.map(\.words.text)
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
    private static func signed(_ share: Double) -> String { (share < 0 ? "−" : "+") + percent(abs(share)) }
}
