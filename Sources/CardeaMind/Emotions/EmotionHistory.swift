import Foundation

/// The history of the house's emotions: an entry for each significant change. Older entries are thinned out.
public struct EmotionHistory: Codable, Sendable {
    /// Oldest first.
    public private(set) var entries: [Entry] = []

    public struct Entry: Codable, Hashable, Sendable {
        /// The state with its sixteen largest causes.
        public let state: EmotionalState
        /// The cause that changed it most; nil if causes only ended.
        public let trigger: Cause?

        public var at: Date { state.at }
    }

    /// Smaller changes of a value are not recorded.
    static let step = 0.1
    static let causeLimit = 16
    static let entryLimit = 2000
    static let (day, hour): (TimeInterval, TimeInterval) = (86400, 3600)
    /// Days for which every entry is kept, and for which one an hour is. After that, one a day is kept.
    static let (allDays, hourlyDays) = (7.0, 30.0)

    public init() {}

    /// Adds a state if it differs enough from the last entry, or in its primary emotion.
    mutating func record(_ state: EmotionalState) {
        let last = entries.last?.state
        if let last {
            let moved = Emotion.allCases.contains { abs(state.values[$0] - last.values[$0]) >= Self.step - 1e-9 }
            guard moved || state.primary != last.primary else { return }
        }
        entries.append(Entry(state: state.abridged(to: Self.causeLimit), trigger: Self.trigger(of: state, after: last)))
        if entries.count > Self.entryLimit { entries.removeFirst(entries.count - Self.entryLimit) }
    }

    /// The entries in `from..<to` that the requester may see.
    ///
    /// For an requester who may not see the whole house it is the history of their part: the states follow from the causes they may see, and
    /// there is an entry where these change. Effects of hidden causes do not show.
    public func entries(from: Date, to: Date, seenBy visibility: RequesterVisibility) -> [Entry] {
        let range = entries.filter { from <= $0.at && $0.at < to }
        guard !visibility.isWhole else { return range }
        var last = EmotionalState.settled(on: [], at: from)
        return range.compactMap { entry in
            let causes = entry.state.shares.map(\.cause).filter(visibility.sees)
            guard Set(causes.map(\.id)) != Set(last.shares.map(\.cause.id)) else { return nil }
            // Dated by the beginning of the cause, not by the unrelated change that led to this entry.
            let news = causes.filter { cause in !last.shares.contains { $0.cause.id == cause.id } }.map(\.since).max()
            let state = EmotionalState.settled(on: causes, at: max(last.at, min(news ?? entry.at, entry.at)))
            defer { last = state }
            return Entry(state: state, trigger: Self.trigger(of: state, after: last))
        }
    }

    /// Removes every cause that is about the person. The recorded emotions stay.
    mutating func removeCauses(_ person: String) {
        entries = entries.map { entry in
            Entry(
                state: entry.state.without { $0.concerns(person) },
                trigger: entry.trigger.flatMap { $0.concerns(person) ? nil : $0 })
        }
    }

    /// The largest new cause, or else the largest cause that has ended.
    private static func trigger(of state: EmotionalState, after last: EmotionalState?) -> Cause? {
        let before = Set(last?.shares.map(\.cause.id) ?? [])
        if let new = state.shares.first(where: { !before.contains($0.cause.id) }) { return new.cause }
        let now = Set(state.shares.map(\.cause.id))
        let gone = last?.shares.first { !now.contains($0.cause.id) }?.cause
        return state.fading.first { $0.id == gone?.id } ?? gone
    }

    /// Deletes the entries before `border` and thins out the rest: for each hour, or day, the moment of the strongest emotion stays.
    ///
    /// - Parameter sure: a moment known to be past. By a clock that leapt ahead, all entries would seem old.
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
    /// The distance of the values from their baselines.
    fileprivate var distance: Double { Emotion.allCases.reduce(0) { $0 + abs(self[$1] - $1.baseline) } }
}
