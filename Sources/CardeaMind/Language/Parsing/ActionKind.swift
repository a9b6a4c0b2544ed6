import CardeaModel

/// An action on a device.
public enum ActionKind: String, Hashable, Sendable, CaseIterable {
    case open, close, lock, unlock, on, off, use, set
}
