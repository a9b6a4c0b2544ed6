import CardeaModel

/// How one entity is wired to topics: what it says there, and what it is told there. Pure; no wire in sight.
protocol Wiring: Sendable {
    /// What its topics allow.
    var verbs: Set<Verb> { get }
    /// What it listens to.
    var readings: [Reading] { get }
    /// The state after `heard`, or nil when it says nothing about this entity.
    func state(_ state: EntityState, after heard: Heard) -> EntityState?
    /// What to send for `verb`, or nil when that cannot be said to this device.
    func telegrams(for verb: Verb, value: JSONValue?, transition: Double?, in state: EntityState) -> [Telegram]?
    /// Whether the device will tell how `verb` went.
    func reports(_ verb: Verb) -> Bool
}

extension Wiring {
    func reports(_ verb: Verb) -> Bool { !readings.isEmpty }
}

/// The two readings nearly every kind has: a word for the state, mapped to the house's own.
struct Words: Hashable, Sendable {
    /// Home Assistant's word for "I no longer know".
    var reset = "None"
    private var meanings: [String: String] = [:]

    init(_ pairs: [(said: String?, means: String)], reset: String? = nil) {
        for (said, means) in pairs {
            if let said, meanings[said] == nil { meanings[said] = means }
        }
        if let reset { self.reset = reset }
    }

    /// The house's word, or nil for one nobody told us about.
    func meaning(of word: String) -> String? { meanings[word] ?? (word == reset ? "unknown" : nil) }
}
