import CardeaModel
import Foundation

/// The house as Home Assistant tells it: rooms, devices, entities, and what each last said. A value; it arranges, and tells nobody.
struct Household: Sendable {
    /// The device attribute that holds what Home Assistant calls the device, by which its id is found again after a restart.
    static let keyAttribute = "home_assistant_device"
    /// The most entities that are mirrored.
    static let entityLimit = 5000

    var isFahrenheit = false
    /// False while Home Assistant is still starting: what is missing then is not gone.
    var isComplete = false
    private(set) var areas: [Area] = []
    private(set) var devices: [RegisteredDevice] = []
    private(set) var entities: [String: RegisteredEntity] = [:]
    private(set) var said: [String: Said] = [:]
    /// Entities that belong to another integration of the house.
    var taken: Set<String> = []

    // MARK: What it is told

    mutating func read(areas: JSONValue, devices: JSONValue, entities: JSONValue) {
        self.areas = areas.members.compactMap(Area.init)
        self.devices = devices.members.compactMap(RegisteredDevice.init)
        let entries = entities.members.compactMap(RegisteredEntity.init)
        self.entities = Dictionary(entries.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        for id in said.keys { note(said[id]) }
    }

    /// All states at once: what is not among them is no longer there.
    mutating func read(states: JSONValue) {
        let now = states.members.compactMap(Said.init)
        let before = said
        said = [:]
        for one in now { note(one.after(before[one.entityID])) }
    }

    /// Takes in what one entity says. True when it also changes what the entity is.
    mutating func hear(_ news: Said) -> Bool {
        let before = said[news.entityID]
        note(news.after(before))
        return before?.outline != said[news.entityID]?.outline
    }

    mutating func forget(_ entityID: String) { said[entityID] = nil }

    private mutating func note(_ one: Said?) {
        guard var one else { return }
        if one.kind == .lock { one.attributes[RegisteredEntity.keepsCode] = .bool(entities[one.entityID]?.keepsCode ?? false) }
        said[one.entityID] = one
    }

    // MARK: What it is

    /// Hidden, switched off, or told to Home Assistant by the hub itself.
    func isLeftOut(_ entityID: String) -> Bool {
        guard let entry = entities[entityID] else { return false }
        let device = devices.first { $0.id == entry.deviceID }
        return entry.isLeftOut || device?.isDisabled == true || device?.isOurs == true
    }

    /// The other entities of the same device.
    func entities(beside entityID: String) -> [String] {
        guard let deviceID = entities[entityID]?.deviceID else { return [] }
        return entities.values.filter { $0.deviceID == deviceID && !$0.isLeftOut && $0.entityID != entityID }.map(\.entityID).sorted()
    }

    func wiring(of entityID: String) -> (any Wiring)? {
        said[entityID].map { $0.kind.wiring($0, isFahrenheit: isFahrenheit) }
    }

    /// How an entity stands; unknown while it is away.
    func state(of entityID: String) -> EntityState? {
        guard let one = said[entityID] else { return nil }
        return one.isUnavailable ? EntityState() : one.kind.wiring(one, isFahrenheit: isFahrenheit).state
    }

    func isAway(_ entityID: String) -> Bool { said[entityID]?.isUnavailable ?? true }

    var isFull: Bool { said.count > Self.entityLimit }

    func rooms(with names: inout DeviceNames) -> [Room] {
        areas.map { Room(id: names.id(for: "area:\($0.id)", called: $0.id, else: "room"), name: $0.name) }
    }

    /// The devices of the house, in Home Assistant's order, then the entities that belong to none, each a device of its own.
    ///
    /// - Parameter owners: whose an entity was so far.
    func arranged(with names: inout DeviceNames, rooms roomNames: inout DeviceNames, owners: [String: String] = [:]) -> [Device] {
        let groups = groups
        let keys = Set(groups.map(\.key))
        let areaIDs = Set(areas.map(\.id))
        var arranged: [Device] = groups.map { group in
            let entities = group.said.map { entity($0, of: group.device) }
            let area = group.device?.areaID ?? group.said.lazy.compactMap { self.entities[$0.entityID]?.areaID }.first
            let name = group.device?.name ?? entities.first?.name ?? "Device"
            for entity in entities { names.inherit(owners[entity.id], for: group.key, unlessAmong: keys) }
            return Device(
                id: names.id(for: group.key, called: name), name: name, deviceClass: DeviceClass(of: entities),
                roomID: area.flatMap { areaIDs.contains($0) ? roomNames.id(for: "area:\($0)", called: $0, else: "room") : nil },
                integration: HomeAssistantIntegration.name, manufacturer: group.device?.manufacturer, model: group.device?.model,
                attributes: [Self.keyAttribute: .string(group.key)], stateChangedAt: .distantPast, entities: entities)
        }
        // Once all of them have their ids. A bridge that has no entities is no device of the house.
        let ids = Dictionary(zip(groups.map(\.key), arranged.map(\.id)), uniquingKeysWith: { first, _ in first })
        for (index, group) in groups.enumerated() where group.device?.viaID != group.key {
            arranged[index].hubID = group.device?.viaID.flatMap { ids[$0] }
        }
        return arranged
    }

    /// What belongs together, by what Home Assistant calls it.
    private struct Group {
        let key: String
        let device: RegisteredDevice?
        var said: [Said]
    }

    private var groups: [Group] {
        let registered = Dictionary(devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var members: [String: [Said]] = [:]
        var loners: [Group] = []
        for one in said.values.sorted(by: { $0.entityID < $1.entityID }).prefix(Self.entityLimit) where !taken.contains(one.entityID) {
            let entry = entities[one.entityID]
            if entry?.isLeftOut == true { continue }
            if let device = entry?.deviceID.flatMap({ registered[$0] }) {
                if !device.isDisabled, !device.isOurs { members[device.id, default: []].append(one) }
            } else {
                loners.append(Group(key: "entity:\(entry?.id ?? one.entityID)", device: nil, said: [one]))
            }
        }
        return devices.compactMap { device in members[device.id].map { Group(key: device.id, device: device, said: $0) } } + loners
    }

    private func entity(_ one: Said, of device: RegisteredDevice?) -> Entity {
        let wiring = one.kind.wiring(one, isFahrenheit: isFahrenheit)
        let called =
            entities[one.entityID]?.name ?? one.text("friendly_name").map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        return Entity(
            id: one.entityID, uniqueID: entities[one.entityID]?.uniqueID, kind: one.kind, name: called ?? device?.name ?? one.entityID,
            deviceClass: one.text("device_class").map { String($0.prefix(64)) }, unit: wiring.unit,
            icon: entities[one.entityID]?.icon ?? Entity.icon(one.text("icon")), verbs: wiring.verbs, notice: wiring.notice)
    }
}

extension JSONValue {
    /// The members of an array; none for anything else.
    fileprivate var members: [JSONValue] {
        if case .array(let members) = self { members } else { [] }
    }
}
