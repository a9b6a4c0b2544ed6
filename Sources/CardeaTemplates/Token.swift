/// A word of a template.
struct Token {
    enum Kind: Hashable {
        case data(String)
        case variableBegin
        case variableEnd
        case blockBegin
        case blockEnd
        case name(String)
        case string(String)
        case integer(Int)
        case float(Double)
        case symbol(String)
        case end
    }

    let kind: Kind
    let line: Int

    /// The token as an error names it.
    var description: String {
        switch kind {
        case .data: "text"
        case .variableBegin: "{{"
        case .variableEnd: "}}"
        case .blockBegin: "{%"
        case .blockEnd: "%}"
        case .name(let name): name
        case .string: "a string"
        case .integer(let number): String(number)
        case .float(let number): String(number)
        case .symbol(let symbol): symbol
        case .end: "the end of the template"
        }
    }
}
