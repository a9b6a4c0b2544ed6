import Foundation

/// One thing done with one device.
public struct DeviceAction: Hashable, Sendable {
    public let deviceID: String
    /// The entity of the device, if several fit.
    public let entityID: String?
    public let verb: Verb
    public let value: JSONValue?
    /// Seconds over which a light fades.
    public let transition: Double?

    public init(deviceID: String, entityID: String? = nil, verb: Verb, value: JSONValue? = nil, transition: Double? = nil) {
        self.deviceID = deviceID
        self.entityID = entityID
        self.verb = verb
        self.value = value
        self.transition = transition
    }

    /// The reason why an action cannot be done with a device, for any principal.
    public enum ActionError: Error, Hashable, Codable, Sendable {
        case noSuchEntity
        case unsupported(Verb)
        /// Several entities fit; one must be named.
        case ambiguous([String])
        case value(Verb)
        /// A white beyond those that the light shines in, which are these, in kelvin.
        case white(ClosedRange<Double>)
    }

    /// The matching entity of `device`, the verb's meaning there, and the value in the house's format.
    public static func target(
        _ verb: Verb, on entityID: String?, of device: Device
    ) throws(ActionError) -> (entity: Entity, verb: Verb) {
        if let entityID {
            guard let entity = device.entities.first(where: { $0.id == entityID }) else { throw .noSuchEntity }
            guard let resolved = entity.resolve(verb) else { throw .unsupported(verb) }
            return (entity, resolved)
        }
        let fitting = device.entities.filter { $0.isEnabled && $0.resolve(verb) != nil }
        guard let entity = candidate(of: fitting, device) ?? (verb == .read ? fitting.first : nil), let resolved = entity.resolve(verb)
        else {
            throw fitting.isEmpty ? .unsupported(verb) : .ambiguous(fitting.map(\.id))
        }
        return (entity, resolved)
    }

    /// The only one, the only one of the device's main kind, or the one with the device's name.
    private static func candidate(of fitting: [Entity], _ device: Device) -> Entity? {
        if fitting.count == 1 { return fitting.first }
        // A way in must be named if another entity would match as well: a door must not be opened by a guess.
        guard !fitting.contains(where: \.isWayIn) else { return nil }
        let main = fitting.filter { $0.category == nil }
        if main.count == 1 { return main.first }
        let named = (main.isEmpty ? fitting : main).filter { $0.name == device.name }
        return named.count == 1 ? named.first : nil
    }

    /// The entity this means on `device`, or why it cannot be done there.
    ///
    /// - Parameter isExisting: that it was decided before.
    @discardableResult
    public func check(on device: Device, isExisting: Bool = false) throws(ActionError) -> (entity: Entity, verb: Verb) {
        let (entity, resolved) = try Self.target(verb, on: entityID, of: device)
        _ = try entity.normalized(value, for: resolved, isExisting: isExisting)
        return (entity, resolved)
    }
}

extension DeviceAction {
    func hasSameTarget(as other: DeviceAction) -> Bool {
        deviceID == other.deviceID && entityID == other.entityID && verb == other.verb
    }
}
