/// One function of a device, with a state and the verbs it understands (Seed 004, item 24).
public struct Entity: Hashable, Sendable {
    /// Home Assistant's form: `lock.front_door`.
    public let id: String
    /// What its integration knows it by, whatever people call it; nil where that is its `id`.
    public var uniqueID: String?
    public var kind: EntityKind
    public var name: String
    /// What the kind does not say: a cover's `garage`, a sensor's `temperature`.
    public var deviceClass: String?
    public var unit: String?
    /// How it is drawn where its integration says so, by a name in a collection: `mdi:garage`.
    public var icon: String?
    /// Nil for what its device is there for.
    public var category: EntityCategory?
    public var isEnabled: Bool
    /// The household's mark on a button, a switch or a valve: it may let somebody in.
    public var opensWayIn: Bool
    /// The house's memory that it is a way in.
    public var restrictions: WayInRestrictions
    /// Its commands as they are announced; only in an announcement, and nil where nothing is known of them.
    public var wiring: EntityCommandTopics?
    /// The verbs this one supports, of those its kind knows.
    public var verbs: Set<Verb>
    /// How it stands. `unknown`, with what describes it alone, while its device cannot be reached and until it has reported since.
    public var state: EntityState
    /// What it said last, while `state` is unknown; nil where it never reported.
    public var lastReport: LastReport?
    /// Its device reports no state: how it stands is at best what was last asked of it.
    public var isAssumed: Bool
    /// A plain sentence when something about this entity cannot be served, such as a template that needs more than a JSON path.
    public var notice: String?

    public init(
        id: String, uniqueID: String? = nil, kind: EntityKind, name: String, deviceClass: String? = nil, unit: String? = nil,
        icon: String? = nil, category: EntityCategory? = nil, isEnabled: Bool = true, opensWayIn: Bool = false,
        hold: WayInRestrictions = WayInRestrictions(), wiring: EntityCommandTopics? = nil, verbs: Set<Verb>,
        state: EntityState = EntityState(),
        lastReport: LastReport? = nil, isAssumed: Bool = false, notice: String? = nil
    ) {
        self.id = id
        self.uniqueID = uniqueID
        self.kind = kind
        self.name = name
        self.deviceClass = deviceClass
        self.unit = unit
        self.icon = icon
        self.category = category
        self.isEnabled = isEnabled
        self.opensWayIn = opensWayIn
        self.restrictions = hold
        self.wiring = wiring
        self.verbs = verbs
        self.state = state
        self.lastReport = lastReport
        self.isAssumed = isAssumed
        self.notice = notice
    }

    /// What a stranger says of the drawing, where that is the name of one: at most 64 characters, `collection:name`.
    public static func validIcon(_ said: String?) -> String? {
        guard let said, said.utf8.count <= 64 else { return nil }
        let parts = said.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isName =
            parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
        return isName ? said : nil
    }

    /// What `verb` means here, or nil when this entity does not do it: `open` on a lock without a latch turns the lock.
    public func resolve(_ verb: Verb) -> Verb? {
        if verb == .read { return .read }
        if verb == .open, kind == .lock, !verbs.contains(.open) { return verbs.contains(.unlock) ? .unlock : nil }
        return verbs.contains(verb) ? verb : nil
    }
}
