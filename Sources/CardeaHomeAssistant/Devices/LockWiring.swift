import CardeaModel

/// A lock.
struct LockWiring: Wiring {
    private let said: Said

    init(_ said: Said, isFahrenheit: Bool) { self.said = said }

    /// A code that Home Assistant keeps for the lock is sent by itself; see `RegisteredEntity`.
    private var wantsCode: Bool { said.text("code_format") != nil && said.attributes[RegisteredEntity.keepsCode] != true }

    var verbs: Set<Verb> {
        if wantsCode { return [.lock] }
        // Bit 1 is a latch that can be pulled.
        return said.has(1) ? [.lock, .unlock, .open] : [.lock, .unlock]
    }

    var notice: String? { wantsCode ? "This lock wants a code with every opening, and codes are not sent." : nil }

    var state: EntityState {
        let words: Set = ["locked", "unlocked", "locking", "unlocking", "jammed", "open", "opening"]
        return EntityState(words.contains(said.value) ? said.value : "unknown")
    }

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        verbs.contains(verb) ? ServiceCall(verb.rawValue) : nil
    }
}
