import CardeaModel
import Foundation

/// Numbers and words as devices write them: finite numbers only, and Python's spelling of the rest, because templates are Python's.
enum PayloadText {
    static func number(_ text: String) -> Double? {
        guard let number = Double(trimmed(text)), number.isFinite else { return nil }
        return number
    }

    /// Most texts have no white space at their ends, and Foundation takes a microsecond to find none.
    static func trimmed(_ text: String) -> String {
        let isTrimmed = [text.utf8.first, text.utf8.last].allSatisfy { $0.map { (0x21...0x7E).contains($0) } ?? true }
        return isTrimmed ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .number(let number)? where number.isFinite: number
        case .string(let text)?: number(text)
        default: nil
        }
    }

    /// A whole number is written as one: `42`, not `42.0`.
    static func write(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return String(number)
    }

    /// Rounded to `places` decimals.
    static func round(_ number: Double, _ places: Int = 0) -> Double {
        guard (0...9).contains(places), number.magnitude < 1e15 else { return number }
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (number * scale).rounded() / scale
    }

    /// A JSON value as a template prints it. Nil for what has no plain form.
    static func write(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text
        case .number(let number)?: write(number)
        case .bool(let bool)?: bool ? "True" : "False"
        case .null?: "None"
        default: nil
        }
    }

    /// Returns text from the network for a notification: shortened, quoted and without invisible characters.
    static func quoted(_ text: String) -> String {
        let shown = Name.cleaned(String(text.prefix(80)), else: "?")
        return "“\(shown)”"
    }
}
