import CardeaModel

extension AccessReplay {
    /// One attempt under both sets of rules.
    public struct AttemptComparison: Hashable, Sendable {
        public let attempt: Attempt
        public let before: Verdict
        public let after: Verdict
        /// True if the command lets people in.
        public let isDoor: Bool

        public enum Change: Hashable, Sendable {
            case same
            /// It was allowed, and would be refused.
            case refused
            /// It was refused, and would be allowed.
            case allowed
            /// It would need an approval, and needed none.
            case approvalAdded
            /// It would need no approval any more.
            case approvalRemoved
            /// It would be refused again, for another reason.
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

        /// True if the known rules give the decision that was recorded; nil if the two cannot be compared.
        public var isReproduced: Bool? { before.contradictsRecord ? false : before.matches(attempt.recordedDecision) }
    }

    /// All attempts under both sets of rules, the oldest first.
    public struct Comparison: Hashable, Sendable {
        public let rows: [AttemptComparison]

        /// Attempts for which the known rules do not give the recorded decision, because other rules were in force. How the other rules
        /// would have decided these is unknown.
        public var contradictions: [AttemptComparison] { rows.filter { $0.isReproduced == false } }

        /// Attempts that opened a door and would be refused.
        public var doorsShut: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .refused && $0.attempt.refusal == nil && $0.attempt.status == .confirmed }
        }

        /// Attempts that did not open a door and would be allowed.
        public var doorsOpened: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .allowed && !$0.attempt.failedOutsideGate }
        }

        /// Attempts on doors that would need an approval first.
        public var doorsAsked: [AttemptComparison] {
            rows.filter { $0.isDoor && $0.change == .approvalAdded && !$0.attempt.failedOutsideGate }
        }

        /// Attempts whose decision depends on a fact that was not recorded.
        public var unknown: [AttemptComparison] {
            rows.filter { if case .unknown = $0.change { true } else { false } }
        }

        /// All attempts whose decision would be different.
        public var changed: [AttemptComparison] { rows.filter { $0.change != .same } }
    }
}

extension AccessReplay.Verdict {
    /// True if the record shows that the known rules were not the ones in force.
    var contradictsRecord: Bool {
        if case .unknown(let gaps) = self { gaps.contains(.rules) } else { false }
    }

    /// Returns whether this is the recorded decision; nil if the two cannot be compared.
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
