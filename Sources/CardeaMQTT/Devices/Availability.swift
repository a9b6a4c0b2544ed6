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
    /// False if the format of the availability is not supported. The entity is offline then: a door that cannot answer must not look as if
    /// it could.
    let isReadable: Bool
    private var reports: [Int: Bool] = [:]
    private var last: Bool?

    init(sources: [Source] = [], mode: Mode = .latest, isReadable: Bool = true) {
        self.sources = sources
        self.mode = mode
        self.isReadable = isReadable
    }

    static let unreadable = Availability(isReadable: false)

    /// Updates the state from a message. A payload that is neither "available" nor "not available" changes nothing.
    mutating func receive(_ message: IncomingMessage) {
        for (index, source) in sources.enumerated() {
            guard let word = source.stateTopic.text(in: message) else { continue }
            if word == source.available {
                reports[index] = true
                last = true
            } else if word == source.notAvailable {
                reports[index] = false
                last = false
            }
        }
    }

    /// Forgets all reports, because the connection is gone.
    mutating func reset() {
        reports = [:]
        last = nil
    }

    /// True if the entity is online; nil until enough reports are known.
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
