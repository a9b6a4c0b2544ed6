import CardeaModel

/// Gives devices and rooms the ids the house knows them by, and never the same one to two.
///
/// A device is called by its name, `front-door`; where that is taken, six digits made of Home Assistant's own id keep it apart. An id
/// once given stays, because a guest's pass may be written for it.
struct DeviceNames: Sendable {
    /// Ids that belong to other integrations.
    private var reserved: Set<String>
    private var idOf: [String: String]
    private var takenBy: [String: String]

    /// - Parameter remembered: ids by what Home Assistant calls the device, from an earlier run.
    init(remembered: [String: String] = [:], reserved: Set<String> = []) {
        self.reserved = reserved
        idOf = remembered
        takenBy = Dictionary(remembered.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func id(for key: String, called name: String, else fallback: String = "device") -> String {
        if let known = idOf[key] { return known }
        let id = Slug.free(Slug.make(name) ?? fallback, key: key) { reserved.contains($0) || takenBy[$0].map { $0 != key } ?? false }
        idOf[key] = id
        takenBy[id] = key
        return id
    }

    /// A device that Home Assistant made anew, after a crash or because somebody took it out and in again, is the one that had its
    /// entities before.
    mutating func inherit(_ id: String?, for key: String, unlessAmong keys: Set<String>) {
        guard idOf[key] == nil, let id, let before = takenBy[id], !keys.contains(before) else { return }
        idOf[before] = nil
        idOf[key] = id
        takenBy[id] = key
    }

    /// The id belongs to somebody else after all; whoever had it gets another.
    mutating func give(away id: String) {
        reserved.insert(id)
        guard let key = takenBy.removeValue(forKey: id) else { return }
        idOf[key] = nil
    }
}
