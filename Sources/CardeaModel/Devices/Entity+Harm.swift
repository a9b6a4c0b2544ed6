/// How much harm an entity can do, and who says so.
extension Entity {
    /// How much harm `verb` can do here. A cover lets people in only where it is a way in.
    public func risk(of verb: Verb) -> Risk {
        switch (kind, verb) {
        case (_, .read): .read
        case (.lock, .unlock), (.lock, .open): .open
        case (.cover, .open), (.cover, .setPosition), (.valve, .open), (.valve, .setPosition): isWayIn ? .open : .control
        // A button does what it was wired to do, and that may be a gate. A relay at a garage turns it by going on and by going off.
        case (.button, .press), (.switch, .on), (.switch, .off): isWayIn ? .open : .control
        case (.alarm, .disarm): .open
        default: .control
        }
    }

    /// Whether somebody can come in through it. A door takes one command at a time.
    public var isWayIn: Bool {
        switch kind {
        case .lock: true
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
