/// The same automation with other ids of devices and entities in it.
extension AutomationDraft {
    public func replacingIDs(devices: (String) -> String, entities: (String) -> String) -> AutomationDraft {
        var draft = self
        draft.triggers = triggers.map { $0.replacingIDs(devices: devices, entities: entities) }
        draft.conditions = conditions.map { $0.replacingIDs(entities: entities) }
        draft.actions = actions.map { action in
            guard case .control(let control) = action else { return action }
            return .control(
                DeviceAction(
                    deviceID: devices(control.deviceID), entityID: control.entityID.map(entities), verb: control.verb, value: control.value,
                    transition: control.transition))
        }
        return draft
    }
}

extension AutomationTrigger {
    public func replacingIDs(devices: (String) -> String, entities: (String) -> String) -> AutomationTrigger {
        switch self {
        case .state(let entity, let to, let seconds): .state(entityID: entities(entity), to: to, seconds: seconds)
        case .number(let entity, let crossing): .number(entityID: entities(entity), crossing)
        case .refused(let device): .refused(deviceID: device.map(devices))
        case .offline(let device): .offline(deviceID: devices(device))
        case .presence, .time, .seen: self
        }
    }
}

extension AutomationCondition {
    public func replacingIDs(entities: (String) -> String) -> AutomationCondition {
        switch self {
        case .state(let entity, let value): .state(entityID: entities(entity), value: value)
        case .all(let parts): .all(parts.map { $0.replacingIDs(entities: entities) })
        case .any(let parts): .any(parts.map { $0.replacingIDs(entities: entities) })
        case .independent(let parts): .independent(parts.map { $0.replacingIDs(entities: entities) })
        case .not(let part): .not(part.replacingIDs(entities: entities))
        case .time, .weekdays, .home: self
        }
    }
}
