/// The announcements on the broker as they came, within a bound on the whole.
struct AnnouncementStore: Sendable {
    struct Entry: Sendable {
        let payload: [UInt8]
        /// The component of its topic.
        let component: String
        let entities: [AnnouncedEntity]
        var omissions: [Announcement.Omission] = []
        /// It leaves out more than is kept.
        var isCut = false
        /// The name of the device, if the announcement gives one.
        let device: String?
        /// The reason why it cannot be read; then the entities are those of the announcement before it.
        var problem: DiscoveryParser.DiscoveryError?
        /// Its entities are those of the announcement before it, until another announcement has them.
        var isMigrating = false

        init(
            payload: [UInt8], topic: DiscoveryTopic, entities: [AnnouncedEntity], device: String?, problem: DiscoveryParser.DiscoveryError?
        ) {
            self.payload = payload
            component = topic.component
            self.entities = entities
            self.device = device
            self.problem = problem
        }

        init(_ read: Announcement, payload: [UInt8], topic: DiscoveryTopic) {
            self.init(payload: payload, topic: topic, entities: read.entities, device: read.device, problem: nil)
            omissions = read.omissions
            isCut = read.hasMoreOmissions
        }

        fileprivate var size: Int { payload.count + AnnouncementStore.overhead }
    }

    /// Bytes of all together.
    static let limit = 16 * 1024 * 1024
    /// Bytes that an announcement takes beside its text.
    private static let overhead = 512
    /// Entities of all together, those that wait for the place of another one included.
    private static let entityLimit = 2 * DiscoveryRegistry.entityLimit

    private var entriesByTopic: [String: Entry] = [:]
    private var bytes = 0
    private var entities = 0
    private var omissions = 0
    /// Announcements that gave nothing were dropped, or were not kept.
    private var hasDropped = false

    subscript(topic: String) -> Entry? { entriesByTopic[topic] }

    /// In the order of their topics.
    var all: [(topic: String, announcement: Entry)] { entriesByTopic.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Not all omissions are known.
    var isCut: Bool { hasDropped || entriesByTopic.values.contains(where: \.isCut) }

    /// Keeps an announcement in place of the one before it. One that gives entities drives out those that give none.
    ///
    /// - Returns: false if there is no room. An announcement with entities then changes nothing; another one is forgotten.
    @discardableResult
    mutating func store(_ new: Entry, at topic: String) -> Bool {
        let before = entriesByTopic[topic]
        func fits() -> Bool { bytes - (before?.size ?? 0) + new.size <= Self.limit }
        if !fits(), !new.entities.isEmpty { dropThoseWithoutEntities(except: topic) }
        guard fits(), entities - (before?.entities.count ?? 0) + new.entities.count <= Self.entityLimit else {
            if new.entities.isEmpty {
                remove(topic)
                hasDropped = true
            }
            return false
        }
        remove(topic)
        var new = new
        let room = Announcement.omissionLimit - omissions
        if new.omissions.count > room {
            new.omissions.removeLast(new.omissions.count - room)
            new.isCut = true
        }
        entriesByTopic[topic] = new
        count(new, sign: 1)
        return true
    }

    @discardableResult
    mutating func remove(_ topic: String) -> Entry? {
        guard let gone = entriesByTopic.removeValue(forKey: topic) else { return nil }
        count(gone, sign: -1)
        return gone
    }

    /// Another announcement of the entity with this key: the first by topic.
    func otherAnnouncement(of key: String, except topic: String) -> (topic: String, entity: AnnouncedEntity)? {
        var found: (topic: String, entity: AnnouncedEntity)?
        for (other, announcement) in entriesByTopic where other != topic && !announcement.isMigrating {
            if let found, found.topic < other { continue }
            if let heir = announcement.entities.first(where: { $0.key == key }) { found = (other, heir) }
        }
        return found
    }

    private mutating func dropThoseWithoutEntities(except topic: String) {
        for (other, announcement) in entriesByTopic where other != topic && announcement.entities.isEmpty {
            remove(other)
            hasDropped = true
        }
    }

    private mutating func count(_ announcement: Entry, sign: Int) {
        bytes += sign * announcement.size
        entities += sign * announcement.entities.count
        omissions += sign * announcement.omissions.count
    }
}
