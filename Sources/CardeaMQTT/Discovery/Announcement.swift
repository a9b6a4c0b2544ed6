import CardeaModel

/// One entity, as its device announced it.
struct AnnouncedEntity: Sendable {
    /// What stays when the name changes: the device's own unique id, or else where it was announced.
    let key: String
    /// The device's own name for it; nil where it has none.
    let uniqueID: String?
    let kind: EntityKind
    /// Nil when the device's name says it all.
    let name: String?
    let deviceClass: String?
    let unit: String?
    let icon: String?
    let isEnabled: Bool
    let availability: Availability
    /// Seconds for which a value is good; nil where it is good until the next one.
    let expiresAfter: Double?
    let wiring: any Wiring
    let notice: String?
    let device: AnnouncedDevice
}

/// The device an entity belongs to.
struct AnnouncedDevice: Hashable, Sendable {
    /// The device's own identifiers, the first of which names it for good.
    let identifiers: [String]
    let name: String
    let manufacturer: String?
    let model: String?
    let suggestedArea: String?
    let softwareVersion: String?
    /// An identifier of the device through which this one is reached.
    let viaDevice: String?
}
