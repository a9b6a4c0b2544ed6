import CardeaHub
import CardeaModel
import Foundation

/// Everything that is announced on the broker, and what it last said. A value: messages in, changes out.
struct Roster: Sendable {
    /// One announced entity in the house.
    struct Fixture: Sendable {
        let id: String
        let deviceID: String
        let entity: AnnouncedEntity
        var state = EntityState()
        var availability: Availability
        /// Something came from it since the connection stands.
        var wasHeard = false
        /// The end of its last value, where values of it end.
        var expiresAt: Date?

        /// Nil while nobody can say.
        var isOnline: Bool? {
            availability.sources.isEmpty && availability.isReadable ? (wasHeard ? true : nil) : availability.isOnline
        }
    }

    /// What the house and the broker must be told after some messages.
    struct Changes: Sendable {
        var announced: [Device] = []
        var withdrawn: [String] = []
        var subscribe: [String] = []
        var unsubscribe: [String] = []
    }

    private struct Announced: Sendable {
        let payload: [UInt8]
        let entities: [AnnouncedEntity]
    }

    static let entityLimit = 2000
    /// Bytes of one announcement, and of all that are kept to be compared with.
    static let announcementLimit = 64 * 1024
    static let announcementsLimit = 16 * 1024 * 1024
    /// How many problems are kept for the settings page.
    static let problemLimit = 50

    private var names: Names
    private var announcements: [String: Announced] = [:]
    private var announcedBytes = 0
    private var fixtures: [String: Fixture] = [:]
    /// Which entity stands for which key, and where that was announced.
    private var byKey: [String: (id: String, topic: String)] = [:]
    private var devices: [String: (announced: AnnouncedDevice, entityIDs: [String])] = [:]
    private var listeners: [String: Set<String>] = [:]
    private var subscribed: Set<String> = []
    private var statuses: [String: DeviceStatus] = [:]
    /// Devices to be described anew, devices whose standing may have changed, and whether the topics to listen to did.
    private var touched: Set<String> = []
    private var stirred: Set<String> = []
    private var topicsChanged = false
    /// Topics that somebody new listens to: the broker repeats what it keeps there when it is asked again.
    private var toHear: Set<String> = []
    private(set) var problems: [String: String] = [:]
    private(set) var isFull = false

    init(names: Names = Names()) {
        self.names = names
    }

    subscript(entityID: String) -> Fixture? { fixtures[entityID] }

    var entityCount: Int { fixtures.count }

    var notices: [(entityID: String, message: String)] {
        fixtures.values.compactMap { fixture in fixture.entity.notice.map { (fixture.id, $0) } }.sorted { $0.0 < $1.0 }
    }

    // MARK: Announcements

    /// Takes in one announcement; an empty one takes it back.
    mutating func read(_ payload: [UInt8], at topic: DiscoveryTopic) {
        problems[topic.text] = nil
        guard !payload.isEmpty else { return forget(topic.text) }
        if let known = announcements[topic.text], known.payload == payload {
            for entity in known.entities { touch(entity.key, from: topic.text) }
            return
        }
        guard payload.count <= Self.announcementLimit else {
            return note("The announcement at \(Text.quoted(topic.text)) is over \(Self.announcementLimit / 1024) KiB.", at: topic.text)
        }
        do {
            place(try Discovery.read(payload, at: topic), payload: payload, topic: topic.text)
        } catch {
            // What was announced before still holds.
            note("The announcement at \(Text.quoted(topic.text)) \(error.words).", at: topic.text)
        }
    }

    mutating func note(_ problem: String, at topic: String) {
        if problems.count < Self.problemLimit { problems[topic] = problem }
    }

    private mutating func touch(_ key: String, from topic: String) {
        guard let known = byKey[key], known.topic == topic, let deviceID = fixtures[known.id]?.deviceID else { return }
        fixtures[known.id]?.wasHeard = true
        stirred.insert(deviceID)
    }

    private mutating func place(_ entities: [AnnouncedEntity], payload: [UInt8], topic: String) {
        let before = announcements[topic]?.entities ?? []
        // Announcements that hold nothing of ours are not kept, so they cannot fill the memory.
        if entities.isEmpty {
            drop(topic)
        } else {
            let bytes = announcedBytes - (announcements[topic]?.payload.count ?? 0) + payload.count
            guard announcements[topic] != nil || announcements.count < Self.entityLimit, bytes <= Self.announcementsLimit else {
                isFull = true
                return
            }
            announcements[topic] = Announced(payload: payload, entities: entities)
            announcedBytes = bytes
        }
        let keys = Set(entities.map(\.key))
        for old in before where !keys.contains(old.key) { remove(old.key, from: topic) }
        for entity in entities { add(entity, from: topic) }
    }

    @discardableResult
    private mutating func drop(_ topic: String) -> Announced? {
        let gone = announcements.removeValue(forKey: topic)
        announcedBytes -= gone?.payload.count ?? 0
        return gone
    }

