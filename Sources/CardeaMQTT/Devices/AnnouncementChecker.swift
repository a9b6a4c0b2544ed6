import CardeaHub
import CardeaModel
import Foundation

/// Parses one announcement as the house would, without a broker.
public enum AnnouncementChecker {
    /// The entities that an announcement would give in an empty house, and the parts that would be left out.
    ///
    /// - Parameter topic: where it would be announced. It may be omitted if the announcement is of a whole device.
    /// - Throws: `IntegrationSettingsError` where the topic is none of an announcement, or is missing.
    public static func check(_ announcement: String, at topic: String?) throws -> AnnouncementCheck {
        let payload = Array(announcement.utf8)
        guard !payload.isEmpty else {
            throw IntegrationSettingsError(field: "announcement", message: "must not be empty: an empty announcement removes the device")
        }
        var roster = DiscoveryRegistry()
        roster.apply(payload, at: try place(of: payload, named: topic))
        let devices = roster.collectChanges(at: Date(timeIntervalSince1970: 0)).announced
        let entities = devices.flatMap { device in
            device.entities.map { entity in
                let wiring = roster[entity.id]?.entity.mapping
                return AnnouncementCheck.CheckedEntity(
                    entity: entity, device: device.name, reads: roster.topics(of: entity.id),
                    writes: wiring?.commandTopics.sorted() ?? [])
            }
        }
        return AnnouncementCheck(entities: entities, omissions: roster.report.omissions)
    }

    private static func place(of payload: [UInt8], named topic: String?) throws -> DiscoveryTopic {
        guard let topic else {
            let json = JSONValue.read(payload)
            guard json?["components"] != nil || json?["cmps"] != nil, let place = DiscoveryTopic(bundle, prefix: "homeassistant") else {
                throw IntegrationSettingsError(
                    field: "topic", message: "is required, unless the announcement is of a whole device (with components)")
            }
            return place
        }
        let places = prefixes(of: topic).compactMap { DiscoveryTopic(topic, prefix: $0) }
        guard let place = places.first(where: { DiscoveryParser.supports($0.component) }) ?? places.first else {
            throw IntegrationSettingsError(
                field: "topic", message: "must be a discovery topic such as homeassistant/lock/front_door/config")
        }
        return place
    }

    private static let bundle = "homeassistant/device/announcement/config"

    /// Everything before a slash. The prefix may hold slashes itself, and a topic does not say where it ends.
    private static func prefixes(of topic: String) -> [String] {
        topic.indices.filter { topic[$0] == "/" }.map { String(topic[..<$0]) }
    }
}
