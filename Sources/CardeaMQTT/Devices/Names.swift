import CardeaModel

/// Gives devices and entities the ids the house knows them by, and never the same one to two.
///
/// A device is called by its name, `back-door`, and its own identifier keeps it apart from another of that name: `back-door-3f9c21`.
/// An id once given stays with its identifier, because a guest's pass may be written for it.
struct Names: Sendable {
    /// Ids that belong to other integrations.
    private var reserved: Set<String>
    /// Ids of devices by each of their own identifiers.
    private var devices: [String: String] = [:]
    /// Ids of entities by their own unique ids, in each device.
    private var entities: [String: [String: String]] = [:]
    private var count = 0
    private var takenBy: [String: String] = [:]

    /// - Parameter known: devices of an earlier run, which say in their attributes whose their ids are.
    init(known: [Device] = [], reserved: Set<String> = []) {
        self.reserved = reserved
        for device in known {
            if let identifier = device.attributes[MQTTIntegration.identifierAttribute]?.string {
                devices[identifier] = device.id
                takenBy[device.id] = identifier
                count += 1
            }
            guard case .object(let ids)? = device.attributes[MQTTIntegration.entitiesAttribute] else { continue }
            for (key, id) in ids {
                guard let id = id.string else { continue }
                entities[device.id, default: [:]][key] = id
                takenBy[id] = Self.claimant(key, in: device.id)
                count += 1
            }
        }
    }

    /// The id of a device, by any of its identifiers.
    mutating func deviceID(for device: AnnouncedDevice) -> String {
        let known = device.identifiers.lazy.compactMap { [devices] in devices[$0] }.first
        let key = device.identifiers.first ?? device.name
        let id = known ?? free(Slug.make(device.name) ?? Slug.make(key) ?? "device", separator: "-", key: key)
        for identifier in device.identifiers where devices[identifier] == nil {
            devices[identifier] = id
            count += 1
        }
        return id
    }

    /// The id of an entity: Home Assistant's form, `lock.back_door` or `sensor.back_door_battery`.
    mutating func entityID(for entity: AnnouncedEntity, deviceID: String) -> String {
        if let known = entities[deviceID]?[entity.key] { return known }
        let device = deviceID.replacing("-", with: "_")
        var slug = device
        if let name = entity.name.flatMap({ Slug.make($0, separator: "_") }), name != device {
            // Many devices repeat their own name in every entity.
            slug = name.hasPrefix(device + "_") ? name : "\(device)_\(name)"
        }
        let id = free("\(entity.kind.rawValue).\(slug)", separator: "_", key: Self.claimant(entity.key, in: deviceID))
        entities[deviceID, default: [:]][entity.key] = id
        count += 1
        return id
    }

    /// The ids that a device's entities have been given, by their own unique ids; those too that are not announced just now.
    func entityIDs(of deviceID: String) -> [String: String] { entities[deviceID] ?? [:] }

    /// Somebody else has `id`. Whoever had it here is given another one when next asked for.
    mutating func giveUp(_ id: String) {
        reserved.insert(id)
        takenBy[id] = nil
        devices = devices.filter { $0.value != id }
        entities[id] = nil
        for device in entities.keys { entities[device] = entities[device]?.filter { $0.value != id } }
        recount()
    }

    /// Drops what is no longer needed, so that a stranger who makes up devices all day fills nothing.
    mutating func trim(to limit: Int, keeping used: () -> Set<String>) {
        guard count > limit else { return }
        let used = used()
        devices = devices.filter { used.contains($0.value) }
        entities = entities.mapValues { $0.filter { used.contains($0.value) } }.filter { !$0.value.isEmpty }
        takenBy = takenBy.filter { used.contains($0.key) }
        recount()
    }

    private mutating func recount() { count = entities.values.reduce(devices.count) { $0 + $1.count } }

    /// Two entities of one device are two, and so are two of the same unique id in two devices.
    private static func claimant(_ entityKey: String, in deviceID: String) -> String { "\(deviceID)\u{0}\(entityKey)" }

    private mutating func free(_ wish: String, separator: Character, key: String) -> String {
        let id = Slug.free(wish, separator: separator, key: key) { reserved.contains($0) || takenBy[$0].map { $0 != key } ?? false }
        takenBy[id] = key
        return id
    }
}
