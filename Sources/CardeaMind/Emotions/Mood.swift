import Foundation

/// The house's feelings as they go on: causes in, once a cycle, and a state out. A cycle is meant to be a minute or so.
public struct Mood: Codable, Sendable {
    /// As the house itself feels it; what anybody is told is `seen(by:)`.
    public private(set) var state: EmotionalState
    public private(set) var history: EmotionHistory
    /// The causes of the last cycles, oldest first; the last are those of now.
    private var cycles: [[Cause]] = []

    /// The weightiest are enough: a kind of causes moves a feeling only so far.
    static let causeLimit = 128

    public init(at now: Date) {
        state = EmotionalState(at: now, values: .baseline, causes: [])
        history = EmotionHistory()
    }

    /// One cycle: what is the case now moves the values, and what is over passes.
    @discardableResult
    public mutating func update(_ causes: [Cause], at now: Date) -> EmotionalState {
        let before = cycles.last ?? []
        let known = Dictionary(before.map { ($0.id, $0) }) { one, _ in one }
        // What lasted already lasts since then, whatever of its beginning can still be seen.
        let unique = Dictionary(causes.map { ($0.id, $0) }) { one, _ in one }
        let weighty: [Cause] = unique.values.sorted { one, other in
            one.strength != other.strength ? one.strength > other.strength : one.id < other.id
        }
        let causes: [Cause] = weighty.prefix(Self.causeLimit).map { cause in
            var cause = cause
            if let known = known[cause.id] { cause.since = min(cause.since, known.since) }
            cause.until = nil
            return cause
        }
        let lasting = Set(causes.map(\.id))
        // The last time a cause is kept it says until when it was.
        cycles = (cycles.dropLast() + [before.map { $0.ended(unlessIn: lasting, at: now) }, causes]).suffix(EmotionRules.memory)
        let values = state.values.stepped(toward: EmotionalState.target(of: causes))
        state = EmotionalState(at: now, values: values, causes: causes, fading: Self.fading(in: cycles))
        history.record(state)
        return state
    }

    /// The state as somebody may know it.
    ///
    /// Who may see the whole house is told how it feels. For anybody else it is worked out again from the causes that they may see, as
    /// if there had never been others: neither a value nor what is passing tells of what is hidden from them.
    public func seen(by sight: AskerVisibility) -> EmotionalState {
        guard !sight.isWhole else { return state }
        let cycles = cycles.map { $0.filter(sight.sees) }
        guard let first = cycles.first, let last = cycles.last else {
            return EmotionalState(at: state.at, values: .baseline, causes: [])
        }
        let values = cycles.dropFirst().reduce(EmotionalState.target(of: first)) { $0.stepped(toward: EmotionalState.target(of: $1)) }
        return EmotionalState(at: state.at, values: values, causes: last, fading: Self.fading(in: cycles))
    }

    /// Takes out all that tells of somebody who is to be forgotten. How the house felt stays.
    public mutating func removeCauses(_ person: String) {
        cycles = cycles.map { $0.filter { !$0.concerns(person) } }
        state = state.without { $0.concerns(person) }
        history.removeCauses(person)
    }

    /// Lets go of how the house felt before `border`, and thins out the rest.
    ///
    /// - Parameter sure: a moment that has been, whatever the clock says.
    mutating func prune(at sure: Date, keepingFrom border: Date) { history.prune(at: sure, keepingFrom: border) }

    private static func fading(in cycles: [[Cause]]) -> [Cause] {
        var seen = Set(cycles.last?.map(\.id) ?? [])
        return cycles.dropLast().reversed().flatMap { $0 }.filter { $0.until != nil && seen.insert($0.id).inserted }
    }
}

extension Cause {
    fileprivate func ended(unlessIn lasting: Set<String>, at now: Date) -> Cause {
        guard !lasting.contains(id) else { return self }
        var ended = self
        ended.until = now
        return ended
    }
}
