import CardeaModel

extension Replay {
    /// One attempt under both rules.
    public struct Row: Hashable, Sendable {
        public let attempt: Attempt
        public let before: Verdict
        public let after: Verdict
        /// Whether it lets somebody in.
        public let isDoor: Bool

        public enum Turn: Hashable, Sendable {
            case same
            /// It was let through, and would not have been.
            case refused
            /// It was refused, and would have been let through.
            case allowed
            /// Somebody in the house would have had to say yes.
            case asked
            /// Nobody would have had to.
            case unasked
            /// No as before, for another reason.
            case otherReason
            case unknown(Set<Gap>)
        }

        public var turn: Turn {
            switch (before, after) {
            case (.unknown(let gaps), .unknown(let others)): .unknown(gaps.union(others))
            case (.unknown(let gaps), _), (_, .unknown(let gaps)): .unknown(gaps)
            case (.deny(let one), .deny(let other)): one.name == other.name ? .same : .otherReason
            case (.deny, .allow): .allowed
            case (.allow, .deny), (.ask, .deny): .refused
            case (.deny, .ask), (.allow, .ask): .asked
            case (.ask, .allow): .unasked
            case (.allow, .allow), (.ask, .ask): .same
            }
        }

        /// Whether the rules as they were say what was written down; nil where that cannot be compared.
        public var isReproduced: Bool? { before.isUnfounded ? false : before.says(attempt.recorded) }
    }

    /// All attempts under both rules, the oldest first.
    public struct Comparison: Hashable, Sendable {
        public let rows: [Row]

        /// What the rules as they were do not say as it was written down: rules that are not those that held. It is unknown how these had gone.
        public var contradictions: [Row] { rows.filter { $0.isReproduced == false } }

        /// Doors that opened, and would not have.
        public var doorsShut: [Row] {
            rows.filter { $0.isDoor && $0.turn == .refused && $0.attempt.refusal == nil && $0.attempt.status == .confirmed }
        }

        /// Doors that did not open, and would have been told to.
        public var doorsOpened: [Row] {
            rows.filter { $0.isDoor && $0.turn == .allowed && !$0.attempt.wasStoppedElsewhere }
        }

        /// Doors of which somebody would have been asked first.
        public var doorsAsked: [Row] { rows.filter { $0.isDoor && $0.turn == .asked && !$0.attempt.wasStoppedElsewhere } }

        /// What hangs on something that nobody wrote down.
        public var unknown: [Row] {
            rows.filter { if case .unknown = $0.turn { true } else { false } }
        }

        /// Everything that would have gone another way.
        public var turned: [Row] { rows.filter { $0.turn != .same } }
    }
}

extension Replay.Verdict {
    /// Whether it was found that the rules are not those that held.
    var isUnfounded: Bool {
        if case .unknown(let gaps) = self { gaps.contains(.rules) } else { false }
    }

    /// Whether it is what was written down; nil where that cannot be compared.
    func says(_ recorded: Replay.Attempt.Recorded) -> Bool? {
        switch (self, recorded) {
        case (.unknown, _), (_, .elsewhere): nil
        case (_, .letThrough): isLetThrough
        case (.deny(let refusal), .denied(let name)): refusal.name == name
        case (_, .denied): false
        }
    }

    /// "Let through", "refused (outside_schedule)".
    public func words(in lexicon: Lexicon) -> String {
        switch self {
        case .allow: lexicon.tell(.letThrough)
        case .ask: lexicon.tell(.askedFirst)
        case .deny(let refusal): lexicon.tell(.refusedFor, [.name: refusal.name])
        case .unknown(let gaps):
            lexicon.tell(.notKnown, [.list: gaps.map { lexicon.tell($0.thought) }.sorted().joined(separator: ", ")])
        }
    }
}
