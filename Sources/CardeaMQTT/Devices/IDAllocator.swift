import CardeaModel

/// Assigns unique ids to devices and entities.
///
/// A device is called by its name, `back-door`, and its own identifier keeps it apart from another of that name: `back-door-3f9c21`.
/// An id once given stays with its identifier, because a guest's pass may be written for it.
struct IDAllocator: Sendable {
    /// The most identifiers and connections that are learnt of one device.
    static let identifierLimit = 32
    /// The most ids given in one run. Beyond them nothing new is announced.
    static let idLimit = 65_536

    /// Devices of an earlier run that the house still has.
    let known: Set<String>
    /// Ids that belong to other integrations.
    private var reserved: Set<String>
    /// Ids of devices by the keys of their own names.
    private var devices: [String: String] = [:]
    /// The own names of each device, in the order in which they came: keys, and names in the form of a version before.
    private var identifiersByDevice: [String: [String]] = [:]
    /// Ids of devices by their names in the form of a version before, and by the keys that these may stand for.
    private var former: [String: String] = [:]
    /// Ids of entities by their own unique ids, in each device.
    private var entities: [String: [String: String]] = [:]
    /// Every id that was given. The id of a forgotten entity or device is not given to another.
    private var usedIDs: Set<String> = []
    /// The ids of an earlier run. A pass may refer to them, so their owner is never forgotten.
    private var earlierIDs: Set<String> = []
    private var count = 0
    private var earlierCount = 0

    /// - Parameters:
    ///   - known: devices of an earlier run, with attributes that say whose their ids are.
    ///   - former: devices that were withdrawn or removed. Only they get their ids again.
    ///   - reserved: ids that belong to other integrations.
    init(known: [Device] = [], former: [Device] = [], reserved: Set<String> = []) {
        self.known = Set(known.map(\.id))
        self.reserved = reserved
        for device in known { register(device, isGone: false) }
        for device in former where !self.known.contains(device.id) { register(device, isGone: true) }
        // Of two possible devices, the one with exactly this name comes first.
        for (text, id) in self.former.map({ ($0.key, $0.value) }).sorted(by: { $0 < $1 }) {
            for key in DeviceIdentifier.keys(of: text) where self.former[key] == nil { self.former[key] = id }
        }
        earlierIDs = usedIDs
        recount()
        earlierCount = count
    }

    // MARK: Devices

    /// The id of a device, by any of its own names; nil if no new one is given any more.
    ///
    /// If its names are those of several devices, it is the one that has the first of them.
    mutating func deviceID(for device: AnnouncedDevice) -> String? {
        let known = owner(of: device.names)
        guard known != nil || !isFull else { return nil }
        let key = device.names.first?.legacyText ?? device.name
        let id = known ?? availableID(Slug.make(device.name) ?? Slug.make(key) ?? "device", separator: "-", key: key)
        for name in device.names { register(name, of: id) }
        return id
    }

    /// The device that has this identifier; nil if none has.
    func deviceID(identifiedBy identifier: String) -> String? { DeviceIdentifier.identifier(identifier).flatMap { owner(of: $0) } }

    /// The own names of a device, to be read again after a restart.
    func names(of deviceID: String) -> [String] { identifiersByDevice[deviceID] ?? [] }

    private func owner(of name: DeviceIdentifier) -> String? { former[name.legacyText] ?? devices[name.key] ?? former[name.key] }

    private func owner(of names: [DeviceIdentifier]) -> String? {
        for name in names {
            if let id = owner(of: name) { return id }
        }
        return nil
    }

    /// Takes note of a device's name. One that is another device's stays that one's.
    private mutating func register(_ name: DeviceIdentifier, of id: String) {
        let owner = owner(of: name)
        guard owner == nil || owner == id else { return }
        if devices[name.key] == nil {
            var own = identifiersByDevice[id] ?? []
            if let place = own.firstIndex(of: name.legacyText) {
                own[place] = name.key
            } else if own.count < Self.identifierLimit {
                own.append(name.key)
            } else {
                return
            }
            identifiersByDevice[id] = own
            devices[name.key] = id
            count += 1
        }
        guard devices[name.key] == id else { return }
        for text in [name.legacyText] + DeviceIdentifier.keys(of: name.legacyText) where former[text] == id { former[text] = nil }
    }

    // MARK: Entities

