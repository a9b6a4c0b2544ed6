import CardeaMind
import CardeaModel
import Foundation

/// Questions about the house's feelings and its memories.
extension QuestionSetBuilder {
    mutating func feelings() {
        let truth = truth
        // Broken devices, empty batteries and refusals worry it; an requester who may not see an attempt is not told of it.
        ask(
            [
                "Why are you worried?", "are you worried?", "why are you so worried?", "why are you anxious", "why are you wroried?",
                "tell me why you are worried", "is anything wrong?", "is something wrong",
            ]
        ) { asker in
            let refused = truth.refusedLately(seenBy: asker)
            return .feels(
                "worried", devices: truth.offline.union(truth.lowBatteries).union(refused.compactMap(\.deviceID)),
                events: Set((truth.outages + refused).map(\.id)))
        }
        // Commands that succeed make it happier, and unreachable devices do not. So a question about its mood gets: happiness above
        // all other emotions (0.6), and this house's worries add less than a quarter to 0.2.
        ask(
            [
                "are you happy?", "why are you happy", "why are you so happy?", "are you hapyp?", "how are you?", "How do you feel?",
                "how are you today", "how do you fele?",
            ]
        ) { asker in
            let done = truth.doneLately(seenBy: asker)
            return .feels("happy", devices: truth.offline.union(done.compactMap(\.deviceID)), events: Set((truth.outages + done).map(\.id)))
        }
    }

    mutating func memories() {
        for (sentence, content) in [
            ("remember that the boiler was serviced", "The boiler was serviced"),
            ("Remember that the bins go out on Tuesday.", "The bins go out on Tuesday"),
            ("note that the key is with Zelda", "The key is with Zelda"),
        ] {
            each([sentence], .suggestions(["memory \(content)"]), needs: .memory)
        }
        each(
            ["what do you remember about the boiler?", "what do you know about the boiler", "do you remember the boiler?"],
            .remembers("The boiler was serviced by the plumber"), needs: .memory)
        each(["what did I tell you about the drawbridge?", "what do you remember about the moat"], .unknown, needs: .memory)
    }
}
