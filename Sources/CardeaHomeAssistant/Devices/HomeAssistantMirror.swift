import CardeaModel
import Foundation

/// The house as Home Assistant reports it: rooms, devices, entities, and the last state of each. A value; it arranges and reports nothing
/// itself.
struct HomeAssistantMirror: Sendable {
    /// The device attribute that holds what Home Assistant calls the device, by which its id is found again after a restart.
    static let keyAttribute = "home_assistant_device"
    /// The device attribute that holds the ids of its entities by their keys, for the same reason.
    static let entitiesAttribute = "home_assistant_entities"
    /// The most entities that are mirrored.
    static let entityLimit = 5000

    var isFahrenheit = false
    /// False while Home Assistant is still starting: missing entities are then not gone.
    var isComplete = false
    /// False while Home Assistant has changed its registries since they were read: an entity may have an entry that is not known yet.
    var isRegistryCurrent = true
    private(set) var areas: [AreaRegistryEntry] = []
    private(set) var devices: [DeviceRegistryEntry] = []
    private(set) var entities: [String: EntityRegistryEntry] = [:]
    private(set) var reports: [String: StateReport] = [:]
    /// Entities that belong to another integration of the house, by the house's ids.
    var foreignEntities: Set<String> = []

    private var identities: EntityIDAllocator
    /// The entity ids of the entries, by their own ids.
    private var entityIDs: [String: String] = [:]
    /// The entry that an entity id belonged to until it was renamed or deleted, while a state is still reported under it.
    private var former: [String: String] = [:]
    /// The house's ids by the reported entity ids, and the other way round.
    private var houseIDs: [String: String] = [:]
    private var reportedIDs: [String: String] = [:]

    /// - Parameters:
    ///   - known: devices of an earlier run.
    ///   - former: devices that were withdrawn or removed.
    ///   - reserved: ids of entities that other integrations had.
    init(known: [Device] = [], former: [Device] = [], reserved: Set<String> = []) {
        identities = EntityIDAllocator(known: former + known, reserved: reserved)
    }

    // MARK: Updates

