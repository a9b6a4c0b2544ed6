import CardeaModel

/// One entity, as its device announced it.
struct AnnouncedEntity: Sendable {
    /// The key that stays when the name changes: the device's own unique id, or else the topic of its announcement.
    let key: String
    /// The device's own name for it; nil if it has none.
    let uniqueID: String?
    let kind: EntityKind
    /// The platform in the words of the announcement: `lock`, `camera`.
    let component: String
    /// Nil when the device's name says it all.
    let name: String?
    let deviceClass: String?
    let unit: String?
    let icon: String?
    let category: EntityCategory?
    let isEnabled: Bool
    let availability: Availability
    /// Seconds for which a value is good; nil if it is good until the next one.
    let expiresAfter: Double?
    let mapping: any EntityMapping
    /// Its commands, in the words of the announcement; nil if it only reports.
    let commandFields: EntityCommandTopics?
    let notice: String?
    let device: AnnouncedDevice
}
