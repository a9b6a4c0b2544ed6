import CardeaModel

/// Assigns unique ids to devices and rooms.
///
/// A device is called by its name, `front-door`; if that is taken, six digits made of Home Assistant's own id keep it apart. An id
/// once given stays, because a guest's pass may be written for it.
struct DeviceIDAllocator: Sendable {
    /// Ids that belong to other integrations.
    private var reserved: Set<String>
    private var idsByKey: [String: String]
    private var keysByID: [String: String]
    /// The entities' ids by their keys, in each device; also of those that Home Assistant does not report any more.
    private var entities: [String: [String: String]] = [:]
    private var devicesOfKeys: [String: String] = [:]

    /// - Parameters:
    ///   - known: devices of an earlier run.
    ///   - former: devices that were withdrawn or removed. Only they get their ids again.
    ///   - reserved: ids of other integrations' devices.
    init(known: [Device], former: [Device] = [], reserved: Set<String>) {
        let remembered = (known + former).compactMap { device in
            device.attributes[HomeAssistantMirror.keyAttribute]?.string.map { ($0, device.id) }
        }
        self.init(remembered: Dictionary(remembered, uniquingKeysWith: { first, _ in first }), reserved: reserved)
        for device in former where keysByID[device.id] == nil { self.reserved.insert(device.id) }
        for device in former + known {
            entities[device.id] = Self.entityKeys(of: device)
            for key in Self.entityKeys(of: device).keys { devicesOfKeys[key] = device.id }
        }
    }

    /// - Parameter remembered: ids by Home Assistant's name of the device, from an earlier run.
    init(remembered: [String: String] = [:], reserved: Set<String> = []) {
        self.reserved = reserved
        idsByKey = remembered
        keysByID = Dictionary(remembered.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func id(for key: String, called name: String, else fallback: String = "device") -> String {
        if let known = idsByKey[key] { return known }
        let id = Slug.unique(Slug.make(name) ?? fallback, key: key) { reserved.contains($0) || keysByID[$0].map { $0 != key } ?? false }
        idsByKey[key] = id
        keysByID[id] = key
        return id
    }

    /// A device that Home Assistant created again, after a crash or because it was removed and added, is the one that had its entities
    /// before.
    mutating func inherit(_ id: String?, for key: String, unlessAmong keys: Set<String>) {
        guard idsByKey[key] == nil, let id, let before = keysByID[id], !keys.contains(before) else { return }
        idsByKey[before] = nil
        idsByKey[key] = id
        keysByID[id] = key
    }

    /// The id belongs to another owner; its bearer here gets another one.
    mutating func release(away id: String) {
        reserved.insert(id)
        guard let key = keysByID.removeValue(forKey: id) else { return }
        idsByKey[key] = nil
    }

    // MARK: Entities

    /// The most keys that one device remembers.
    private static let keyLimit = 4096

    /// The keys by which the entities of a stored device are found again, with the house's ids.
    static func entityKeys(of device: Device) -> [String: String] {
        guard case .object(let keys)? = device.attributes[HomeAssistantMirror.entitiesAttribute] else { return [:] }
        return keys.compactMapValues(\.string)
    }

    /// Records the keys of a device's entities, and returns them with those of its entities that are gone.
    ///
    /// - Parameter belongs: false for a key that has moved to another entity, or to none.
    mutating func remember(
        _ keys: [String: String], of deviceID: String, belongs: (_ key: String, _ id: String) -> Bool
    ) -> [String: String] {
        for key in keys.keys where devicesOfKeys[key] != deviceID {
            if let before = devicesOfKeys[key] { entities[before]?[key] = nil }
            devicesOfKeys[key] = deviceID
        }
        var all = (entities[deviceID] ?? [:]).merging(keys) { _, now in now }.filter { belongs($0.key, $0.value) }
        if all.count > Self.keyLimit { all = keys }
        entities[deviceID] = all
        return all
    }
}
