import CardeaModel
import Foundation

/// A device as the wire shows it.
public struct DeviceAnswer: Codable, Sendable {
    public let deviceID: String
    public let name: String
    public let deviceClass: DeviceClass
    @Nullable public private(set) var room: String?
    @Nullable public private(set) var roomID: String?
    public let integration: String
    public let connectionMethod: ConnectionMethod
    public let status: DeviceStatus
    public let isSecurityDevice: Bool
    public let isGuestAccessible: Bool
    @Nullable public private(set) var manufacturer: String?
    @Nullable public private(set) var model: String?
    @Nullable public private(set) var userDescription: String?
    @Nullable public private(set) var discoveryMethod: String?
    /// From 0 to 1: the confidence that the device exists. Nil if it rests on people's words alone.
    @Nullable public private(set) var discoveryConfidence: Double?
    @Nullable public private(set) var hubID: String?
    /// Nil if it is not known.
    @Nullable public private(set) var requiresHub: Bool?
    @Nullable public private(set) var supportedFeatures: [String]?
    /// The device's actions, each with the bounds of its value.
    @Nullable public private(set) var capabilities: [String: JSONValue]?
    /// Seed 004's summary of the entities' states.
    public let state: [String: JSONValue]
    /// The last reported state, while part of the current state is unknown; nil if all of it is known, or if the device never reported.
    @Nullable public private(set) var lastReported: LastReported?
    public let attributes: [String: JSONValue]
    /// Rises when the description changes; what `If-Match` names.
    public let version: Int
    /// Rises with every change, the state's too.
    public let revision: Int
    public let stateChangedAt: Date
    @Nullable public private(set) var lastSeen: Date?
    public let actions: [Verb]
    public let entities: [EntityAnswer]

    /// The last report of a device of which not everything is known.
    public struct LastReported: Codable, Hashable, Sendable {
        /// The known members of `current_state`, by name.
        public let members: [String: JSONValue]
        public let at: Date
    }

    enum CodingKeys: String, CodingKey {
        case name, room, integration, status, manufacturer, model, state, attributes, version, revision, actions, entities
        case capabilities
        case lastReported = "last_reported"
        case deviceID = "device_id"
        case deviceClass = "device_class"
        case roomID = "room_id"
        case connectionMethod = "connection_method"
        case isSecurityDevice = "is_security_device"
        case isGuestAccessible = "is_guest_accessible"
        case stateChangedAt = "state_changed_at"
        case lastSeen = "last_seen"
        case userDescription = "user_description"
        case discoveryMethod = "discovery_method"
        case discoveryConfidence = "discovery_confidence"
        case hubID = "hub_id"
        case requiresHub = "requires_hub"
        case supportedFeatures = "supported_features"
    }

    public init(_ device: Device, room: String?) {
        self.init(device, room: room, entities: device.entities.map { EntityAnswer($0, on: device.name) })
    }

    /// - Parameters:
    ///   - entities: the device's, as they are shown.
    ///   - make: what it is made of, if that is known already.
    public init(_ device: Device, room: String?, entities: [EntityAnswer], make: DeviceStaticFields? = nil) {
        deviceID = device.id
        name = device.name
        deviceClass = device.deviceClass
        self.room = room
        roomID = device.roomID
        integration = device.integration
        connectionMethod = device.connection
        status = device.status
        isSecurityDevice = device.isSecurityDevice
        isGuestAccessible = device.isGuestAccessible
        manufacturer = device.manufacturer
        model = device.model
        userDescription = device.description
        discoveryMethod = device.discovery
        discoveryConfidence = device.isPlanned ? nil : 1
        hubID = device.hubID
        requiresHub = device.hubID == nil ? nil : true
        supportedFeatures = make?.features ?? device.features
        capabilities = make?.capabilities ?? DeviceCapabilities.of(device)
        state = DeviceSummary.of(device)
        lastReported = device.lastReported.map { last in
            LastReported(
                members: DeviceSummary.of(last.device).merging([
                    DeviceSummary.attributes: .object(
                        DeviceSummary.customAttributes(device.attributes, last.device.entities.lazy.map { DeviceSummary.EntitySummary($0) })
                    )
                ]) { $1 }, at: last.at)
        }
        attributes = device.attributes
        version = device.version
        revision = device.revision
        stateChangedAt = device.stateChangedAt
        lastSeen = device.lastSeenAt
        self.entities = entities
        actions = make?.actions ?? DeviceStaticFields.actions(of: device)
    }

    /// `state` with `null` for unknown values, and the attributes: encoded with the device, and not stored twice.
    public var currentState: [String: JSONValue] {
        DeviceSummary.complete(state, DeviceSummary.customAttributes(isStateUnknown ? [:] : attributes, parts))
    }

