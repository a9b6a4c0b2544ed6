import CardeaModel

/// A state that a device can be asked about.
public enum DeviceCondition: String, Hashable, Sendable, CaseIterable {
    case on, off, open, closed, locked, unlocked, jammed
}
