import CardeaModel

/// Renders a memory's text in the reader's temperature unit. Text written by a person stays as it is; the house's own sentence with a
/// temperature in it is stored beside the text and rendered anew for each reader.
extension Memory {
    /// The key in a memory's details for the sentence that its text is rendered from.
    static let sentenceKey = "saying"
    /// Details that only the house writes.
    static let reservedDetails: Set<String> = [Memories.subjectKey, Memories.energyKey, "evidence", "told", sentenceKey]

    /// True if the text depends on the reader's temperature unit.
    var containsTemperatures: Bool { ownSentence != nil }

    private var ownSentence: ParameterizedSentence? { person == nil ? ParameterizedSentence(stored: details[Self.sentenceKey]) : nil }

    /// The memory with its text for this reader.
    func rendered(in degrees: TemperatureUnit) -> Memory {
        guard person == nil else { return self }
        var memory = self
        if let ownSentence { memory.content = ownSentence.text(in: degrees) }
        memory.details.removeValue(forKey: Self.sentenceKey)
        if case .object(var told)? = details["told"] {
            if let once = ParameterizedSentence(stored: told[Self.sentenceKey]) { told["content"] = .string(once.text(in: degrees)) }
            told.removeValue(forKey: Self.sentenceKey)
            memory.details["told"] = .object(told)
        }
        return memory
    }

    /// Replaces the text by a person's own. From then on every reader gets that text.
    mutating func replaceContent(_ content: String) {
        self.content = content
        details.removeValue(forKey: Self.sentenceKey)
    }
}
