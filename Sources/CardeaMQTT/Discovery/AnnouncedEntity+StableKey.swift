import CardeaModel

extension AnnouncedEntity {
    /// The part of a Zigbee2MQTT entity's unique id that stays when its base topic, on which it ends, changes: `lock#0x00158d01_lock` of
    /// `0x00158d01_lock_zigbee2mqtt`. Nil for other entities.
    var stableKey: String? {
        guard let uniqueID, uniqueID.hasPrefix("0x") else { return nil }
        for source in availability.sources where source.stateTopic.topic.hasSuffix(Self.bridgeTopic) {
            let ending = "_\(source.stateTopic.topic.dropLast(Self.bridgeTopic.count))"
            if uniqueID.hasSuffix(ending) { return "\(kind.rawValue)#\(uniqueID.dropLast(ending.count))" }
        }
        return nil
    }

    /// The end of Zigbee2MQTT's own status topic, after the base topic.
    private static let bridgeTopic = "/bridge/state"
}
