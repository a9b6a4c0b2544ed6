import CardeaAPI
import CardeaClient
import CardeaModel

/// Resolves the typed doors and actions to the grants of a pass.
enum GrantResolver {
    static func grants(doors: [String], actions: [String], among devices: [DeviceAnswer]) throws -> [GrantBody] {
        let names = try actions.map { name in
            guard let action = ActionName(name) else {
                throw CommandLineError.usage(
                    "\"\(name)\" is not an action for a pass. Use: door.open, door.lock, garage.open, light.on, …")
            }
            return (name: name, action: action)
        }
        return try doors.map { wanted in
            let device = try NameResolver.resolve(
                wanted, among: devices, what: "device", ids: { [$0.deviceID] + $0.entities.map(\.entityID) }, name: \.name)
            let entity = device.entities.first { $0.entityID == wanted }
            let kinds = Set((entity.map { [$0] } ?? device.entities).map(\.kind))
            let fitting = names.filter { !$0.action.kinds.isDisjoint(with: kinds) }.map(\.name)
            guard let chosen = actions.isEmpty ? defaultActions(device, kinds) : fitting, !chosen.isEmpty else {
                throw CommandLineError.usage("\(device.name) has no action for this pass. Add one with --action.")
            }
            return GrantBody(deviceID: device.deviceID, entityID: entity?.entityID, actions: chosen)
        }
    }

    /// The default actions of a guest at such a device.
    private static func defaultActions(_ device: DeviceAnswer, _ kinds: Set<EntityKind>) -> [String]? {
        if kinds.contains(.lock) { return ["door.open"] }
        if kinds.contains(.cover) { return ["garage.open", "garage.close"] }
        if kinds.contains(.button) { return ["button.press"] }
        return nil
    }
}