    private mutating func forget(_ topic: String) {
        guard let gone = drop(topic) else { return }
        for entity in gone.entities { remove(entity.key, from: topic) }
    }

    private mutating func add(_ entity: AnnouncedEntity, from topic: String) {
        if let known = byKey[entity.key], known.topic != topic {
            return note("Two announcements share one unique id; the one at \(Text.quoted(topic)) waits.", at: topic)
        }
        let deviceID = names.deviceID(for: entity.device)
        let id = names.entityID(for: entity, deviceID: deviceID)
        let before = byKey[entity.key].flatMap { fixtures[$0.id] }
        if let before, before.id != id || before.deviceID != deviceID { detach(before) }
        guard before != nil || fixtures.count < Self.entityLimit else {
            isFull = true
            return
        }
        if let before, before.id == id { stopListening(before) }
        var fixture = Fixture(id: id, deviceID: deviceID, entity: entity, availability: entity.availability)
        fixture.state = before?.state ?? EntityState()
        fixture.wasHeard = true
        fixtures[id] = fixture
        byKey[entity.key] = (id, topic)
        var siblings = devices[deviceID]?.entityIDs ?? []
        if !siblings.contains(id) { siblings.append(id) }
        devices[deviceID] = (entity.device, siblings)
        touched.insert(deviceID)
        stirred.insert(deviceID)
        topicsChanged = true
        for topic in topics(of: fixture) {
            listeners[topic, default: []].insert(id)
            toHear.insert(topic)
        }
    }

    private mutating func remove(_ key: String, from topic: String) {
        guard let known = byKey[key], known.topic == topic, let fixture = fixtures[known.id] else { return }
        byKey[key] = nil
        detach(fixture)
        // Another announcement may have waited for this place.
        for (other, announced) in announcements where other != topic {
            if let heir = announced.entities.first(where: { $0.key == key }) {
                problems[other] = nil
                add(heir, from: other)
                break
            }
        }
    }

    /// The house has given `id` to somebody else already: the device or the entity that bears it here gets another one.
    mutating func giveUp(_ id: String) {
        let bearers = byKey.values.filter { fixtures[$0.id].map { $0.id == id || $0.deviceID == id } ?? false }
        names.giveUp(id)
        for place in bearers.sorted(by: { $0.id < $1.id }) {
            if let fixture = fixtures[place.id] { add(fixture.entity, from: place.topic) }
        }
    }

    private mutating func detach(_ fixture: Fixture) {
        stopListening(fixture)
        fixtures[fixture.id] = nil
        touched.insert(fixture.deviceID)
        stirred.insert(fixture.deviceID)
        guard var device = devices[fixture.deviceID] else { return }
        device.entityIDs.removeAll { $0 == fixture.id }
        devices[fixture.deviceID] = device.entityIDs.isEmpty ? nil : device
    }

    private mutating func stopListening(_ fixture: Fixture) {
        topicsChanged = true
        for topic in topics(of: fixture) {
            listeners[topic]?.remove(fixture.id)
            if listeners[topic]?.isEmpty == true { listeners[topic] = nil }
        }
    }

    private func topics(of fixture: Fixture) -> Set<String> {
        Set((fixture.entity.wiring.readings + fixture.entity.availability.sources.map(\.reading)).map(\.topic))
    }

    /// The topics that tell how an entity stands.
    func topics(of entityID: String) -> [String] { fixtures[entityID].map { topics(of: $0).sorted() } ?? [] }

    // MARK: Messages

