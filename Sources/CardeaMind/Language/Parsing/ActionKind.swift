import CardeaModel

/// What somebody does with a thing.
public enum ActionKind: String, Hashable, Sendable, CaseIterable {
    case open, close, lock, unlock, on, off, use, set
}
