import CardeaModel

/// One announcement, read: its entities, and the parts that were left out.
struct Announcement: Sendable {
    private(set) var entities: [AnnouncedEntity] = []
    /// At most `omissionLimit`.
    private(set) var omissions: [Omission] = []
    private(set) var hasMoreOmissions = false
    /// It announces more entities than a house may have.
    private(set) var hasMoreEntities = false
    /// The name of the device, if the announcement gives one.
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
