import CardeaHub
import CardeaModel

extension MQTTIntegration {
    /// One device out of two: it has the identifiers and the entities of both, the first identifier of the one that stays in front.
    public static func merge(_ other: MergingDevice, into staying: MergingDevice) throws(MergeRefusal) -> MergedDevice {
        let (ids, same) = try MergedDevice.union(of: entitiesAttribute, in: staying, other)
        var identifiers: [JSONValue] = []
        for identifier in staying.identifiers + other.identifiers where !identifiers.contains(identifier) { identifiers.append(identifier) }
        var attributes: [String: JSONValue] = [entitiesAttribute: .object(ids), MergingDevice.identifiersAttribute: .array(identifiers)]
        attributes[identifierAttribute] = identifiers.first
        return MergedDevice(attributes: attributes, sameEntities: same)
    }
}

extension MergingDevice {
    /// The device attribute that holds all identifiers of a device that has several.
    fileprivate static let identifiersAttribute = "mqtt_identifiers"

    fileprivate var identifiers: [JSONValue] {
        let first = attributes[MQTTIntegration.identifierAttribute].map { [$0] } ?? []
        guard case .array(let all)? = attributes[Self.identifiersAttribute] else { return first }
        return first + all
    }
}
