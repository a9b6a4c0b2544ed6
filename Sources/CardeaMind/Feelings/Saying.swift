import Foundation

/// A sentence of the lexicon and the names in it. Names are what people called their things: they are put in last, as they are, and nothing
/// in them is read as part of the sentence.
public struct Saying: Codable, Hashable, Sendable, CustomStringConvertible {
    /// `{}` stands where a name comes.
    public let form: String
    public let names: [String]

    static let mark = "{}"

    public init(_ form: String, _ names: String...) {
        self.form = form
        self.names = names
    }

    init(_ form: String, names: [String]) {
        self.form = form
        self.names = names
    }

    public var text: String {
        var text = ""
        var rest = form[...]
        var names = names[...]
        while let mark = rest.range(of: Self.mark) {
            text += rest[..<mark.lowerBound]
            text += names.popFirst() ?? "something"
            rest = rest[mark.upperBound...]
        }
        return text + rest
    }

    public var description: String { text }
}
