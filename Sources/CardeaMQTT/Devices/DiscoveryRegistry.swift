import CardeaHub
import CardeaModel
import Foundation

/// The entities that are announced on the broker, and their last states. A value: messages in, changes out.
struct DiscoveryRegistry: Sendable {
    /// The updates for the house and the broker that follow from some messages.
    struct Changes: Sendable {
        var announced: [Device] = []
        var withdrawn: [String] = []
        var subscribe: [String] = []
        var unsubscribe: [String] = []
    }

    static let entityLimit = 2000
    /// The number of problems that are kept for the settings page.
    static let problemLimit = 50

    var allocator: IDAllocator
    var announcements = AnnouncementStore()
    var trackedEntities: [String: TrackedEntity] = [:]
    /// The entity of each key, and where that was announced.
    var byKey: [String: (id: String, topic: String)] = [:]
    var devices: [String: (announced: AnnouncedDevice, entityIDs: [String])] = [:]
    /// The entities that read each topic, by their ids.
    var listeners: [String: [String]] = [:]
    var subscribed: Set<String> = []
    var statuses: [String: DeviceStatus] = [:]
    var pictures = PictureCache()
    /// Devices that the house has, also those of an earlier run that are not announced just now.
    var present: Set<String>
    /// The devices through which others are reached, as they were reported to the house.
    var hubs: [String: String] = [:]
    /// Devices to announce again, devices whose status may have changed, and whether the topics to subscribe did.
    var changedDevices: Set<String> = []
    /// The pending announcements of each device.
    var pendingAnnouncements: [String: Int] = [:]
    var devicesWithStatusChange: Set<String> = []
    var topicsChanged = false
    /// Devices of which an entity may have gone away or come back.
    var availabilityChanged: Set<String> = []
    /// Entities whose announcement changed something that is not in their state; they may never report a state.
    var redescribedEntities: Set<String> = []
    /// Topics with a new listener: the broker repeats its retained messages after another subscription.
    var topicsToReread: Set<String> = []
    private(set) var problems: [String: String] = [:]
    var isFull = false

    init(names: IDAllocator = IDAllocator()) {
        self.allocator = names
        present = names.known
    }

    subscript(entityID: String) -> TrackedEntity? { trackedEntities[entityID] }

    var entityCount: Int { trackedEntities.count }

    var notices: [(entityID: String, message: String)] {
        trackedEntities.values.compactMap { fixture in fixture.entity.notice.map { (fixture.id, $0) } }.sorted { $0.0 < $1.0 }
    }

    // MARK: Announcements

    /// Applies one announcement; an empty one withdraws it.
    mutating func apply(_ payload: [UInt8], at topic: DiscoveryTopic) {
        guard !payload.isEmpty else {
            problems[topic.text] = nil
            return removeAnnouncement(topic.text)
        }
        if let known = announcements[topic.text], known.payload == payload {
            guard known.problem == nil else { return }
            for entity in known.entities { markChanged(entity.key, from: topic.text) }
            return
        }
        problems[topic.text] = nil
        do {
            let read = try DiscoveryParser.read(payload, at: topic)
            if read.isMigrating { migrate(payload, topic) } else { place(read, payload: payload, topic: topic) }
        } catch {
            // The previous announcement stays valid.
            setProblem("The announcement at \(PayloadText.quoted(topic.text)) \(error.message).", at: topic.text)
            let before = announcements[topic.text]
            announcements.store(
                .init(payload: payload, topic: topic, entities: before?.entities ?? [], device: before?.device, problem: error),
                at: topic.text)
        }
    }

    mutating func setProblem(_ problem: String, at topic: String) {
        if problems.count < Self.problemLimit { problems[topic] = problem }
    }

    mutating func clearProblem(at topic: String) { problems[topic] = nil }

    private mutating func markChanged(_ key: String, from topic: String) {
        guard let known = byKey[key], known.topic == topic, let deviceID = trackedEntities[known.id]?.deviceID else { return }
        trackedEntities[known.id]?.hasReceivedMessage = true
        devicesWithStatusChange.insert(deviceID)
        availabilityChanged.insert(deviceID)
    }

    private mutating func place(_ read: Announcement, payload: [UInt8], topic: DiscoveryTopic) {
        let before = announcements[topic.text]?.entities ?? []
        if read.hasMoreEntities { isFull = true }
        let isKept = announcements.store(.init(read, payload: payload, topic: topic), at: topic.text)
        if !isKept, !read.entities.isEmpty {
            isFull = true
            return
        }
        let keys = Set(read.entities.map(\.key))
        for old in before where !keys.contains(old.key) { remove(old.key, from: topic.text) }
        for entity in read.entities { add(entity, from: topic.text) }
    }

    /// The entities of an announcement are on their way into another one. They stay until that one has them, or this one is taken back.
    private mutating func migrate(_ payload: [UInt8], _ topic: DiscoveryTopic) {
        let before = announcements[topic.text]
        var migrating = AnnouncementStore.Entry(
            payload: payload, topic: topic, entities: before?.entities ?? [], device: before?.device, problem: nil)
        migrating.isMigrating = true
        announcements.store(migrating, at: topic.text)
        for entity in migrating.entities where byKey[entity.key]?.topic == topic.text {
            guard let (other, heir) = announcements.otherAnnouncement(of: entity.key, except: topic.text) else { continue }
            problems[other] = nil
            add(heir, from: other)
        }
    }

