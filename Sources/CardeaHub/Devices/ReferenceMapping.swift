import CardeaModel

/// A device in whose place another one comes, and the new ids by which what named it names it from then on.
struct ReferenceMapping: Sendable {
    /// The device that goes, or loses an entity.
    let from: String
    let to: String
    /// New ids of entities of `to`, by the former ones.
    let entities: [String: String]
    /// True where all of the device goes; false where only `entities` do.
    let isWhole: Bool
    /// The devices as they were: by them an action that names no entity is understood.
    let before: [Device]

    /// True where a name in `(deviceID, entityID)` is one of those that move.
    func contains(_ deviceID: String, _ entityID: String?) -> Bool {
        isWhole && deviceID == from || entityID.map { entities[$0] != nil } ?? false
    }

    func device(_ id: String) -> String { isWhole && id == from ? to : id }
    func entity(_ id: String) -> String { entities[id] ?? id }

    /// The device and the entity that are named from now on.
    ///
    /// - Parameter verb: what is asked of them. An action that names no entity names the one that was meant: the device may have others now.
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