    /// Its entities, as far as `custom_attributes` can hold them.
    var parts: some Collection<DeviceSummary.EntitySummary> { entities.lazy.map { DeviceSummary.EntitySummary($0) } }

    /// Its current state is unknown, and it reported one before.
    var isStateUnknown: Bool { lastReported != nil && state.isEmpty }

    public func encode(to encoder: any Encoder) throws { try jsonValue.encode(to: encoder) }
}

public struct EntityAnswer: Codable, Sendable {
    public let entityID: String
    /// The id that its integration knows it by, independent of its name; nil if that is `entity_id`, and for a pass.
    @Nullable public private(set) var uniqueID: String?
    /// The source contract's kind (Seed 004), whose values stay as they are.
    public let entityType: EntityKind
    /// An older hub says none.
    private let ownKind: EntityKind?
    public let name: String
    @Nullable public private(set) var deviceClass: String?
    /// Nil for the main entity of its device.
    @Nullable public private(set) var category: EntityCategory?
    /// True if a person can come in through it; nil from an older hub.
    public let isWayIn: Bool?
    /// The household's mark that it opens a way in; nil if no mark can be set.
    public let opensWayIn: Bool?
    /// True if the mark is proposed because of its name; nil if no mark can be set.
    public let proposesWayIn: Bool?
    /// A finding about this way in that a person should check; nil if there is none.
    public let wayInStatus: WayInStatus?
    public let state: String
    public let attributes: [String: JSONValue]
    /// The last reported state, while `state` is unknown; nil if it never reported.
    @Nullable public private(set) var lastReported: LastReported?
    /// Its device reports no state; nil from an older hub.
    public let isAssumed: Bool?
    @Nullable public private(set) var unitOfMeasurement: String?
    /// Its icon, if the integration gives one: `mdi:garage`.
    @Nullable public private(set) var icon: String?
    public let isEnabled: Bool
    public let actions: [Action]
    @Nullable public private(set) var notice: String?

    /// The last report of an entity whose current state is unknown.
    public struct LastReported: Codable, Hashable, Sendable {
        public let state: String
        public let attributes: [String: JSONValue]
        public let at: Date
    }

    public enum WayInStatus: String, Codable, Sendable {
        /// Announced with other topics or payloads than the household knows: closed to guests and to all that was set up before.
        case changed
        /// Announced on a topic of another way in: closed likewise.
        case shared
        /// A way in that its device no longer announces as one.
        case remembered
    }

    public struct Action: Codable, Sendable {
        public let action: Verb
        public let risk: Risk
    }

    enum CodingKeys: String, CodingKey {
        case name, state, attributes, actions, notice, icon
        case ownKind = "kind"
        case lastReported = "last_reported"
        case isAssumed = "is_assumed"
        case category = "entity_category"
        case isWayIn = "is_way_in"
        case opensWayIn = "opens_way_in"
        case proposesWayIn = "proposes_way_in"
        case wayInStatus = "way_in_standing"
        case entityID = "entity_id"
        case uniqueID = "unique_id"
        case entityType = "entity_type"
        case deviceClass = "device_class"
        case unitOfMeasurement = "unit_of_measurement"
        case isEnabled = "is_enabled"
    }

    /// - Parameter device: the name of its device.
    public init(_ entity: Entity, on device: String) {
        entityID = entity.id
        uniqueID = entity.uniqueID
        entityType = entity.kind.contractType
        ownKind = entity.kind
        category = entity.category
        isWayIn = entity.isWayIn
        opensWayIn = entity.canBeMarkedWayIn ? entity.opensWayIn : nil
        proposesWayIn = entity.canBeMarkedWayIn ? entity.suggestsWayIn(on: device) : nil
        wayInStatus = WayInStatus(entity)
        name = entity.name
        deviceClass = entity.deviceClass
        state = entity.state.value
        attributes = entity.state.attributes
        lastReported = entity.lastReport.map { .init(state: $0.state.value, attributes: $0.state.attributes, at: $0.at) }
        isAssumed = entity.isAssumed
        unitOfMeasurement = entity.unit
        icon = entity.icon
        isEnabled = entity.isEnabled
        actions = Verb.allCases.filter(entity.verbs.contains).map { Action(action: $0, risk: entity.risk(of: $0)) }
        notice = entity.notice
    }
}

extension EntityAnswer.WayInStatus {
    fileprivate init?(_ entity: Entity) {
        if entity.restrictions.isRewired || entity.restrictions.hasChangedCommands {
            self = .changed
        } else if entity.restrictions.shares != nil {
            self = .shared
        } else if entity.restrictions.isHeld, !entity.isDeclaredWayIn {
            self = .remembered
        } else {
            return nil
        }
    }
}

