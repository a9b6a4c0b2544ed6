import Foundation

/// How the house has felt: an entry for each change worth telling, the older ones thinned out when the house makes order.
public struct EmotionHistory: Codable, Sendable {
    /// Oldest first.
    public private(set) var entries: [Entry] = []

    public struct Entry: Codable, Hashable, Sendable {
        /// With its sixteen weightiest causes.
        public let state: EmotionalState
        /// What changed it most; nil where something only passed.
        public let trigger: Cause?

        public var at: Date { state.at }
    }

    /// A value that moved by less tells nothing new.
    static let step = 0.1
    static let causeLimit = 16
    static let entryLimit = 2000
    static let (day, hour): (TimeInterval, TimeInterval) = (86400, 3600)
    /// Days for which every entry is kept, and for which one an hour is; after that, one a day is.
    static let (allDays, hourlyDays) = (7.0, 30.0)

    public init() {}

    /// Takes a state in where it differs from the last entry by enough, or by its primary emotion.
    mutating func record(_ state: EmotionalState) {
        let last = entries.last?.state
        if let last {
            let moved = Emotion.allCases.contains { abs(state.values[$0] - last.values[$0]) >= Self.step - 1e-9 }
            guard moved || state.primary != last.primary else { return }
        }
        entries.append(Entry(state: state.abridged(to: Self.causeLimit), trigger: Self.trigger(of: state, after: last)))
        if entries.count > Self.entryLimit { entries.removeFirst(entries.count - Self.entryLimit) }
    }

    /// The entries from `from` on, up to and not with `to`, as somebody may know them.
    ///
    /// For somebody who may not see the whole house it is the history of what they may see: the states are those that the causes they may see
    /// would have led to, and there is an entry where these became others. Of what only hidden causes stirred they learn nothing.
    public func entries(from: Date, to: Date, seenBy sight: AskerVisibility) -> [Entry] {
        let range = entries.filter { from <= $0.at && $0.at < to }
        guard !sight.isWhole else { return range }
        var last = EmotionalState.settled(on: [], at: from)
        return range.compactMap { entry in
            let causes = entry.state.shares.map(\.cause).filter(sight.sees)
            guard Set(causes.map(\.id)) != Set(last.shares.map(\.cause.id)) else { return nil }
            // By when the cause began, and not by when something else had the house note it.
            let news = causes.filter { cause in !last.shares.contains { $0.cause.id == cause.id } }.map(\.since).max()
            let state = EmotionalState.settled(on: causes, at: max(last.at, min(news ?? entry.at, entry.at)))
            defer { last = state }
            return Entry(state: state, trigger: Self.trigger(of: state, after: last))
        }
    }

    /// Takes out every cause that tells of somebody; how the house felt stays.
    mutating func removeCauses(_ person: String) {
        entries = entries.map { entry in
            Entry(
                state: entry.state.without { $0.concerns(person) },
                trigger: entry.trigger.flatMap { $0.concerns(person) ? nil : $0 })
        }
    }

    /// The weightiest cause that was not there before, or else the weightiest that is there no more.
    private static func trigger(of state: EmotionalState, after last: EmotionalState?) -> Cause? {
        let before = Set(last?.shares.map(\.cause.id) ?? [])
        if let new = state.shares.first(where: { !before.contains($0.cause.id) }) { return new.cause }
        let now = Set(state.shares.map(\.cause.id))
        let gone = last?.shares.first { !now.contains($0.cause.id) }?.cause
        return state.fading.first { $0.id == gone?.id } ?? gone
    }

    /// Lets go of what was before `border`, and thins out the rest: of an hour, or of a day, the moment that stirred the house most stays.
    ///
    /// - Parameter sure: a moment that has been: by a clock that leapt ahead, all of it would seem old.
    mutating func prune(at sure: Date, keepingFrom border: Date) {
        var kept: [Entry] = []
        var slot: [Double]?
        for entry in entries {
            guard entry.at >= border else { continue }
            let age = sure.timeIntervalSince(entry.at) / Self.day
            let width = age < Self.allDays ? nil : age < Self.hourlyDays ? Self.hour : Self.day
            let place = width.map { [$0, (entry.at.timeIntervalSince1970 / $0).rounded(.down)] }
            if let place, place == slot, let rival = kept.last {
                if entry.state.values.distance > rival.state.values.distance { kept[kept.count - 1] = entry }
            } else {
                kept.append(entry)
            }
            slot = place
        }
        entries = kept
    }
}

extension EmotionVector {
    /// How far it is from where the house usually stands.
    fileprivate var distance: Double { Emotion.allCases.reduce(0) { $0 + abs(self[$1] - $1.baseline) } }
}
