/// The dotted names of the guest family (Seed 000): `door.open`, `garage.open`, `light.set_brightness`.
/// A pass answers with the names it was given; inside the house they are a kind and a verb.
public struct ActionName: Hashable, Sendable {
    public let kinds: Set<EntityKind>
    public let verb: Verb

    /// Reads a dotted name, or nil for one the house does not speak.
    public init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let verb = Verb(named: String(parts[1])),
            let kinds = Self.kinds[String(parts[0])]
        else { return nil }
        // `door.open` is the oldest name, and has always meant unlocking.
        let spoken = parts[0] == "door" && verb == .open ? .unlock : verb
        guard kinds.contains(where: { spoken == .read || $0.verbs.contains(spoken) }) else { return nil }
        self.kinds = kinds
        self.verb = spoken
    }

    /// Returns the dotted name of `verb` on an entity of `kind` in the answers to guests.
    public static func dottedName(_ verb: Verb, on kind: EntityKind) -> String {
        // `door.open` unlocks; opening the latch has the plain name.
        if kind == .lock, verb == .open { return "lock.open" }
        return "\(family(of: kind)).\(verb.rawValue)"
    }

    private static func family(of kind: EntityKind) -> String {
        switch kind {
        case .lock: "door"
        case .cover: "garage"
        default: kind.rawValue
        }
    }

    private static let kinds: [String: Set<EntityKind>] = {
        var kinds: [String: Set<EntityKind>] = ["door": [.lock], "garage": [.cover]]
        for kind in EntityKind.allCases { kinds[kind.rawValue] = [kind] }
        return kinds
    }()
}
