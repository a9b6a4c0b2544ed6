/// One function of a device, with a state and the verbs it understands (Seed 004, item 24).
public struct Entity: Hashable, Sendable {
    /// Home Assistant's form: `lock.front_door`.
    public let id: String
    /// The integration's own id for it, which stays the same when it is renamed; nil if that is its `id`.
    public var uniqueID: String?
    public var kind: EntityKind
    public var name: String
    /// A refinement of the kind: a cover's `garage`, a sensor's `temperature`.
    public var deviceClass: String?
    public var unit: String?
    /// The icon's name in a collection, `mdi:garage`; nil if the integration names none.
    public var icon: String?
    /// Nil for an entity that is its device's main purpose.
    public var category: EntityCategory?
    public var isEnabled: Bool
    /// The household's mark on a button, a switch or a valve: it may open a way in.
    public var opensWayIn: Bool
    /// The protection of a known way in, whatever its announcement says.
    public var restrictions: WayInRestrictions
    /// The command topics as they are announced; only in an announcement, and nil if they are unknown.
    public var wiring: EntityCommandTopics?
    /// The verbs this one supports, of those its kind knows.
    public var verbs: Set<Verb>
    /// The present state. `unknown`, with descriptive attributes alone, while its device cannot be reached and until it has reported since.
    public var state: EntityState
    /// The last reported state, while `state` is unknown; nil if it never reported.
    public var lastReport: LastReport?
    /// True if its device reports no state: `state` is then at best what was last requested.
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

    /// Returns an icon name from an untrusted source if it is valid: at most 64 characters, `collection:name`; otherwise nil.
    public static func validIcon(_ icon: String?) -> String? {
        guard let icon, icon.utf8.count <= 64 else { return nil }
        let parts = icon.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isName =
            parts.count == 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    }
            }
        return isName ? icon : nil
    }

    /// Returns the verb that `verb` means here, or nil when the entity does not support it: `open` on a lock without a latch turns the
    /// lock.
    public func resolve(_ verb: Verb) -> Verb? {
        if verb == .read { return .read }
        if verb == .open, kind == .lock, !verbs.contains(.open) { return verbs.contains(.unlock) ? .unlock : nil }
        return verbs.contains(verb) ? verb : nil
    }
}
