import CardeaHub
import CardeaModel

extension HomeAssistantIntegration {
    /// One device out of two, of which Home Assistant tells of one at most. It is known by what that one is called there.
    public static func merge(_ other: MergingDevice, into staying: MergingDevice) throws(MergeRefusal) -> MergedDevice {
        guard !(staying.isAnnounced && other.isAnnounced) else {
            throw MergeRefusal("Home Assistant has both devices. Take one of them out there first.")
        }
        let (ids, same) = try MergedDevice.union(of: Household.entitiesAttribute, in: staying, other)
        var attributes: [String: JSONValue] = [Household.entitiesAttribute: .object(ids)]
        attributes[Household.keyAttribute] = (other.isAnnounced ? other : staying).attributes[Household.keyAttribute]
        return MergedDevice(attributes: attributes, sameEntities: same)
    }
}