extension EntityAnswer {
    public var kind: EntityKind { ownKind ?? entityType }
}

public struct DevicesAnswer: Codable, Sendable {
    public let devices: [DeviceAnswer]
    public let total: Int
    public let filtersApplied: [String: String]

    enum CodingKeys: String, CodingKey {
        case devices, total
        case filtersApplied = "filters_applied"
    }

    public init(devices: [DeviceAnswer], filtersApplied: [String: String] = [:]) {
        self.devices = devices
        total = devices.count
        self.filtersApplied = filtersApplied
    }
}

/// `PATCH /api/v1/devices/{id}`. An omitted field stays as it is; `null` takes the description or the room away.
public struct ChangeDeviceBody: WireFormat.Body, Encodable, Sendable {
    public var name: String?
    public var description: Nullable<String>?
    public var room: Nullable<String>?
    public var isSecurityDevice: Bool?
    public var isGuestAccessible: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case description = "user_description"
        case room = "room_id"
        case isSecurityDevice = "is_security_device"
        case isGuestAccessible = "is_guest_accessible"
    }

    public init(name: String? = nil, roomID: String? = nil, isSecurityDevice: Bool? = nil, isGuestAccessible: Bool? = nil) {
        self.name = name
        room = roomID.map { Nullable(wrappedValue: $0) }
        self.isSecurityDevice = isSecurityDevice
        self.isGuestAccessible = isGuestAccessible
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func nullable(_ key: CodingKeys) throws -> Nullable<String>? {
            guard container.contains(key) else { return nil }
            return Nullable(wrappedValue: try container.decodeIfPresent(String.self, forKey: key))
        }
        name = try container.decodeIfPresent(String.self, forKey: .name)
        description = try nullable(.description)
        room = try nullable(.room)
        isSecurityDevice = try container.decodeIfPresent(Bool.self, forKey: .isSecurityDevice)
        isGuestAccessible = try container.decodeIfPresent(Bool.self, forKey: .isGuestAccessible)
    }
}

/// `PUT /api/v1/devices/{id}/control`
public struct ControlBody: WireFormat.Body, Encodable, Sendable {
    public var action: String
    public var value: JSONValue?
    /// Milliseconds over which a light fades, 0 to 600 000.
    public var transitionTime: Double?
    public var entityID: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case action, value
        case transitionTime = "transition_time"
        case entityID = "entity_id"
    }

    public init(action: String, value: JSONValue? = nil, transitionTime: Double? = nil, entityID: String? = nil) {
        self.action = action
        self.value = value
        self.transitionTime = transitionTime
        self.entityID = entityID
    }
}

extension ControlBody: WireFormat.FastDecodableBody {
    public init?(plain fields: [String: JSONValue]) {
        var action: String?
        var (value, transitionTime, entityID): (JSONValue?, Double?, String?) = (nil, nil, nil)
        for (name, field) in fields {
            switch (CodingKeys(stringValue: name), field) {
            case (.action, .string(let text)): action = text
            case (.value, .bool), (.value, .number), (.value, .string), (.value, .array), (.value, .object): value = field
            case (.transitionTime, .number(let number)): transitionTime = number
            case (.entityID, .string(let text)): entityID = text
            default: return nil
            }
        }
        guard let action else { return nil }
        self.init(action: action, value: value, transitionTime: transitionTime, entityID: entityID)
    }
}

/// A command and its progress.
public struct CommandAnswer: Codable, Sendable {
    public let commandID: String
    public let deviceID: String
    public let entityID: String
    public let action: Verb
    public let status: CommandStatus
    public let reason: String?
    public let newState: EntityStateAnswer?
    /// Milliseconds from acceptance to outcome; nil while it runs.
    public let executionTime: Int?

    public struct EntityStateAnswer: Codable, Sendable {
        public let state: String
        public let attributes: [String: JSONValue]

        public init(_ state: EntityState) {
            self.state = state.value
            attributes = state.attributes
        }
    }

    enum CodingKeys: String, CodingKey {
        case action, status, reason
        case commandID = "command_id"
        case deviceID = "device_id"
        case entityID = "entity_id"
        case newState = "new_state"
        case executionTime = "execution_time"
    }

    public init(
        commandID: String, deviceID: String, entityID: String, action: Verb, status: CommandStatus, reason: String?,
        newState: EntityState?, executionTime: Int?
    ) {
        self.commandID = commandID
        self.deviceID = deviceID
        self.entityID = entityID
        self.action = action
        self.status = status
        self.reason = reason
        self.newState = newState.map(EntityStateAnswer.init)
        self.executionTime = executionTime
    }
}
