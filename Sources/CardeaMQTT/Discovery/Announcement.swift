import CardeaModel

/// One announcement, read: its entities, and the parts that were left out.
struct Announcement: Sendable {
    private(set) var entities: [AnnouncedEntity] = []
    /// At most `omissionLimit`.
    private(set) var omissions: [Omission] = []
    private(set) var hasMoreOmissions = false
    /// It announces more entities than a house may have.
    private(set) var hasMoreEntities = false
    /// The name of the device, where the announcement gives one.
    var device: String?
    /// Its entities are on their way into another announcement.
    var isMigrating = false

    /// The most parts that are kept, of one announcement and of all together.
    static let omissionLimit = 2000

    /// A part of the announcement that gives no entity.
    struct Omission: Hashable, Sendable {
        /// The platform in the words of the announcement.
        let component: String
        /// A plain sentence.
        let reason: String
    }

    mutating func omit(_ component: String, _ reason: String) {
        guard omissions.count < Self.omissionLimit else { return hasMoreOmissions = true }
        omissions.append(Omission(component: String(component.prefix(64)), reason: reason))
    }

    mutating func add(_ entity: @autoclosure () -> AnnouncedEntity) {
        guard entities.count < DiscoveryRegistry.entityLimit else { return hasMoreEntities = true }
        entities.append(entity())
    }
}

/// One entity, as its device announced it.
struct AnnouncedEntity: Sendable {
    /// What stays when the name changes: the device's own unique id, or else where it was announced.
    let key: String
    /// The device's own name for it; nil where it has none.
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
    /// Seconds for which a value is good; nil where it is good until the next one.
    let expiresAfter: Double?
    let mapping: any EntityMapping
    /// Its commands, in the words of the announcement; nil for what only tells.
    let commandFields: EntityCommandTopics?
    let notice: String?
    let device: AnnouncedDevice
}

/// The device an entity belongs to.
struct AnnouncedDevice: Hashable, Sendable {
    /// The device's own identifiers and connections, in this order.
    let names: [DeviceIdentifier]
    let name: String
    /// False where the announcement gives the device no name, and it is called by its entity.
    let isNamed: Bool
    let manufacturer: String?
    let model: String?
    let suggestedArea: String?
    let softwareVersion: String?
    /// An identifier of the device through which this one is reached.
    let viaDevice: String?

    /// The most identifiers and connections that are read of one announcement.
    static let nameLimit = 16

    /// The device with what it said before and leaves out now: many say all of themselves with their first entity only.
    func completed(by before: AnnouncedDevice?) -> AnnouncedDevice {
        guard let before else { return self }
        return AnnouncedDevice(
            names: names, name: isNamed || !before.isNamed ? name : before.name, isNamed: isNamed || before.isNamed,
            manufacturer: manufacturer ?? before.manufacturer, model: model ?? before.model,
            suggestedArea: suggestedArea ?? before.suggestedArea, softwareVersion: softwareVersion ?? before.softwareVersion,
            viaDevice: viaDevice ?? before.viaDevice)
    }
}
