/// One number for each emotion.
public struct EmotionVector: Codable, Hashable, Sendable {
    public var happiness: Double
    public var worry: Double
    public var boredom: Double
    public var excitement: Double

    public init(happiness: Double = 0, worry: Double = 0, boredom: Double = 0, excitement: Double = 0) {
        self.happiness = happiness
        self.worry = worry
        self.boredom = boredom
        self.excitement = excitement
    }

    public static let zero = EmotionVector()
    public static let baseline = EmotionVector(
        happiness: Emotion.happiness.baseline, worry: Emotion.worry.baseline, boredom: Emotion.boredom.baseline,
        excitement: Emotion.excitement.baseline)

    public subscript(emotion: Emotion) -> Double {
        get {
            switch emotion {
            case .happiness: happiness
            case .worry: worry
            case .boredom: boredom
            case .excitement: excitement
            }
        }
        set {
            switch emotion {
            case .happiness: happiness = newValue
            case .worry: worry = newValue
            case .boredom: boredom = newValue
            case .excitement: excitement = newValue
            }
        }
    }

    /// `[happiness, worry, boredom, excitement]`, in the contract's order.
    public var values: [Double] { Emotion.allCases.map { self[$0] } }

    /// The same with every number limited to `range`; NaN counts as zero.
    func clamped(to range: ClosedRange<Double>) -> EmotionVector {
        var clamped = self
        for emotion in Emotion.allCases {
            let value = self[emotion].isFinite ? self[emotion] : 0
            clamped[emotion] = min(max(value, range.lowerBound), range.upperBound)
        }
        return clamped
    }
}

/// Summaries of the values, each 0 to 1.
extension EmotionVector {
    /// The emotion with the highest value; of equals the first in the contract's order.
    public var primary: Emotion {
        Emotion.allCases.reduce(.happiness) { self[$1] > self[$0] ? $1 : $0 }
    }

    /// The distance of the primary emotion from its baseline, relative to the room above the baseline: 0 to 1.
    public var intensity: Double {
        let (value, baseline) = (self[primary], primary.baseline)
        return min(abs(value - baseline) / (1 - baseline), 1)
    }

    /// The certainty of the primary emotion over the next: 0.5 if both are equal, 1 if they are half of the scale apart. The contract
    /// asks for a number and does not define it.
    public var confidence: Double {
        let sorted = values.sorted(by: >)
        guard let first = sorted.first, let second = sorted.dropFirst().first else { return 0.5 }
        return min(0.5 + first - second, 1)
    }

    /// (excitement + worry) / 2: 0 to 1.
    public var arousal: Double { min(max((excitement + worry) / 2, 0), 1) }

    /// (happiness − worry + excitement − boredom) / 2: −1 to 1.
    public var valence: Double { min(max((happiness - worry + excitement - boredom) / 2, -1), 1) }
}

extension EmotionVector {
    /// The values one cycle nearer to `target`, which the present causes lead to.
    ///
    /// A value moves away from its baseline at once, by 0.3 at most, and back slowly, by 0.05. A value on the wrong side of its baseline
    /// crosses over as fast as the pull is strong.
    func stepped(toward target: EmotionVector) -> EmotionVector {
        var next = self
        for emotion in Emotion.allCases {
            let (now, goal, baseline) = (self[emotion], target[emotion], emotion.baseline)
            let pull = abs(goal - baseline)
            let isBeyond = (now - baseline) * (goal - baseline) > 0 && abs(now - baseline) > pull
            let limit: Double =
                if isBeyond || goal == baseline {
                    EmotionRules.decay
                } else if (now - baseline) * (goal - baseline) >= 0 {
                    EmotionRules.step
                } else {
                    min(max(pull, EmotionRules.decay), EmotionRules.step)
                }
            next[emotion] = abs(goal - now) <= limit ? goal : now + (goal > now ? limit : -limit)
        }
        return next.clamped(to: 0...1)
    }
}
