import CardeaModel

/// A replaced device, and the new IDs for references to it.
struct ReferenceMapping: Sendable {
    /// The device that is removed, or loses an entity.
    let from: String
    let to: String
    /// New IDs of entities of `to`, by former ones.
    let entities: [String: String]
    /// True if the whole device moves; false if only `entities` do.
    let isWhole: Bool
    /// The devices before the move. They resolve actions that name no entity.
    let before: [Device]

    /// True if `(deviceID, entityID)` is a reference that moves.
    func contains(_ deviceID: String, _ entityID: String?) -> Bool {
        isWhole && deviceID == from || entityID.map { entities[$0] != nil } ?? false
    }

    func device(_ id: String) -> String { isWhole && id == from ? to : id }
    func entity(_ id: String) -> String { entities[id] ?? id }

    /// The new device and entity of a reference.
    ///
    /// - Parameter verb: the action. An action without an entity is given the entity that was meant: the device may have others now.
    func target(_ deviceID: String, _ entityID: String?, _ verb: Verb? = nil) -> (deviceID: String, entityID: String?) {
        let named = entityID ?? verb.flatMap { impliedEntity(by: $0, on: deviceID) }
        if let named, let new = entities[named] { return (to, new) }
        guard isWhole, deviceID == from || deviceID == to else { return (deviceID, entityID) }
        return (to, named)
    }

    func action(_ action: DeviceAction) -> DeviceAction {
        let (deviceID, entityID) = target(action.deviceID, action.entityID, action.verb)
        return DeviceAction(deviceID: deviceID, entityID: entityID, verb: action.verb, value: action.value, transition: action.transition)
    }

    private func impliedEntity(by verb: Verb, on deviceID: String) -> String? {
        before.first { $0.id == deviceID }.flatMap { try? DeviceAction.target(verb, on: nil, of: $0).entity.id }
    }
}
