import CardeaModel

extension AccessReplay {
    /// One attempt under both rules.
    public struct AttemptComparison: Hashable, Sendable {
        public let attempt: Attempt
        public let before: Verdict
        public let after: Verdict
        /// Whether it lets somebody in.
        public let isDoor: Bool

        public enum Change: Hashable, Sendable {
            case same
            /// It was let through, and would not have been.
            case refused
            /// It was refused, and would have been let through.
            case allowed
            /// Somebody in the house would have had to say yes.
            case approvalAdded
            /// Nobody would have had to.
            case approvalRemoved
            /// No as before, for another reason.
            case otherReason
            case unknown(Set<MissingFact>)
        }

        public var change: Change {
            switch (before, after) {
            case (.unknown(let gaps), .unknown(let others)): .unknown(gaps.union(others))
            case (.unknown(let gaps), _), (_, .unknown(let gaps)): .unknown(gaps)
            case (.deny(let one), .deny(let other)): one.name == other.name ? .same : .otherReason
            case (.deny, .allow): .allowed
            case (.allow, .deny), (.ask, .deny): .refused
            case (.deny, .ask), (.allow, .ask): .approvalAdded
            case (.ask, .allow): .approvalRemoved
            case (.allow, .allow), (.ask, .ask): .same
            }
        }

        /// Whether the rules as they were say what was written down; nil where that cannot be compared.
        public var isReproduced: Bool? { before.contradictsRecord ? false : before.matches(attempt.recordedDecision) }
    }

    /// All attempts under both rules, the oldest first.
    public struct Comparison: Hashable, Sendable {
        public let rows: [AttemptComparison]

        /// What the rules as they were do not say as it was written down: rules that are not those that held. It is unknown how these had gone.
        public var contradictions: [AttemptComparison] { rows.filter { $0.isReproduced == false } }

        /// Doors that opened, and would not have.
        public var doorsShut: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .refused && $0.attempt.refusal == nil && $0.attempt.status == .confirmed }
        }

        /// Doors that did not open, and would have been told to.
        public var doorsOpened: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .allowed && !$0.attempt.failedOutsideGate }
        }

        /// Doors of which somebody would have been asked first.
        public var doorsAsked: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .approvalAdded && !$0.attempt.failedOutsideGate }
        }

        /// What hangs on something that nobody wrote down.
        public var unknown: [AttemptComparison] {
            rows.filter { if case .unknown = $0.change { true } else { false } }
        }

        /// Everything that would have gone another way.
        public var changed: [AttemptComparison] { rows.filter { $0.change != .same } }
    }
}

extension AccessReplay.Verdict {
    /// Whether it was found that the rules are not those that held.
    var contradictsRecord: Bool {
        if case .unknown(let gaps) = self { gaps.contains(.rules) } else { false }
    }

    /// Whether it is what was written down; nil where that cannot be compared.
    func matches(_ recorded: AccessReplay.Attempt.RecordedDecision) -> Bool? {
        switch (self, recorded) {
        case (.unknown, _), (_, .notDecided): nil
        case (_, .allowed): isAllowed
        case (.deny(let refusal), .denied(let name)): refusal.name == name
        case (_, .denied): false
        }
    }

    /// "Let through", "refused (outside_schedule)".
    public func text(in lexicon: Lexicon) -> String {
        switch self {
        case .allow: lexicon.stateText(.letThrough)
        case .ask: lexicon.stateText(.askedFirst)
        case .deny(let refusal): lexicon.stateText(.refusedFor, [.name: refusal.name])
        case .unknown(let gaps):
            lexicon.stateText(.notKnown, [.list: gaps.map { lexicon.stateText($0.sentence) }.sorted().joined(separator: ", ")])
        }
    }
}
