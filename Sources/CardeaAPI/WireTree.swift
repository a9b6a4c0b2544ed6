import CardeaModel

/// An answer that is written with every change of the house: as a tree of JSON it goes without an encoder's detours, which would take
/// several times as long. It says what its `encode(to:)` says.
public protocol WireTree: Encodable {
    var json: JSONValue { get }
}

extension JSONValue: WireTree {
    public var json: JSONValue { self }

    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }
}

extension DeviceAnswer: WireTree {
    public var json: JSONValue {
        .object([
            "actions": .array(actions.map { .string($0.rawValue) }),
            "attributes": .object(attributes),
            "connection_method": .string(connectionMethod.rawValue),
            "current_state": .object(currentState),
            "device_class": .string(deviceClass.rawValue),
            "device_id": .string(deviceID),
            "discovery_method": JSONValue(discoveryMethod),
            "entities": .array(entities.map(\.json)),
            "hub_id": JSONValue(hubID),
            "integration": .string(integration),
            "is_guest_accessible": .bool(isGuestAccessible),
            "is_security_device": .bool(isSecurityDevice),
            "last_seen": JSONValue(lastSeen.map(Timestamp.text)),
            "manufacturer": JSONValue(manufacturer),
            "model": JSONValue(model),
            "name": .string(name),
            "requires_hub": requiresHub.map(JSONValue.bool) ?? .null,
            "revision": .number(Double(revision)),
            "room": JSONValue(room),
            "room_id": JSONValue(roomID),
            "state": .object(state),
            "state_changed_at": .string(Timestamp.text(stateChangedAt)),
            "status": .string(status.rawValue),
            "supported_features": supportedFeatures.map { .array($0.map(JSONValue.string)) } ?? .null,
            "user_description": JSONValue(userDescription),
            "version": .number(Double(version)),
        ])
    }
}

extension EntityAnswer: WireTree {
    public var json: JSONValue {
        .object([
            "actions": .array(
                actions.map { .object(["action": .string($0.action.rawValue), "risk": .string($0.risk.rawValue)]) }),
            "attributes": .object(attributes),
            "device_class": JSONValue(deviceClass),
            "entity_id": .string(entityID),
            "entity_type": .string(entityType.rawValue),
            "is_enabled": .bool(isEnabled),
            "name": .string(name),
            "notice": JSONValue(notice),
            "state": .string(state),
            "unit_of_measurement": JSONValue(unitOfMeasurement),
        ])
    }
}

extension CommandAnswer: WireTree {
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "action": .string(action.rawValue),
            "command_id": .string(commandID),
            "device_id": .string(deviceID),
            "entity_id": .string(entityID),
            "status": .string(status.rawValue),
        ]
        members["reason"] = reason.map(JSONValue.string)
        members["new_state"] = newState.map { .object(["state": .string($0.state), "attributes": .object($0.attributes)]) }
        members["execution_time"] = executionTime.map { .number(Double($0)) }
        return .object(members)
    }
}

extension SaidData: WireTree {
    public var json: JSONValue {
        .object(["entity_id": .string(entityID), "state": .string(state), "attributes": .object(attributes)])
    }
}
