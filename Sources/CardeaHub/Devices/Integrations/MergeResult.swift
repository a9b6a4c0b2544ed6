import CardeaModel

/// A merged device as its integration knows it.
public struct MergeResult: Sendable {
    /// New attributes of the device that stays; its other attributes are unchanged.
    public let attributes: [String: JSONValue]
    /// Entities that both devices have: the IDs of the device that is removed, with the IDs that stay.
    public let sameEntities: [String: String]

    public init(attributes: [String: JSONValue], sameEntities: [String: String]) {
        self.attributes = attributes
        self.sameEntities = sameEntities
    }

    /// The union of the ids of both devices' entities by their keys. A key that both have keeps the id of the device that stays.
    ///
    /// - Throws: `MergeError` if two entities of one key are of different kinds, or both devices are announced with the key.
    public static func union(
        of entities: String, in staying: MergeCandidate, _ other: MergeCandidate
    ) throws(MergeError) -> (ids: [String: JSONValue], same: [String: String]) {
        var ids = staying.members(entities)
        var same: [String: String] = [:]
        for (key, id) in other.members(entities) {
            guard let stays = ids[key]?.string, let goes = id.string else {
                ids[key] = id
                continue
            }
            guard stays != goes else { continue }
            guard stays.prefix(while: { $0 != "." }) == goes.prefix(while: { $0 != "." }) else {
                throw MergeError("\(stays) and \(goes) have the same unique id but different kinds. Remove one of the devices.")
            }
            guard !(staying.isAnnounced && other.isAnnounced) else {
                throw MergeError("Both devices are connected and have the entity \(stays) or \(goes). Remove one of them first.")
            }
            same[goes] = stays
        }
        return (ids, same)
    }
}
