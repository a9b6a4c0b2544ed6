import CardeaModel

/// A lock.
struct LockMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    /// A code that Home Assistant stores for the lock is sent automatically; see `EntityRegistryEntry`.
    private var requiresCode: Bool { report.text("code_format") != nil && report.attributes[EntityRegistryEntry.keepsCode] != true }

    var verbs: Set<Verb> {
        if requiresCode { return [.lock] }
        // Bit 1: a latch that can be opened.
        return report.hasFeature(1) ? [.lock, .unlock, .open] : [.lock, .unlock]
    }

    var notice: String? { requiresCode ? "This lock requires a code for each opening, and codes are not sent to Home Assistant." : nil }

    var state: EntityState {
        let words: Set = ["locked", "unlocked", "locking", "unlocking", "jammed", "open", "opening"]
        return EntityState(words.contains(report.value) ? report.value : "unknown")
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        verbs.contains(verb) ? ServiceCall(verb.rawValue) : nil
    }
}
