/// The open state of an entity of a door or a window.
extension Entity {
    /// True if a person can come in there now: unlocked, open or opening. Nil for an entity that is not about a door, and while its state
    /// is unknown.
    public var isOpen: Bool? {
        switch (kind, state.value) {
        case (.lock, "unlocked"), (.lock, "unlocking"), (.lock, "open"), (.lock, "opening"): true
        case (.lock, "locked"), (.lock, "locking"): false
        case (.cover, "open"), (.cover, "opening"), (.cover, "stopped"): isWayIn ? true : nil
        case (.cover, "closed"), (.cover, "closing"): isWayIn ? false : nil
        case (.binarySensor, "on"): isOpeningContact ? true : nil
        case (.binarySensor, "off"): isOpeningContact ? false : nil
        default: nil
        }
    }

    /// A contact at a door or a window.
    public var isOpeningContact: Bool {
        kind == .binarySensor && category == nil && ["door", "garage_door", "opening", "window"].contains(deviceClass)
    }
}
