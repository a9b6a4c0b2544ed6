import CardeaHub
import CardeaModel

extension MQTTIntegration {
    /// One device out of two: it has the identifiers and the entities of both, the first identifier of the one that stays in front.
    public static func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws(MergeError) -> MergeResult {
        let (ids, same) = try MergeResult.union(of: entitiesAttribute, in: staying, other)
        var identifiers: [JSONValue] = []
        for identifier in staying.identifiers + other.identifiers where !identifiers.contains(identifier) { identifiers.append(identifier) }
        var attributes: [String: JSONValue] = [entitiesAttribute: .object(ids), MergeCandidate.identifiersAttribute: .array(identifiers)]
        attributes[identifierAttribute] = identifiers.first
        return MergeResult(attributes: attributes, sameEntities: same)
    }
}

extension MergeCandidate {
    /// The device attribute that holds all identifiers of a device that has several.
    fileprivate static let identifiersAttribute = "mqtt_identifiers"

    fileprivate var identifiers: [JSONValue] {
        let first = attributes[MQTTIntegration.identifierAttribute].map { [$0] } ?? []
        guard case .array(let all)? = attributes[Self.identifiersAttribute] else { return first }
        return first + all
    }
}
