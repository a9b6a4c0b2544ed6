import CardeaHub
import CardeaModel

extension HomeAssistantIntegration {
    /// Merges two devices, of which Home Assistant reports at most one. The result has that one's keys.
    public static func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws(MergeError) -> MergeResult {
        guard !(staying.isAnnounced && other.isAnnounced) else {
            throw MergeError("Home Assistant has both devices. Remove one of them there first.")
        }
        let (ids, same) = try MergeResult.union(of: HomeAssistantMirror.entitiesAttribute, in: staying, other)
        var attributes: [String: JSONValue] = [HomeAssistantMirror.entitiesAttribute: .object(ids)]
        attributes[HomeAssistantMirror.keyAttribute] = (other.isAnnounced ? other : staying).attributes[HomeAssistantMirror.keyAttribute]
        return MergeResult(attributes: attributes, sameEntities: same)
    }
}
