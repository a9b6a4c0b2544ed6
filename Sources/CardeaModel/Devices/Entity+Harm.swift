/// How much harm an entity can do, and who says so.
extension Entity {
    /// How much harm `verb` can do here. Of a way in, only what locks, closes or stops it does none, as long as that is done as the household
    /// knows it.
    public func risk(of verb: Verb) -> Risk {
        switch verb {
        case .read: .read
        case .lock, .close, .stop, .arm: hold.isUntrusted ? .open : .control
        // It sounds a siren. Announced otherwise, it might disarm.
        case .trigger where kind == .alarm: hold.isUntrusted ? .open : .control
        default: isWayIn ? .open : .control
        }
    }

    /// Somebody can come in through it, or once it is disarmed. It takes one command at a time.
    public var isWayIn: Bool { isWayInItself || hold.isHeld }

    /// The same by what it is or by the household's mark, whatever the house remembers.
    public var isWayInItself: Bool {
        switch kind {
        case .lock, .alarm: true
        case .cover: Self.ways.contains(deviceClass ?? "")
        case .button: Self.ways.contains(deviceClass ?? "") || opensWayIn
        case .switch, .valve: opensWayIn
        default: false
        }
    }

    private static let ways: Set<String> = ["garage", "door", "gate"]

    /// Whether the household may say that it opens a way in: nothing that its device announces tells of a relay that a garage hangs on it.
    public var mayBeMarked: Bool { [.button, .switch, .valve].contains(kind) && !verbs.isEmpty }

    /// Whether the mark is proposed, since its name or its device's says so. What only sets up or reports on the device is asked by its own name.
    public func proposesWayIn(on deviceName: String) -> Bool {
        guard mayBeMarked, !isWayIn else { return false }
        let said = category == nil ? "\(name) \(deviceName)" : name
        return !Self.tellingWords.isDisjoint(with: said.lowercased().split { !$0.isLetter }.map(String.init))
    }

    private static let tellingWords: Set<String> = [
        "unlatch", "unlatching", "open", "opener", "door", "doors", "garage", "garages", "gate", "gates",
    ]
}
