/// Fills the placeholders of a sentence. Filled-in values are never looked at again, so a name like "{who}" is only a name.
enum SentenceTemplate {
    static func render(_ sentence: String, _ values: [Placeholder: String]) -> String {
        var filled = ""
        var rest = sentence[...]
        while let opening = rest.firstIndex(of: "{"), let closing = rest[opening...].firstIndex(of: "}") {
            filled += rest[..<opening]
            let value = Placeholder(rawValue: String(rest[rest.index(after: opening)..<closing])).flatMap { values[$0] } ?? ""
            rest = rest[rest.index(after: closing)...]
            // An empty placeholder takes a space along; a value that begins with a comma joins the text before it.
            if value.isEmpty || value.hasPrefix(","), filled.last == " " {
                filled.removeLast()
            } else if value.isEmpty, filled.isEmpty, rest.first == " " {
                rest.removeFirst()
            }
            filled += filled.hasSuffix(". ") ? capitalized(value) : value
        }
        return filled + rest
    }

    /// The placeholders of a sentence, in order.
    static func placeholders(in sentence: String) -> [Placeholder] {
        var places: [Placeholder] = []
        var rest = sentence[...]
        while let opening = rest.firstIndex(of: "{"), let closing = rest[opening...].firstIndex(of: "}") {
            places += [Placeholder(rawValue: String(rest[rest.index(after: opening)..<closing]))].compactMap(\.self)
            rest = rest[rest.index(after: closing)...]
        }
        return places
    }

    /// Returns whether every placeholder of the sentence exists.
    static func isValid(_ sentence: String) -> Bool {
        var rest = sentence[...]
        while let opening = rest.firstIndex(of: "{") {
            guard let closing = rest[opening...].firstIndex(of: "}"),
                Placeholder(rawValue: String(rest[rest.index(after: opening)..<closing])) != nil
            else { return false }
            rest = rest[rest.index(after: closing)...]
        }
        return true
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
