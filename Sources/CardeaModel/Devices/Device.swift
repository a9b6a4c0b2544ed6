import Foundation

/// A thing in the house (Seed 004, item 23): a lock, a lamp, a thermostat, with one or more entities.
public struct Device: Hashable, Sendable {
    public let id: String
    public var name: String
    public var deviceClass: DeviceClass
    public var roomID: String?
    public var integration: String
    public var connection: ConnectionMethod
    public var manufacturer: String?
    public var model: String?
    public var status: DeviceStatus
    /// A member may not open such a device. A flag a person sets, not the device class.
    public var isSecurityDevice: Bool
    /// A pass opens only devices that are still flagged so.
    public var isGuestAccessible: Bool
    public var attributes: [String: JSONValue]
    /// Rises when its description changes: what people edit, and what its integration says it is. By it an edit is told from a late
    /// one, so what the device says of its state leaves it alone.
    public var version: Int
    /// Rises with every change the house sees, its state's too. Both are assigned by the hub.
    public var revision: Int
    public var stateChangedAt: Date
    public var lastSeenAt: Date?
    /// What people say about it, beyond its name.
    public var description: String?
    /// How its integration came by it: `mqtt_discovery`.
    public var discovery: String?
    /// The device of ours through which it is reached.
    public var hubID: String?
    public var entities: [Entity]

    public init(
        id: String, name: String, deviceClass: DeviceClass, roomID: String? = nil, integration: String,
        connection: ConnectionMethod = .local, manufacturer: String? = nil, model: String? = nil, status: DeviceStatus = .unknown,
        isSecurityDevice: Bool = false, isGuestAccessible: Bool = true, attributes: [String: JSONValue] = [:],
        version: Int = 0, revision: Int = 0, stateChangedAt: Date, lastSeenAt: Date? = nil, description: String? = nil,
        discovery: String? = nil,
        hubID: String? = nil, entities: [Entity]
    ) {
        self.id = id
        self.name = name
        self.deviceClass = deviceClass
        self.roomID = roomID
        self.integration = integration
        self.connection = connection
        self.manufacturer = manufacturer
        self.model = model
        self.status = status
        self.isSecurityDevice = isSecurityDevice
        self.isGuestAccessible = isGuestAccessible
        self.attributes = attributes
        self.version = version
        self.revision = revision
        self.stateChangedAt = stateChangedAt
        self.lastSeenAt = lastSeenAt
        self.description = description
        self.discovery = discovery
        self.hubID = hubID
        self.entities = entities
    }
}

extension Device {
    /// The integration of what people say is there, and what nothing is connected to yet.
    public static let planned = "planned"

    /// Whether nothing is connected to it yet: nobody can move it, and nothing is known of how it stands.
    public var isPlanned: Bool { integration == Self.planned }

    /// Whether Home Assistant has it anyway: it is mirrored from there, or announces itself on the same broker.
    public var isKnownToHomeAssistant: Bool { ["home-assistant", "mqtt"].contains(integration) }
}

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
    public var isEnabled: Bool
    /// The verbs this one supports, of those its kind knows.
    public var verbs: Set<Verb>
    public var state: EntityState
    /// A plain sentence when something about this entity cannot be served, such as a template that needs more than a JSON path.
    public var notice: String?

    public init(
        id: String, uniqueID: String? = nil, kind: EntityKind, name: String, deviceClass: String? = nil, unit: String? = nil,
        icon: String? = nil, isEnabled: Bool = true, verbs: Set<Verb>, state: EntityState = EntityState(), notice: String? = nil
    ) {
        self.id = id
        self.uniqueID = uniqueID
        self.kind = kind
        self.name = name
        self.deviceClass = deviceClass
        self.unit = unit
        self.icon = icon
        self.isEnabled = isEnabled
        self.verbs = verbs
        self.state = state
        self.notice = notice
    }

    /// What a stranger says of the drawing, where that is the name of one: at most 64 characters, `collection:name`.
    public static func icon(_ said: String?) -> String? {
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

    /// How much harm `verb` can do here. A cover lets people in only where it is a way in.
    public func risk(of verb: Verb) -> Risk {
        switch (kind, verb) {
        case (_, .read): .read
        case (.lock, .unlock), (.lock, .open): .open
        case (.cover, .open), (.cover, .setPosition): isWayIn ? .open : .control
        // A button does what it was wired to do, and that may be a gate.
        case (.button, .press): isWayIn ? .open : .control
        default: .control
        }
    }

    /// Whether somebody can come in through it. A door takes one command at a time.
    public var isWayIn: Bool {
        switch kind {
        case .lock: true
        case .cover, .button: ["garage", "door", "gate"].contains(deviceClass)
        default: false
        }
    }

    /// What `verb` means here, or nil when this entity does not do it: `open` on a lock without a latch turns the lock.
    public func resolve(_ verb: Verb) -> Verb? {
        if verb == .read { return .read }
        if verb == .open, kind == .lock, !verbs.contains(.open) { return verbs.contains(.unlock) ? .unlock : nil }
        return verbs.contains(verb) ? verb : nil
    }
}

/// What an entity last said of itself.
public struct EntityState: Hashable, Sendable {
    /// The word or number: `locked`, `on`, `21.4`; `unknown` before the first report.
    public var value: String
    /// The rest: `brightness`, `position`, `target_temperature`.
    public var attributes: [String: JSONValue]

    /// The house's own words for how things stand, and for whether somebody is home. What a sensor says may be any other.
    public static let words: Set<String> = Verb.modes.union([
        "unknown", "unavailable", "locked", "unlocked", "locking", "unlocking", "jammed", "open", "closed", "opening", "closing", "stopped",
        "on", "off", "pressed", "playing", "paused", "idle", "buffering", "standby", "heating", "cooling", "drying", "home", "away",
        "not_home",
    ])

    /// The attribute in which a thermostat says what it can be set to.
    public static let modes = "hvac_modes"
    /// The attribute in which a light says how its colour can be set: `hs`, `color_temp`.
    public static let colorModes = "supported_color_modes"
    /// The attribute in which a player that is off says that it waits, and the word for it (Seed 004, item 25).
    public static let standby = "standby"

    /// Whether it is off and waits to be used: for all that is asked of it and thought about it, that is off.
    public var isStandby: Bool { value == "off" && attributes[Self.standby] == true }

    public init(_ value: String = "unknown", attributes: [String: JSONValue] = [:]) {
        self.value = value
        self.attributes = attributes
    }
}
