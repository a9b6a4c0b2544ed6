import CardeaModel
import Foundation

/// Answers what would be, from what was.
///
/// What a meter counts is compared with the same hours of past weeks. A room's heating is taken from the days before, because weather
/// is more like yesterday's than like last month's: each of those days is heated again as asked, by the room's thermal twin, and the spread
/// of the days and the twin's own uncertainty together are the error that is shown. Doors are replayed. Nothing here can act.
public struct WhatIfEngine: Sendable {
    public let history: WhatIfHistory
    public let now: Date
    /// In whose words it is told.
    let text: WhatIfText

    public init(_ history: WhatIfHistory, at now: Date, in words: WhatIfText = WhatIfText()) {
        self.history = history
        self.now = now
        self.text = words
    }

    /// Days that are heated again, at most, and how far back they may lie.
    static let (resimulatedDays, resimulationReach) = (14, 35)
    /// Weeks in which the same hours are looked at.
    static let weeks = 8

    public func answer(_ question: WhatIfQuestion) -> WhatIfResult {
        var work = WhatIfComputation(question: question, history: history, now: now, words: text)
        return work.result()
    }
}