    /// The id of an entity: Home Assistant's form, `lock.back_door` or `sensor.back_door_battery`; nil if no new one is given any more.
    mutating func entityID(for entity: AnnouncedEntity, deviceID: String) -> String? {
        let keys = [entity.key, entity.stableKey].compactMap(\.self)
        var known: String?
        for key in keys where known == nil { known = entities[deviceID]?[key] }
        guard known != nil || !isFull else { return nil }
        let id = known ?? availableID(preferredID(for: entity, in: deviceID), separator: "_", key: "\(deviceID)\u{0}\(entity.key)")
        for key in keys where entities[deviceID]?[key] == nil {
            entities[deviceID, default: [:]][key] = id
            count += 1
        }
        return id
    }

    private func preferredID(for entity: AnnouncedEntity, in deviceID: String) -> String {
        let device = deviceID.replacing("-", with: "_")
        guard let name = entity.name.flatMap({ Slug.make($0, separator: "_") }), name != device else {
            return "\(entity.kind.rawValue).\(device)"
        }
        // Many devices repeat their own name in every entity.
        return "\(entity.kind.rawValue).\(name.hasPrefix(device + "_") ? name : "\(device)_\(name)")"
    }

    /// The ids that a device's entities have been given, by their own unique ids; those too that are not announced just now.
    func entityIDs(of deviceID: String) -> [String: String] { entities[deviceID] ?? [:] }

    // MARK: Releasing ids

    /// Gives `id` up to another owner. Its bearer here gets another one at the next request.
    mutating func release(_ id: String) {
        reserved.insert(id)
        devices = devices.filter { $0.value != id }
        former = former.filter { $0.value != id }
        identifiersByDevice[id] = nil
        entities[id] = nil
        for device in entities.keys { entities[device] = entities[device]?.filter { $0.value != id } }
        recount()
    }

    /// Drops what is no longer needed, so that a stranger who makes up devices all day fills nothing. What an earlier run knew stays.
    mutating func trim(to limit: Int, keeping used: () -> Set<String>) {
        guard count - earlierCount > limit else { return }
        let used = used().union(earlierIDs)
        devices = devices.filter { used.contains($0.value) }
        identifiersByDevice = identifiersByDevice.filter { used.contains($0.key) }
        entities = entities.mapValues { $0.filter { used.contains($0.value) } }.filter { !$0.value.isEmpty }
        recount()
    }

    private mutating func recount() { count = entities.values.reduce(devices.count) { $0 + $1.count } }

    private var isFull: Bool { usedIDs.count - earlierIDs.count >= Self.idLimit }

    private mutating func availableID(_ wish: String, separator: Character, key: String) -> String {
        let id = Slug.unique(wish, separator: separator, key: key) { reserved.contains($0) || usedIDs.contains($0) }
        usedIDs.insert(id)
        return id
    }

    // MARK: An earlier run

    /// - Parameter isGone: it was withdrawn, so what a device of the house says comes first.
    private mutating func register(_ device: Device, isGone: Bool) {
        let first = device.attributes[MQTTIntegration.identifierAttribute]?.string
        var names: [String] = []
        if case .array(let list)? = device.attributes[MQTTIntegration.identifiersAttribute] { names = list.compactMap(\.string) }
        let keys = Set(names.filter(DeviceIdentifier.isKey))
        for name in names where !(identifiersByDevice[device.id]?.contains(name) ?? false) {
            // A name from an earlier version belongs to devices that were merged into this one.
            let isFree = DeviceIdentifier.isKey(name) ? devices[name] == nil : former[name] == nil
            guard isFree else { continue }
            if DeviceIdentifier.isKey(name) { devices[name] = device.id } else { former[name] = device.id }
            identifiersByDevice[device.id, default: []].append(name)
        }
        if let first, keys.isDisjoint(with: DeviceIdentifier.keys(of: first)), former[first] == nil {
            let isAnothers = DeviceIdentifier.keys(of: first).contains { devices[$0] != nil }
            if !isGone || !isAnothers { former[first] = device.id }
        }
        guard first != nil || !names.isEmpty else {
            // Its owner is unknown.
            if isGone { reserved.formUnion([device.id] + device.entities.map(\.id)) }
            return
        }
        usedIDs.insert(device.id)
        guard case .object(let ids)? = device.attributes[MQTTIntegration.entitiesAttribute] else { return }
        for (key, id) in ids {
            guard let id = id.string else { continue }
            entities[device.id, default: [:]][key] = id
            usedIDs.insert(id)
        }
    }
}
