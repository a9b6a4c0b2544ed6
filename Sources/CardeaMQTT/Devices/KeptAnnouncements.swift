/// The announcements on the broker as they came, within a bound on the whole.
struct KeptAnnouncements: Sendable {
    struct Kept: Sendable {
        let payload: [UInt8]
        /// The component of its topic.
        let component: String
        let entities: [AnnouncedEntity]
        var omissions: [Announcement.Omission] = []
        /// It leaves out more than is kept.
        var isCut = false
        /// The name of the device, where the announcement gives one.
        let device: String?
        /// Why it cannot be read; then the entities are those of the announcement before it.
        var problem: Discovery.Problem?
        /// Its entities are those of the announcement before it, until another announcement has them.
        var isMigrating = false

        init(payload: [UInt8], topic: DiscoveryTopic, entities: [AnnouncedEntity], device: String?, problem: Discovery.Problem?) {
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

        fileprivate var size: Int { payload.count + KeptAnnouncements.overhead }
    }

    /// Bytes of all together.
    static let limit = 16 * 1024 * 1024
    /// Bytes that an announcement takes beside its text.
    private static let overhead = 512
    /// Entities of all together, those that wait for the place of another one included.
    private static let entityLimit = 2 * Roster.entityLimit

    private var kept: [String: Kept] = [:]
    private var bytes = 0
    private var entities = 0
    private var omissions = 0
    /// Announcements that gave nothing were dropped, or were not kept.
    private var hasDropped = false

    subscript(topic: String) -> Kept? { kept[topic] }

    /// In the order of their topics.
    var all: [(topic: String, announcement: Kept)] { kept.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Not all omissions are known.
    var isCut: Bool { hasDropped || kept.values.contains(where: \.isCut) }

    /// Keeps an announcement in place of the one before it. One that gives entities drives out those that give none.
    ///
    /// - Returns: false where there is no room. An announcement with entities then changes nothing; another one is forgotten.
    @discardableResult
    mutating func keep(_ new: Kept, at topic: String) -> Bool {
        let before = kept[topic]
        func fits() -> Bool { bytes - (before?.size ?? 0) + new.size <= Self.limit }
        if !fits(), !new.entities.isEmpty { dropThoseWithoutEntities(except: topic) }
        guard fits(), entities - (before?.entities.count ?? 0) + new.entities.count <= Self.entityLimit else {
            if new.entities.isEmpty {
                forget(topic)
                hasDropped = true
            }
            return false
        }
        forget(topic)
        var new = new
        let room = Announcement.omissionLimit - omissions
        if new.omissions.count > room {
            new.omissions.removeLast(new.omissions.count - room)
            new.isCut = true
        }
        kept[topic] = new
        count(new, sign: 1)
        return true
    }

    @discardableResult
    mutating func forget(_ topic: String) -> Kept? {
        guard let gone = kept.removeValue(forKey: topic) else { return nil }
        count(gone, sign: -1)
        return gone
    }

    /// Another announcement of the entity with this key: the first by topic.
    func heir(of key: String, except topic: String) -> (topic: String, entity: AnnouncedEntity)? {
        var found: (topic: String, entity: AnnouncedEntity)?
        for (other, announcement) in kept where other != topic && !announcement.isMigrating {
            if let found, found.topic < other { continue }
            if let heir = announcement.entities.first(where: { $0.key == key }) { found = (other, heir) }
        }
        return found
    }

    private mutating func dropThoseWithoutEntities(except topic: String) {
        for (other, announcement) in kept where other != topic && announcement.entities.isEmpty {
            forget(other)
            hasDropped = true
        }
    }

    private mutating func count(_ announcement: Kept, sign: Int) {
        bytes += sign * announcement.size
        entities += sign * announcement.entities.count
        omissions += sign * announcement.omissions.count
    }
}