    mutating func read(areas: JSONValue, devices: JSONValue, entities: JSONValue) {
        self.areas = areas.members.compactMap(AreaRegistryEntry.init)
        self.devices = devices.members.compactMap(DeviceRegistryEntry.init)
        let before = self.entities
        let entries = entities.members.compactMap(EntityRegistryEntry.init)
        self.entities = Dictionary(entries.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        entityIDs = Dictionary(entries.map { ($0.id, $0.entityID) }, uniquingKeysWith: { first, _ in first })
        for (entityID, entry) in before where self.entities[entityID] == nil { former[entityID] = entry.id }
        identities.recoverKeys(from: entries)
        identifyAll()
    }

    /// Replaces all states: an entity without one is gone.
    mutating func read(states: JSONValue) {
        let now = states.members.compactMap(StateReport.init)
        let before = reports
        reports = Dictionary(now.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        for one in now { reports[one.entityID] = one.merged(previousReport(one.entityID, in: before)) }
        identifyAll()
    }

    /// Applies one entity's state. Returns true if it also changes what the entity is.
    mutating func apply(_ news: StateReport) -> Bool {
        let before = previousReport(news.entityID, in: reports)
        reports[news.entityID] = news.merged(before)
        identify(news.entityID)
        return before?.description != reports[news.entityID]?.description
    }

    /// Home Assistant has removed an entity id. A renamed entity is unavailable until it reports under its new name.
    mutating func handleRemoval(_ entityID: String) {
        if entities[entityID] == nil, let entry = self.entry(of: entityID), reports[entry.entityID] == nil {
            reports[entityID]?.value = "unavailable"
            return
        }
        remove(entityID)
    }

    // MARK: Identities

    /// Returns the house's id of an entity id; nil if it is not mirrored.
    func houseID(of entityID: String) -> String? { houseIDs[entityID] }

    /// Returns the present entity id in Home Assistant of an entity of the house.
    func entityID(of houseID: String) -> String? { reportedIDs[houseID].map { entry(of: $0)?.entityID ?? $0 } }

    /// Returns the registry entry of a reported entity id. Right after a renaming that is the former one.
    private func entry(of entityID: String) -> EntityRegistryEntry? {
        if let entry = entities[entityID] { return entry }
        return former[entityID].flatMap { entityIDs[$0] }.flatMap { entities[$0] }
    }

    /// Returns the last report of an entity, also under its former name.
    private func previousReport(_ entityID: String, in reports: [String: StateReport]) -> StateReport? {
        if let one = reports[entityID] { return one }
        guard let entry = entities[entityID], let old = former.first(where: { $0.value == entry.id }) else { return nil }
        return reports[old.key]
    }

    private mutating func identifyAll() {
        houseIDs = [:]
        reportedIDs = [:]
        former = former.filter { reports[$0.key] != nil && entities[$0.key] == nil }
        for entityID in reports.keys.sorted() { identify(entityID) }
        identities.trim { [houseIDs] in Set(houseIDs.values) }
    }

    private mutating func identify(_ entityID: String) {
        guard var one = reports[entityID] else { return }
        let entry = self.entry(of: entityID)
        if one.kind == .lock {
            one.attributes[EntityRegistryEntry.keepsCode] = .bool(entry?.keepsCode ?? false)
            reports[entityID] = one
        }
        guard houseIDs[entityID] == nil else { return }
        let id: String
        if let entry {
            // The entity already reports under its new name; the old one is removed.
            if entry.entityID != entityID, reports[entry.entityID] != nil { return remove(entityID) }
            id = identities.id(of: entry, among: entityIDs)
        } else {
            guard former[entityID] == nil, isRegistryCurrent || identities.knows(unregistered: entityID) else { return }
            id = identities.id(ofUnregistered: entityID)
        }
        if let other = reportedIDs[id], other != entityID {
            // Two entries with one id: the first counts.
            guard former[other] != nil else { return }
            remove(other)
        }
        houseIDs[entityID] = id
        reportedIDs[id] = entityID
    }

    private mutating func remove(_ entityID: String) {
        reports[entityID] = nil
        former[entityID] = nil
        if let id = houseIDs.removeValue(forKey: entityID), reportedIDs[id] == entityID { reportedIDs[id] = nil }
    }

    // MARK: Devices

    /// Returns whether it is hidden, disabled, or announced to Home Assistant by the hub itself.
    func isExcluded(_ entityID: String) -> Bool {
        guard let entry = entities[entityID] else { return false }
        let device = devices.first { $0.id == entry.deviceID }
        return entry.isExcluded || device?.isDisabled == true || device?.isOwnExport == true
    }

    /// The other entities of the same device.
    func entities(beside entityID: String) -> [String] {
        guard let deviceID = entities[entityID]?.deviceID else { return [] }
        return entities.values.filter { $0.deviceID == deviceID && !$0.isExcluded && $0.entityID != entityID }.map(\.entityID).sorted()
    }

    /// Returns the mapping of an entity of the house.
    func mapping(of houseID: String) -> (any EntityMapping)? {
        reportedIDs[houseID].flatMap { reports[$0] }.map { $0.kind.mapping($0, isFahrenheit: isFahrenheit) }
    }

    /// Returns the state of an entity id; unknown while it is unavailable.
    func state(of entityID: String) -> EntityState? {
        guard let one = reports[entityID] else { return nil }
        return one.isUnavailable ? EntityState() : one.kind.mapping(one, isFahrenheit: isFahrenheit).state
    }

    /// Returns whether an entity of the house is unavailable.
    func isAway(_ houseID: String) -> Bool { reportedIDs[houseID].flatMap { reports[$0] }?.isUnavailable ?? true }

    var isFull: Bool { reports.count > Self.entityLimit }

    func rooms(with names: inout DeviceIDAllocator) -> [Room] {
        areas.map { Room(id: names.id(for: "area:\($0.id)", called: $0.id, else: "room"), name: $0.name) }
    }

    /// Returns the devices of the house, in Home Assistant's order, then the entities without a device, each as a device of its own.
    ///
    /// - Parameter owners: the device that each entity had so far.
    func arrangedDevices(with names: inout DeviceIDAllocator, rooms roomNames: inout DeviceIDAllocator, owners: [String: String] = [:])
        -> [Device]
    {
        let groups = groups
        let keys = Set(groups.map(\.key))
        let areaIDs = Set(areas.map(\.id))
        var arranged: [Device] = groups.map { group in
            let entities = group.reports.compactMap { entity($0, of: group.device) }
            let area = group.device?.areaID ?? group.reports.lazy.compactMap { self.entry(of: $0.entityID)?.areaID }.first
            let name = group.device?.name ?? entities.first?.name ?? "Device"
            for entity in entities { names.inherit(owners[entity.id], for: group.key, unlessAmong: keys) }
            let id = names.id(for: group.key, called: name)
            var entityKeys: [String: String] = [:]
            for entity in entities { entityKeys.merge(identities.keys(of: entity.id)) { first, _ in first } }
            let remembered = names.remember(entityKeys, of: id) { identities.belongs($0, to: $1) }
            return Device(
                id: id, name: name, deviceClass: DeviceClass(of: entities),
                roomID: area.flatMap { areaIDs.contains($0) ? roomNames.id(for: "area:\($0)", called: $0, else: "room") : nil },
                integration: HomeAssistantIntegration.name, manufacturer: group.device?.manufacturer, model: group.device?.model,
                attributes: [
                    Self.keyAttribute: .string(group.key), Self.entitiesAttribute: .object(remembered.mapValues(JSONValue.string)),
                ], stateChangedAt: .distantPast, entities: entities)
        }
        // After all of them have their ids. A bridge without entities is not a device of the house.
        let ids = Dictionary(zip(groups.map(\.key), arranged.map(\.id)), uniquingKeysWith: { first, _ in first })
        for (index, group) in groups.enumerated() where group.device?.viaDeviceID != group.key {
            arranged[index].hubID = group.device?.viaDeviceID.flatMap { ids[$0] }
        }
        return arranged
    }

    /// Entities that belong together, by the name that Home Assistant gives the group.
    private struct DeviceGroup {
        let key: String
        let device: DeviceRegistryEntry?
        var reports: [StateReport]
    }

    private var groups: [DeviceGroup] {
        let registered = Dictionary(devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var members: [String: [StateReport]] = [:]
        var loners: [DeviceGroup] = []
        for one in reports.values.sorted(by: { $0.entityID < $1.entityID }).prefix(Self.entityLimit) {
            guard let id = houseIDs[one.entityID], !foreignEntities.contains(id) else { continue }
            let entry = self.entry(of: one.entityID)
            if entry?.isExcluded == true { continue }
            if let device = entry?.deviceID.flatMap({ registered[$0] }) {
                if !device.isDisabled, !device.isOwnExport { members[device.id, default: []].append(one) }
            } else {
                loners.append(DeviceGroup(key: "entity:\(entry?.id ?? one.entityID)", device: nil, reports: [one]))
            }
        }
        return devices.compactMap { device in members[device.id].map { DeviceGroup(key: device.id, device: device, reports: $0) } } + loners
    }

    private func entity(_ one: StateReport, of device: DeviceRegistryEntry?) -> Entity? {
        guard let id = houseIDs[one.entityID] else { return nil }
        let wiring = one.kind.mapping(one, isFahrenheit: isFahrenheit)
        let entry = self.entry(of: one.entityID)
        let called = entry?.name ?? one.text("friendly_name").map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        return Entity(
            id: id, uniqueID: entry?.uniqueID, kind: one.kind, name: called ?? device?.name ?? one.entityID,
            deviceClass: one.text("device_class").map { String($0.prefix(64)) }, unit: wiring.unit,
            icon: entry?.icon ?? Entity.validIcon(one.text("icon")), verbs: wiring.verbs,
            isAssumed: one.attributes["assumed_state"] == true && !wiring.verbs.isEmpty, notice: wiring.notice)
    }
}

extension JSONValue {
    /// The members of an array; none for anything else.
    fileprivate var members: [JSONValue] {
        if case .array(let members) = self { members } else { [] }
    }
}