    private mutating func removeAnnouncement(_ topic: String) {
        guard let gone = announcements.remove(topic) else { return }
        for entity in gone.entities { remove(entity.key, from: topic) }
    }

    /// - Parameter heritage: the topic of a withdrawn announcement, whose entity this one becomes.
    private mutating func add(_ entity: AnnouncedEntity, from topic: String, inPlaceOf heritage: String? = nil) {
        let place = byKey[entity.key]
        if let place, place.topic != topic, place.topic != heritage, announcements[place.topic]?.isMigrating != true {
            return setWaitingProblem(topic)
        }
        guard place != nil || trackedEntities.count < Self.entityLimit, let deviceID = allocator.deviceID(for: entity.device),
            let id = allocator.entityID(for: entity, deviceID: deviceID)
        else {
            isFull = true
            return
        }
        // The same entity under another base topic.
        if let bearer = trackedEntities[id], bearer.entity.key != entity.key { return setWaitingProblem(topic) }
        var before = place.flatMap { trackedEntities[$0.id] }
        if let before, before.id != id || before.deviceID != deviceID { detach(before) }
        if let before, before.id == id { stopListening(before) }
        // The state of another device's entity, which had the same unique id, is not this one's.
        if before?.id != id, place?.topic != topic { before = nil }
        var fixture = TrackedEntity(id: id, deviceID: deviceID, entity: entity)
        fixture.state = before?.state ?? entity.mapping.initialState
        entity.mapping.staticAttributes.apply(to: &fixture.state.attributes)
        if fixture.state.attributes != before?.state.attributes ?? [:] { redescribedEntities.insert(id) }
        if let before {
            (fixture.isAway, fixture.isEmpty) = (before.isAway, before.isEmpty)
            if fixture.isExpired { (fixture.isExpired, fixture.expiresAt) = (before.isExpired, before.expiresAt) }
        }
        fixture.hasReceivedMessage = true
        trackedEntities[id] = fixture
        byKey[entity.key] = (id, topic)
        var siblings = devices[deviceID]?.entityIDs ?? []
        if !siblings.contains(id) { siblings.append(id) }
        devices[deviceID] = (entity.device.completed(by: devices[deviceID]?.announced), siblings)
        changedDevices.insert(deviceID)
        devicesWithStatusChange.insert(deviceID)
        availabilityChanged.insert(deviceID)
        topicsChanged = true
        for topic in topics(of: fixture) {
            listen(id, on: topic)
            topicsToReread.insert(topic)
        }
    }

    private mutating func remove(_ key: String, from topic: String) {
        guard let known = byKey[key], known.topic == topic, let fixture = trackedEntities[known.id] else { return }
        // Another announcement may have waited for this place.
        if let (other, heir) = announcements.otherAnnouncement(of: key, except: topic) {
            problems[other] = nil
            add(heir, from: other, inPlaceOf: topic)
        }
        guard byKey[key]?.topic == topic else { return }
        byKey[key] = nil
        detach(fixture)
    }

    private mutating func setWaitingProblem(_ topic: String) {
        setProblem("Two announcements have the same unique id. The one at \(PayloadText.quoted(topic)) is not shown.", at: topic)
    }

    /// Gives another id to the device or entity that has `id` here, because it already belongs to another integration.
    mutating func release(_ id: String) {
        let bearers = byKey.values.filter { trackedEntities[$0.id].map { $0.id == id || $0.deviceID == id } ?? false }
        allocator.release(id)
        for place in bearers.sorted(by: { $0.id < $1.id }) {
            if let fixture = trackedEntities[place.id] { add(fixture.entity, from: place.topic) }
        }
    }

    private mutating func detach(_ fixture: TrackedEntity) {
        stopListening(fixture)
        trackedEntities[fixture.id] = nil
        pictures.remove(fixture.id)
        changedDevices.insert(fixture.deviceID)
        devicesWithStatusChange.insert(fixture.deviceID)
        availabilityChanged.insert(fixture.deviceID)
        guard var device = devices[fixture.deviceID] else { return }
        device.entityIDs.removeAll { $0 == fixture.id }
        devices[fixture.deviceID] = device.entityIDs.isEmpty ? nil : device
    }

    private mutating func listen(_ id: String, on topic: String) {
        let ids = listeners[topic] ?? []
        guard !ids.contains(id) else { return }
        listeners[topic, default: []].insert(id, at: ids.firstIndex { $0 > id } ?? ids.endIndex)
    }

    private mutating func stopListening(_ fixture: TrackedEntity) {
        topicsChanged = true
        for topic in topics(of: fixture) {
            listeners[topic]?.removeAll { $0 == fixture.id }
            if listeners[topic]?.isEmpty == true { listeners[topic] = nil }
        }
    }

    private func topics(of fixture: TrackedEntity) -> Set<String> {
        let readings = fixture.entity.mapping.stateTopics + fixture.entity.availability.sources.map(\.stateTopic)
        return Set(readings.map(\.topic) + [fixture.entity.mapping.picture?.topic].compactMap(\.self))
    }

    /// Returns the state topics of an entity.
    func topics(of entityID: String) -> [String] { trackedEntities[entityID].map { topics(of: $0).sorted() } ?? [] }
}
