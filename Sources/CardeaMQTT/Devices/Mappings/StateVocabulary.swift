import CardeaModel

/// The words of a state, mapped to the house's own.
struct StateVocabulary: Hashable, Sendable {
    /// Home Assistant's word for "I no longer know".
    static let none = "None"

    private var meanings: [String: String] = [:]

    /// The first of two equal words counts.
    ///
    /// - Parameter reset: the device's word for a state that it does not know.
    init(_ pairs: [(said: String?, means: String)], reset: String? = nil) {
        for (said, means) in pairs {
            if let said, meanings[said] == nil { meanings[said] = means }
        }
        if let reset {
            meanings[reset] = "unknown"
        } else if meanings[Self.none] == nil {
            meanings[Self.none] = "unknown"
        }
    }

    /// Returns the house's word; nil for an unknown one.
    func meaning(of word: String) -> String? { meanings[word] }
}
