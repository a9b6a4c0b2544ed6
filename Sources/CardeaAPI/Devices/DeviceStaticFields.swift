import CardeaModel

/// Fields that follow from a device's entities. They stay the same while only the reported states change.
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

    /// Returns whether both entities give their device the same static fields: the same actions, with the same bounds.
    public static func isSame(_ one: Entity, _ other: Entity) -> Bool {
        one.kind == other.kind && one.deviceClass == other.deviceClass && one.isEnabled == other.isEnabled && one.verbs == other.verbs
            && DeviceCapabilities.attributes.allSatisfy { one.state.attributes[$0] == other.state.attributes[$0] }
    }
}
