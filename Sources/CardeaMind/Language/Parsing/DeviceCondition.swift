import CardeaModel

/// How a thing can stand.
public enum DeviceCondition: String, Hashable, Sendable, CaseIterable {
    case on, off, open, closed, locked, unlocked, jammed
}
