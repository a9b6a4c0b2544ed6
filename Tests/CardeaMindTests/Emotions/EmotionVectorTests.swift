import CardeaMind
import Foundation
import Testing

@Suite("Emotion vector: arousal, valence and primary emotion")
struct EmotionVectorTests {
    @Test("The cause weights sum to 1")
    func weights() {
        #expect(CauseKind.allCases.map(\.weight) == [0.3, 0.25, 0.2, 0.15, 0.1])
        #expect(abs(CauseKind.allCases.reduce(0) { $0 + $1.weight } - 1) < 1e-12)
    }

    @Test("Arousal and valence follow the contract and stay within their ranges")
    func formulas() {
        let calm = EmotionVector.baseline
        #expect(abs(calm.arousal - 0.3) < 1e-12)
        #expect(abs(calm.valence - 0.25) < 1e-12)
        #expect(EmotionVector(happiness: 1, worry: 0, boredom: 0, excitement: 1).valence == 1)
        #expect(EmotionVector(happiness: 0, worry: 1, boredom: 1, excitement: 0).valence == -1)
        #expect(EmotionVector(worry: 1, excitement: 1).arousal == 1)
        #expect(calm.values == [0.6, 0.2, 0.3, 0.4])
    }

    @Test("The strongest emotion is primary; its intensity is relative to the baseline")
    func primary() {
        let worried = EmotionVector(happiness: 0.3, worry: 0.6, boredom: 0.1, excitement: 0.4)
        #expect(worried.primary == .worry)
        #expect(abs(worried.intensity - 0.5) < 1e-12)
        #expect(abs(worried.confidence - 0.7) < 1e-12)
        #expect(EmotionVector.baseline.intensity == 0)
        #expect(EmotionVector(happiness: 0.5, worry: 0.5, boredom: 0.5, excitement: 0.5).primary == .happiness)
        #expect(EmotionVector.zero.intensity == 1)
        #expect(EmotionVector(happiness: 1).confidence == 1)
    }
}
