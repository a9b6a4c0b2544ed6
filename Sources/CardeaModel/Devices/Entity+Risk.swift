/// The risk of an entity's verbs, and the marks that decide it.
extension Entity {
    /// Returns the risk of `verb` here. Of a way in, only locking, closing and stopping have none, as long as their commands are those that
    /// the household knows.
    public func risk(of verb: Verb) -> Risk {
        switch verb {
        case .read: .read
        case .lock, .close, .stop, .arm: restrictions.isUntrusted ? .open : .control
        // A trigger sounds a siren. A changed announcement might disarm instead.
        case .trigger where kind == .alarm: restrictions.isUntrusted ? .open : .control
        default: isWayIn ? .open : .control
        }
    }

    /// True if a person can come in through it, or once it is disarmed. It accepts one command at a time.
    public var isWayIn: Bool { isDeclaredWayIn || restrictions.isHeld }

    /// True if its kind, its class or the household's mark makes it a way in; the house's memory is not asked.
    public var isDeclaredWayIn: Bool {
        switch kind {
        case .lock, .alarm: true
        case .cover: Self.wayInClasses.contains(deviceClass ?? "")
        case .button: Self.wayInClasses.contains(deviceClass ?? "") || opensWayIn
        case .switch, .valve: opensWayIn
        default: false
        }
    }

    private static let wayInClasses: Set<String> = ["garage", "door", "gate"]

    /// True if the household may mark it as a way in. An announcement cannot tell that a relay drives a garage door.
    public var canBeMarkedWayIn: Bool { [.button, .switch, .valve].contains(kind) && !verbs.isEmpty }

    /// Returns whether the mark is proposed, because the entity's name or its device's suggests a way in. For an entity that only
    /// configures or reports on its device, only its own name counts.
    public func suggestsWayIn(on deviceName: String) -> Bool {
        guard canBeMarkedWayIn, !isWayIn else { return false }
        let text = category == nil ? "\(name) \(deviceName)" : name
        return !Self.wayInWords.isDisjoint(with: text.lowercased().split { !$0.isLetter }.map(String.init))
    }

    private static let wayInWords: Set<String> = [
        "unlatch", "unlatching", "open", "opener", "door", "doors", "garage", "garages", "gate", "gates",
    ]
}
