import CardeaModel

/// Assigns unique ids to entities.
///
/// Home Assistant's entity ids change: people rename them, and "Recreate entity IDs" renames hundreds at once. The id in its entity
/// registry stays. An entity of the house is called as Home Assistant called it when it was first seen, and keeps that id; whatever takes
/// the old entity id later gets another one, because a guest's pass may be written for the first.
struct EntityIDAllocator: Sendable {
    /// The most keys that are remembered.
    static let limit = 40_000

    /// The house's ids by registry id, by origin, and by entity id for entities without an entry.
    private var ids: [String: String] = [:]
    /// Maps the house's id to the registry id, or to the key of an entity without an entry.
    private var keys: [String: String] = [:]
    private var origins: [String: String] = [:]
    /// The house's ids of a version that kept no keys, each with the unique id of its entity.
    private var idsWithoutKeys: [String: String?] = [:]
    private var hasReadRegistry = false
    private let reserved: Set<String>
    /// The ids of an earlier run, which are never forgotten, and the number of keys that it takes.
    private let earlierIDs: Set<String>
    private let earlierCount: Int

    /// - Parameters:
    ///   - known: devices of an earlier run, with the owners of their entities' ids in their attributes.
    ///   - reserved: ids of entities that other integrations had.
    init(known: [Device] = [], reserved: Set<String> = []) {
        self.reserved = reserved
        for device in known {
            for (key, id) in DeviceIDAllocator.entityKeys(of: device) {
                ids[key] = id
                if Self.isOrigin(key) { origins[id] = key } else { keys[id] = key }
            }
        }
        // An entry without an id of its own.
        for (id, origin) in origins where keys[id] == nil { keys[id] = origin }
        for entity in known.flatMap(\.entities) where keys[entity.id] == nil { idsWithoutKeys[entity.id] = .some(entity.uniqueID) }
        earlierIDs = Set(ids.values)
        earlierCount = ids.count
    }

    /// Returns the house's id of an entity with an entry in the registry.
    ///
    /// An entry that was deleted and created again by the same integration, with the same unique id, is the one before.
    ///
    /// - Parameter registered: entity ids of all entries by their own ids.
    mutating func id(of entry: EntityRegistryEntry, among registered: [String: String]) -> String {
        if let id = ids[entry.id] {
            register(entry, id)
            return id
        }
        if let id = entry.origin.flatMap({ ids[$0] }), let before = keys[id], registered[before] == nil {
            ids[before] = nil
            register(entry, id)
            return id
        }
        let id = availableID(entry.entityID, key: entry.id)
        register(entry, id)
        return id
    }

    /// The house's id of an entity without an entry. It cannot be renamed; its entity id is what it is known by.
    mutating func id(ofUnregistered entityID: String) -> String {
        let key = Self.key(ofUnregistered: entityID)
        if let id = ids[key] { return id }
        let id = idsWithoutKeys.removeValue(forKey: entityID) != nil ? entityID : availableID(entityID, key: key)
        ids[key] = id
        keys[id] = key
        return id
    }

    func knows(unregistered entityID: String) -> Bool {
        ids[Self.key(ofUnregistered: entityID)] != nil || idsWithoutKeys.keys.contains(entityID)
    }

    /// Returns the keys by which an entity of the house is found again after a restart.
    func keys(of id: String) -> [String: String] {
        let all = [keys[id], origins[id]].compactMap(\.self).map { ($0, id) }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether `key` still belongs to the entity.
    func belongs(_ key: String, to id: String) -> Bool { ids[key] == id }

    /// Learns the keys of entities of a version that kept none, from the first registry that is read.
    ///
    /// An entity id that now belongs to another unique id was renamed meanwhile, where the unique id is still there.
    mutating func recoverKeys(from entries: [EntityRegistryEntry]) {
        guard !hasReadRegistry else { return }
        hasReadRegistry = true
        let byEntityID = Dictionary(entries.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        let byUniqueID = Dictionary(grouping: entries.filter { $0.uniqueID != nil }) { "\($0.domain).\($0.uniqueID ?? "")" }
        for (id, uniqueID) in idsWithoutKeys.sorted(by: { $0.key < $1.key }) {
            var candidate = byEntityID[id]
            if let uniqueID, candidate?.uniqueID != uniqueID {
                let domain = id.prefix { $0 != "." }
                if let same = byUniqueID["\(domain).\(uniqueID)"], same.count == 1 { candidate = same.first }
            }
            guard let entry = candidate, ids[entry.id] == nil else { continue }
            idsWithoutKeys[id] = nil
            register(entry, id)
        }
    }

    /// Drops ids that are no longer needed, since a Home Assistant that keeps making up entities would fill the memory.
    mutating func trim(keeping used: () -> Set<String>) {
        guard ids.count - earlierCount > Self.limit else { return }
        let used = used().union(earlierIDs)
        ids = ids.filter { used.contains($0.value) }
        keys = keys.filter { used.contains($0.key) }
        origins = origins.filter { used.contains($0.key) }
    }

    private mutating func register(_ entry: EntityRegistryEntry, _ id: String) {
        ids[entry.id] = id
        keys[id] = entry.id
        guard let origin = entry.origin, origins[id] != origin else { return }
        if let before = origins[id], ids[before] == id { ids[before] = nil }
        origins[id] = origin
        ids[origin] = id
    }

    private func availableID(_ wish: String, key: String) -> String {
        Slug.unique(wish, separator: "_", key: key) { keys[$0] != nil || idsWithoutKeys.keys.contains($0) || reserved.contains($0) }
    }

    private static func key(ofUnregistered entityID: String) -> String { "entity:\(entityID)" }
    private static func isOrigin(_ key: String) -> Bool { key.hasPrefix(EntityRegistryEntry.originPrefix) }
}
