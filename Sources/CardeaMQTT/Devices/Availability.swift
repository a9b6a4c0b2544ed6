import CardeaModel

/// The reachability of an entity, by its availability topics.
struct Availability: Sendable {
    enum Mode: String, Sendable {
        case all, any, latest
    }

    struct Source: Hashable, Sendable {
        let reading: Reading
        var available = "online"
        var notAvailable = "offline"
    }

    let sources: [Source]
    let mode: Mode
    /// False where it is told in a way that is not understood. The entity is offline then: a door that nobody answers from must not look as if it
    /// could be asked.
    let isReadable: Bool
    private var said: [Int: Bool] = [:]
    private var last: Bool?

    init(sources: [Source] = [], mode: Mode = .latest, isReadable: Bool = true) {
        self.sources = sources
        self.mode = mode
        self.isReadable = isReadable
    }

    static let unreadable = Availability(isReadable: false)

    /// Takes in a message. A word that is neither "available" nor "not available" changes nothing.
    mutating func hear(_ heard: Heard) {
        for (index, source) in sources.enumerated() {
            guard let word = source.reading.text(in: heard) else { continue }
            if word == source.available {
                said[index] = true
                last = true
            } else if word == source.notAvailable {
                said[index] = false
                last = false
            }
        }
    }

    /// What was heard is old: the connection is gone.
    mutating func forget() {
        said = [:]
        last = nil
    }

    /// Nil while nobody has said enough.
    var isOnline: Bool? {
        guard isReadable else { return false }
        switch mode {
        case .latest: return last
        case .all:
            if said.values.contains(false) { return false }
            return said.count == sources.count && !sources.isEmpty ? true : nil
        case .any:
            if said.values.contains(true) { return true }
            return said.count == sources.count && !sources.isEmpty ? false : nil
        }
    }
}
