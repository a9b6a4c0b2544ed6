import CardeaModel

/// What a memory says, in the degrees of whoever reads it. What somebody wrote stays as they wrote it; a sentence of the house's own with a
/// temperature in it is kept beside its words, and made anew for each reader.
extension Memory {
    /// Under which name a memory's details keep the sentence of which its words are made.
    static let saying = "saying"
    /// Details that only the house writes.
    static let ownDetails: Set<String> = [Memories.about, Memories.energy, "evidence", "told", saying]

    /// Whether its words are other ones to who reads temperatures otherwise.
    var isInDegrees: Bool { ownSaying != nil }

    private var ownSaying: Saying? { person == nil ? Saying(kept: details[Self.saying]) : nil }

    /// As somebody reads it.
    func told(in degrees: TemperatureUnit) -> Memory {
        guard person == nil else { return self }
        var memory = self
        if let ownSaying { memory.content = ownSaying.text(in: degrees) }
        memory.details.removeValue(forKey: Self.saying)
        if case .object(var told)? = details["told"] {
            if let once = Saying(kept: told[Self.saying]) { told["content"] = .string(once.text(in: degrees)) }
            told.removeValue(forKey: Self.saying)
            memory.details["told"] = .object(told)
        }
        return memory
    }

    /// Has it say what somebody wants it to say: from then on that is what it says to everybody.
    mutating func rewrite(_ content: String) {
        self.content = content
        details.removeValue(forKey: Self.saying)
    }
}
