import Foundation

/// The emotions of the house at a moment, with their reasons (Seed 004, item 21).
///
/// Each value is its baseline, plus the shares of the causes, plus `unsettled`: effects still to come or to fade.
public struct EmotionalState: Codable, Hashable, Sendable {
    public let at: Date
    /// Each 0 to 1.
    public let values: EmotionVector
    /// The share of each cause in the values, the largest first.
    public let shares: [Share]
    /// Causes that are over and whose effects may still fade; the latest first.
    public let fading: [Cause]

    /// A cause, and the amount that it adds to each value or takes from it.
    public struct Share: Codable, Hashable, Sendable {
        public let cause: Cause
        public let amounts: EmotionVector

        var size: Double { Emotion.allCases.reduce(0) { $0 + abs(amounts[$1]) } }
    }

    public var primary: Emotion { values.primary }
    public var intensity: Double { values.intensity }
    public var confidence: Double { values.confidence }
    public var arousal: Double { values.arousal }
    public var valence: Double { values.valence }

    init(at: Date, values: EmotionVector, causes: [Cause], fading: [Cause] = []) {
        self.at = at
        self.values = values
        shares = Self.shares(of: causes)
        self.fading = fading
    }

    /// The state once the causes have had their full effect and earlier causes have faded.
    static func settled(on causes: [Cause], at: Date) -> EmotionalState {
        EmotionalState(at: at, values: target(of: causes), causes: causes)
    }

    /// The same with its largest causes only, and without fading effects. It is enough for the history.
    func abridged(to limit: Int) -> EmotionalState {
        EmotionalState(at: at, values: values, shares: Array(shares.prefix(limit)), fading: [])
    }

    /// The same values without some of the causes.
    func without(_ isGone: (Cause) -> Bool) -> EmotionalState {
        EmotionalState(at: at, values: values, shares: shares.filter { !isGone($0.cause) }, fading: fading.filter { !isGone($0) })
    }

    private init(at: Date, values: EmotionVector, shares: [Share], fading: [Cause]) {
        self.at = at
        self.values = values
        self.shares = shares
        self.fading = fading
    }

    /// The cause with the largest share: the contract's trigger and reasoning.
    public var trigger: Cause? { shares.first?.cause }
    /// The causes that move `emotion` with their shares, the largest first.
    public func causes(of emotion: Emotion) -> [(cause: Cause, share: Double)] {
        shares.map { ($0.cause, $0.amounts[emotion]) }.filter { $0.1 != 0 }
            .sorted { abs($0.1) != abs($1.1) ? abs($0.1) > abs($1.1) : $0.0.id < $1.0.id }
    }

    /// The part of the values that no present cause explains: effects that have not fully developed yet, and remains of causes that are
    /// over.
    public var unsettled: EmotionVector {
        var rest = EmotionVector.zero
        let target = Self.target(of: shares)
        for emotion in Emotion.allCases { rest[emotion] = values[emotion] - target[emotion] }
        return rest
    }
}

extension EmotionalState {
    /// The values that these causes lead to in the long run.
    static func target(of causes: [Cause]) -> EmotionVector { target(of: shares(of: causes)) }

    private static func target(of shares: [Share]) -> EmotionVector {
        var target = EmotionVector.baseline
        for share in shares {
            for emotion in Emotion.allCases { target[emotion] += share.amounts[emotion] }
        }
        return target.clamped(to: 0...1)
    }

    /// The share of each cause. Together the causes of a kind move an emotion by no more than the kind's weight; beyond that, each is
    /// scaled down proportionally. The order of `causes` does not matter.
    static func shares(of causes: [Cause]) -> [Share] {
        let unique = Dictionary(causes.map { ($0.id, $0) }) { one, _ in one }.values.sorted { $0.id < $1.id }
        var sums: [CauseKind: EmotionVector] = [:]
        for cause in unique {
            for emotion in Emotion.allCases { sums[cause.kind, default: .zero][emotion] += cause.pull(on: emotion) }
        }
        let shares = unique.map { cause in
            var amounts = EmotionVector.zero
            for emotion in Emotion.allCases {
                let sum = abs(sums[cause.kind]?[emotion] ?? 0)
                amounts[emotion] = cause.pull(on: emotion) * (sum > cause.weight ? cause.weight / sum : 1)
            }
            return Share(cause: cause, amounts: amounts)
        }
        return shares.sorted { $0.size != $1.size ? $0.size > $1.size : $0.cause.id < $1.cause.id }
    }
}
