/// How much harm an entity can do, and who says so.
extension Entity {
    /// How much harm `verb` can do here. Of a way in, only what locks, closes or stops it does none, as long as that is done as the household
    /// knows it.
    public func risk(of verb: Verb) -> Risk {
        switch verb {
        case .read: .read
        case .lock, .close, .stop, .arm: restrictions.isUntrusted ? .open : .control
        // It sounds a siren. Announced otherwise, it might disarm.
        case .trigger where kind == .alarm: restrictions.isUntrusted ? .open : .control
        default: isWayIn ? .open : .control
        }
    }

    /// Somebody can come in through it, or once it is disarmed. It takes one command at a time.
    public var isWayIn: Bool { isDeclaredWayIn || restrictions.isHeld }

    /// The same by what it is or by the household's mark, whatever the house remembers.
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

    /// Whether the household may say that it opens a way in: nothing that its device announces tells of a relay that a garage hangs on it.
    public var canBeMarkedWayIn: Bool { [.button, .switch, .valve].contains(kind) && !verbs.isEmpty }

    /// Whether the mark is proposed, since its name or its device's says so. What only sets up or reports on the device is asked by its own name.
    public func suggestsWayIn(on deviceName: String) -> Bool {
        guard canBeMarkedWayIn, !isWayIn else { return false }
        let said = category == nil ? "\(name) \(deviceName)" : name
        return !Self.wayInWords.isDisjoint(with: said.lowercased().split { !$0.isLetter }.map(String.init))
    }

    private static let wayInWords: Set<String> = [
        "unlatch", "unlatching", "open", "opener", "door", "doors", "garage", "garages", "gate", "gates",
    ]
}