    /// What entities say in one message.
    mutating func hear(_ heard: Heard, isFresh: Bool) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in (listeners[heard.topic] ?? []).sorted() {
            guard var fixture = fixtures[id] else { continue }
            let wasOnline = fixture.isOnline
            fixture.wasHeard = true
            fixture.availability.hear(heard)
            if fixture.isOnline != wasOnline { stirred.insert(fixture.deviceID) }
            if let state = fixture.entity.wiring.state(fixture.state, after: heard) {
                fixture.state = state
                fixture.expiresAt = fixture.entity.expiresAfter.map { heard.at.addingTimeInterval($0) }
                reports.append(EntityReport(entityID: id, state: state, isFresh: isFresh))
            }
            fixtures[id] = fixture
        }
        return reports
    }

    /// Forgets the values whose time is over, and says of which entities.
    mutating func expire(at now: Date) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in fixtures.filter({ $0.value.expiresAt.map { $0 <= now } ?? false }).keys.sorted() {
            fixtures[id]?.expiresAt = nil
            fixtures[id]?.state.value = "unknown"
            if let state = fixtures[id]?.state { reports.append(EntityReport(entityID: id, state: state, isFresh: true)) }
        }
        return reports
    }

    /// How everything stands that has ever said so.
    var standing: [EntityReport] {
        fixtures.values.filter { $0.state != EntityState() }.sorted { $0.id < $1.id }
            .map { EntityReport(entityID: $0.id, state: $0.state, isFresh: false) }
    }

    /// The connection is gone: nothing that was heard about availability counts any more.
    mutating func loseSight() {
        for id in fixtures.keys {
            fixtures[id]?.availability.forget()
            fixtures[id]?.wasHeard = false
        }
        subscribed = []
        topicsChanged = true
        stirred.formUnion(devices.keys)
    }

    /// Another device's way in that would be moved by a message on this topic.
    ///
    /// Anybody who may announce devices could wire a lamp to a lock's topic, and make "on" open a door.
    ///
    /// - Parameter entityID: who asks; one that is no device of the broker is taken for harmless.
    func wayIn(behind topic: String, except entityID: String) -> String? {
        if let asking = fixtures[entityID], isWayIn(asking) { return nil }
        for fixture in fixtures.values where fixture.id != entityID && isWayIn(fixture) {
            for verb in fixture.entity.wiring.verbs {
                let value: JSONValue? = verb.value == .none ? .none : .some(0)
                let telegrams = fixture.entity.wiring.telegrams(for: verb, value: value, transition: nil, in: fixture.state) ?? []
                if telegrams.contains(where: { $0.topic == topic }) { return fixture.id }
            }
        }
        return nil
    }

    private func isWayIn(_ fixture: Fixture) -> Bool { description(of: fixture).isWayIn }

    // MARK: What others must be told

    /// What changed since the last time, in the order in which it is to be told.
    mutating func settle(at now: Date) -> Changes {
        var changes = Changes()
        for deviceID in touched.sorted() {
            if let device = devices[deviceID] {
                changes.announced.append(description(of: deviceID, device.announced, device.entityIDs, at: now))
            } else {
                changes.withdrawn.append(deviceID)
                statuses[deviceID] = nil
            }
        }
        touched = []
        guard topicsChanged else { return changes }
        topicsChanged = false
        let wanted = Set(listeners.keys)
        changes.subscribe = wanted.subtracting(subscribed).union(toHear.intersection(wanted)).sorted()
        toHear = []
        changes.unsubscribe = subscribed.subtracting(wanted).sorted()
        subscribed = wanted
        names.trim(to: Self.entityLimit * 4) { Set(fixtures.keys).union(devices.keys) }
        return changes
    }

    /// The house knows the device only now; its standing is to be told again.
    mutating func tellStatusAgain(of deviceID: String) {
        statuses[deviceID] = nil
        stirred.insert(deviceID)
    }

    /// Devices whose standing changed since the last time.
    mutating func changedStatuses(isConnected: Bool) -> [DeviceStatus: [String]] {
        var changed: [DeviceStatus: [String]] = [:]
        defer { stirred = [] }
        for deviceID in stirred {
            guard let device = devices[deviceID] else { continue }
            let status = isConnected ? status(of: device.entityIDs) : .unknown
            guard statuses[deviceID] != status else { continue }
            statuses[deviceID] = status
            changed[status, default: []].append(deviceID)
        }
        return changed.mapValues { $0.sorted() }
    }

    private func status(of entityIDs: [String]) -> DeviceStatus {
        let standings = entityIDs.compactMap { fixtures[$0]?.isOnline }
        if standings.contains(true) { return .online }
        return standings.contains(false) ? .offline : .unknown
    }

    private func description(of deviceID: String, _ device: AnnouncedDevice, _ entityIDs: [String], at now: Date) -> Device {
        let entities = entityIDs.compactMap { fixtures[$0] }.map(description)
        var attributes: [String: JSONValue] = [:]
        if let identifier = device.identifiers.first { attributes[MQTTIntegration.identifierAttribute] = .string(identifier) }
        attributes[MQTTIntegration.entitiesAttribute] = .object(names.entityIDs(of: deviceID).mapValues(JSONValue.string))
        if let area = device.suggestedArea { attributes["suggested_area"] = .string(area) }
        if let version = device.softwareVersion { attributes["software_version"] = .string(version) }
        return Device(
            id: deviceID, name: device.name, deviceClass: DeviceClass(of: entities),
            integration: MQTTIntegration.name, manufacturer: device.manufacturer, model: device.model,
            attributes: attributes, stateChangedAt: now, discovery: "mqtt_discovery",
            hubID: device.viaDevice.flatMap { via in devices.first { $0.value.announced.identifiers.contains(via) }?.key },
            entities: entities)
    }

    private func description(of fixture: Fixture) -> Entity {
        Entity(
            id: fixture.id, uniqueID: fixture.entity.uniqueID, kind: fixture.entity.kind,
            name: fixture.entity.name ?? fixture.entity.device.name, deviceClass: fixture.entity.deviceClass,
            unit: fixture.entity.unit, icon: fixture.entity.icon, isEnabled: fixture.entity.isEnabled,
            verbs: fixture.entity.wiring.verbs, state: fixture.state, notice: fixture.entity.notice)
    }
}
