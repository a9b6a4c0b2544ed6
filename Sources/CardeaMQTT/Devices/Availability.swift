import CardeaModel

/// The reachability of an entity, by its availability topics.
struct Availability: Sendable {
    enum Mode: String, Sendable {
        case all, any, latest
    }

    struct Source: Hashable, Sendable {
        let stateTopic: StateTopic
        var available = "online"
        var notAvailable = "offline"
    }

    let sources: [Source]
    let mode: Mode
    /// False where it is told in a way that is not understood. The entity is offline then: a door that nobody answers from must not look as if it
    /// could be asked.
    let isReadable: Bool
    private var reports: [Int: Bool] = [:]
    private var last: Bool?

    init(sources: [Source] = [], mode: Mode = .latest, isReadable: Bool = true) {
        self.sources = sources
        self.mode = mode
        self.isReadable = isReadable
    }

    static let unreadable = Availability(isReadable: false)

    /// Takes in a message. A word that is neither "available" nor "not available" changes nothing.
    mutating func receive(_ heard: IncomingMessage) {
        for (index, source) in sources.enumerated() {
            guard let word = source.stateTopic.text(in: heard) else { continue }
            if word == source.available {
                reports[index] = true
                last = true
            } else if word == source.notAvailable {
                reports[index] = false
                last = false
            }
        }
    }

    /// What was heard is old: the connection is gone.
    mutating func reset() {
        reports = [:]
        last = nil
    }

    /// Nil while nobody has said enough.
    var isOnline: Bool? {
        guard isReadable else { return false }
        switch mode {
        case .latest: return last
        case .all:
            if reports.values.contains(false) { return false }
            return reports.count == sources.count && !sources.isEmpty ? true : nil
        case .any:
            if reports.values.contains(true) { return true }
            return reports.count == sources.count && !sources.isEmpty ? false : nil
        }
    }
}
