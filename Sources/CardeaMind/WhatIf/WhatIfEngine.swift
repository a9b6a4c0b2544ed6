import CardeaModel
import Foundation

/// Predicts the effect of changes from the recorded past.
///
/// The consumption of a meter is compared with the same hours of past weeks. A room's heating is taken from the days before, because the
/// weather is more like yesterday's than like last month's: each of those days is simulated again by the room's thermal twin. The shown
/// error combines the spread of the days and the uncertainty of the twin. Access attempts are replayed. Nothing here can act.
public struct WhatIfEngine: Sendable {
    public let history: WhatIfInputs
    public let now: Date
    /// The words for the result.
    let text: WhatIfText

    public init(_ history: WhatIfInputs, at now: Date, in words: WhatIfText = WhatIfText()) {
        self.history = history
        self.now = now
        self.text = words
    }

    /// The most days that are simulated again, and how many days back they may lie.
    static let (resimulatedDays, resimulationReach) = (14, 35)
    /// Weeks in which the same hours are compared.
    static let weeks = 8

    public func answer(_ question: WhatIfQuestion) -> WhatIfResult {
        var work = WhatIfComputation(question: question, history: history, now: now, words: text)
        return work.result()
    }
}
