import CardeaModel

/// Gives devices and entities the ids the house knows them by, and never the same one to two.
///
/// A device is called by its name, `back-door`, and its own identifier keeps it apart from another of that name: `back-door-3f9c21`.
/// An id once given stays with its identifier, because a guest's pass may be written for it.
struct Names: Sendable {
    /// Ids that belong to other integrations.
    private let reserved: Set<String>
    private var idOf: [String: String]
    private var takenBy: [String: String]

    /// - Parameter remembered: device ids by the devices' own identifiers, from an earlier run.
    init(remembered: [String: String] = [:], reserved: Set<String> = []) {
        self.reserved = reserved
        idOf = remembered
        takenBy = Dictionary(remembered.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// The id of a device, by any of its identifiers.
    mutating func deviceID(for device: AnnouncedDevice) -> String {
        if let known = device.identifiers.first(where: { idOf[$0] != nil }).flatMap({ idOf[$0] }) {
            for identifier in device.identifiers where idOf[identifier] == nil { idOf[identifier] = known }
            return known
        }
        let key = device.identifiers.first ?? device.name
        let id = free(Slug.make(device.name) ?? Slug.make(key) ?? "device", separator: "-", key: key)
        for identifier in device.identifiers { idOf[identifier] = id }
        return id
    }

    /// The id of an entity: Home Assistant's form, `lock.back_door` or `sensor.back_door_battery`.
    mutating func entityID(for entity: AnnouncedEntity, deviceID: String) -> String {
        let key = "\(deviceID)\u{0}\(entity.key)"
        if let known = idOf[key] { return known }
        let device = deviceID.replacing("-", with: "_")
        var slug = device
        if let name = entity.name.flatMap({ Slug.make($0, separator: "_") }), name != device {
            // Many devices repeat their own name in every entity.
            slug = name.hasPrefix(device + "_") ? name : "\(device)_\(name)"
        }
        let id = free("\(entity.kind.rawValue).\(slug)", separator: "_", key: key)
        idOf[key] = id
        return id
    }

    /// Drops what is no longer needed, so that a stranger who makes up devices all day fills nothing.
    mutating func trim(to limit: Int, keeping used: () -> Set<String>) {
        guard idOf.count > limit else { return }
        let used = used()
        idOf = idOf.filter { used.contains($0.value) }
        takenBy = takenBy.filter { used.contains($0.key) }
    }

    private mutating func free(_ wish: String, separator: Character, key: String) -> String {
        let id = Slug.free(wish, separator: separator, key: key) { reserved.contains($0) || takenBy[$0].map { $0 != key } ?? false }
        takenBy[id] = key
        return id
    }
}
