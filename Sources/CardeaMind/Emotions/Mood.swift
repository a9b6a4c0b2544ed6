import Foundation

/// The emotions of the house over time: causes go in once a cycle, and a state comes out. A cycle is about a minute.
public struct Mood: Codable, Sendable {
    /// The state of the house itself. Askers get `seen(by:)`.
    public private(set) var state: EmotionalState
    public private(set) var history: EmotionHistory
    /// The causes of the last cycles, oldest first; the last element has the present ones.
    private var cycles: [[Cause]] = []

    /// The largest causes are enough, since a kind of causes moves an emotion only up to a limit.
    static let causeLimit = 128

    public init(at now: Date) {
        state = EmotionalState(at: now, values: .baseline, causes: [])
        history = EmotionHistory()
    }

    /// One cycle: present causes move the values, and effects of past causes fade.
    @discardableResult
    public mutating func update(_ causes: [Cause], at now: Date) -> EmotionalState {
        let before = cycles.last ?? []
        let known = Dictionary(before.map { ($0.id, $0) }) { one, _ in one }
        // A cause that already lasted keeps its beginning, even if its evidence is no longer loaded.
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
        // In the last cycle in which a cause is kept, it gets its end.
        cycles = (cycles.dropLast() + [before.map { $0.ended(unlessIn: lasting, at: now) }, causes]).suffix(EmotionRules.memory)
        let values = state.values.stepped(toward: EmotionalState.target(of: causes))
        state = EmotionalState(at: now, values: values, causes: causes, fading: Self.fading(in: cycles))
        history.record(state)
        return state
    }

    /// The state that the requester may see.
    ///
    /// An requester who may see the whole house gets the state itself. For others it is calculated again from the causes that they may see,
    /// as if there had never been others, so that neither values nor fading effects reveal hidden causes.
    public func seen(by visibility: RequesterVisibility) -> EmotionalState {
        guard !visibility.isWhole else { return state }
        let cycles = cycles.map { $0.filter(visibility.sees) }
        guard let first = cycles.first, let last = cycles.last else {
            return EmotionalState(at: state.at, values: .baseline, causes: [])
        }
        let values = cycles.dropFirst().reduce(EmotionalState.target(of: first)) { $0.stepped(toward: EmotionalState.target(of: $1)) }
        return EmotionalState(at: state.at, values: values, causes: last, fading: Self.fading(in: cycles))
    }

    /// Removes all causes about a person who is being erased. The emotions of the house stay.
    public mutating func removeCauses(_ person: String) {
        cycles = cycles.map { $0.filter { !$0.concerns(person) } }
        state = state.without { $0.concerns(person) }
        history.removeCauses(person)
    }

    /// Deletes the history before `border`, and thins out the rest.
    ///
    /// - Parameter sure: a moment known to be past, whatever the clock says.
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
