import CardeaModel

/// What a memory says, in the degrees of whoever reads it. What somebody wrote stays as they wrote it; a sentence of the house's own with a
/// temperature in it is kept beside its words, and made anew for each reader.
extension Memory {
    /// Under which name a memory's details keep the sentence of which its words are made.
    static let sentenceKey = "saying"
    /// Details that only the house writes.
    static let reservedDetails: Set<String> = [Memories.subjectKey, Memories.energyKey, "evidence", "told", sentenceKey]

    /// Whether its words are other ones to who reads temperatures otherwise.
    var containsTemperatures: Bool { ownSentence != nil }

    private var ownSentence: ParameterizedSentence? { person == nil ? ParameterizedSentence(kept: details[Self.sentenceKey]) : nil }

    /// As somebody reads it.
    func rendered(in degrees: TemperatureUnit) -> Memory {
        guard person == nil else { return self }
        var memory = self
        if let ownSentence { memory.content = ownSentence.text(in: degrees) }
        memory.details.removeValue(forKey: Self.sentenceKey)
        if case .object(var told)? = details["told"] {
            if let once = ParameterizedSentence(kept: told[Self.sentenceKey]) { told["content"] = .string(once.text(in: degrees)) }
            told.removeValue(forKey: Self.sentenceKey)
            memory.details["told"] = .object(told)
        }
        return memory
    }

    /// Has it say what somebody wants it to say: from then on that is what it says to everybody.
    mutating func replaceContent(_ content: String) {
        self.content = content
        details.removeValue(forKey: Self.sentenceKey)
    }
}
