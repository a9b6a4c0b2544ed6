import CardeaModel

/// What follows from what a device is made of, and stays the same while only what its entities say changes.
public struct DeviceStaticFields: Sendable {
    let features: [String]
    let capabilities: [String: JSONValue]
    /// `capabilities`, as they are written.
    let capabilitiesText: String
    let actions: [Verb]
    /// The device's own, which its reports seldom change.
    public let attributes: [String: JSONValue]
    /// `attributes`, as they are written.
    let attributesText: String

    public init(_ device: Device) throws(CanonicalJSON.NotFiniteError) {
        features = device.features
        capabilities = DeviceCapabilities.of(device)
        capabilitiesText = try CanonicalJSON.encode(.object(capabilities))
        actions = Self.actions(of: device)
        attributes = device.attributes
        attributesText = try CanonicalJSON.encode(.object(attributes))
    }

    static func actions(of device: Device) -> [Verb] {
        let verbs = device.entities.reduce(into: Set<Verb>()) { $0.formUnion($1.verbs) }
        return Verb.allCases.filter(verbs.contains)
    }

    /// Whether both entities make the same of their device: the same can be asked of them, with the same bounds.
    public static func isSame(_ one: Entity, _ other: Entity) -> Bool {
        one.kind == other.kind && one.deviceClass == other.deviceClass && one.isEnabled == other.isEnabled && one.verbs == other.verbs
            && DeviceCapabilities.attributes.allSatisfy { one.state.attributes[$0] == other.state.attributes[$0] }
    }
}
