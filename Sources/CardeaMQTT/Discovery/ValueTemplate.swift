import CardeaModel
import Foundation

/// A value template, as far as it names a place in the message: `{{ value }}`, `{{ value_json.a.b[0]['c'] | round(1) }}`.
///
/// Home Assistant runs a whole language there. What goes beyond a path and a few harmless filters is not read, and said so:
/// a guess about a lock is worse than "unknown".
struct ValueTemplate: Hashable, Sendable {
    private enum Step: Hashable, Sendable {
        case member(String)
        case index(Int)
    }

    private enum Filter: Hashable, Sendable {
        case float(fallback: JSONValue?)
        case int(fallback: JSONValue?)
        case round(Int)
        case fallback(JSONValue, alsoForEmpty: Bool)
        case lower, upper, trim
    }

    /// Nil takes the message as it is.
    private var path: [Step]?
    private var readsJSON = false
    private var filters: [Filter] = []

    /// The message itself.
    static let plain = ValueTemplate()

    private init() {}

    /// Reads a template, or nil when it needs more than a path.
    init?(_ text: String) {
        guard text.utf8.count <= 1024 else { return nil }
        var scanner = Scanner(text)
        guard scanner.take("{{") else { return nil }
        _ = scanner.take("-")
        guard let root = scanner.name() else { return nil }
        switch root {
        case "value": break
        case "value_json":
            readsJSON = true
            var steps: [Step] = []
            while let more = scanner.step() {
                guard let step = more else { return nil }
                switch step {
                case .string(let name): steps.append(.member(name))
                case .number(let number):
                    guard let index = Int(exactly: number), index >= 0 else { return nil }
                    steps.append(.index(index))
                default: return nil
                }
            }
            path = steps
        default: return nil
        }
        while scanner.take("|") {
            guard let name = scanner.name(), let arguments = scanner.arguments(), let filter = Self.filter(name, arguments) else {
                return nil
            }
            filters.append(filter)
        }
        _ = scanner.take("-")
        guard scanner.take("}}"), scanner.isAtEnd else { return nil }
    }

    private static func filter(_ name: String, _ arguments: [JSONValue]) -> Filter? {
        switch (name, arguments.count) {
        case ("float", 0...1): return .float(fallback: arguments.first)
        case ("int", 0...1): return .int(fallback: arguments.first)
        case ("round", 0): return .round(0)
        case ("round", 1):
            guard let places = arguments.first?.number.flatMap({ Int(exactly: $0) }), (0...9).contains(places) else { return nil }
            return .round(places)
        case ("default", 1...2), ("d", 1...2):
            guard let value = arguments.first else { return nil }
            return .fallback(value, alsoForEmpty: arguments.count == 2 && arguments.last == .bool(true))
        case ("lower", 0): return .lower
        case ("upper", 0): return .upper
        case ("trim", 0): return .trim
        default: return nil
        }
    }

    /// What the message says there; nil when it says nothing there.
    func value(in heard: Heard) -> JSONValue? {
        var value: JSONValue?
        if readsJSON {
            value = heard.json
            for step in path ?? [] { value = Self.follow(step, in: value) }
        } else {
            value = heard.text.map(JSONValue.string)
        }
        for filter in filters {
            guard let next = Self.apply(filter, to: value) else { return nil }
            value = next
        }
        return value
    }

    /// The same, as text.
    func text(in heard: Heard) -> String? { Text.write(value(in: heard)) }

    private static func follow(_ step: Step, in value: JSONValue?) -> JSONValue? {
        switch (step, value) {
        case (.member(let name), .object(let members)?): return members[name]
        case (.index(let index), .array(let items)?):
            // Not `? :`, where nil would be JSON's null.
            guard items.indices.contains(index) else { return nil }
            return items[index]
        default: return nil
        }
    }

    private static func apply(_ filter: Filter, to value: JSONValue?) -> JSONValue?? {
        switch filter {
        case .float(let fallback):
            return (Text.number(value).map(JSONValue.number) ?? fallback).map(Optional.some)
        case .int(let fallback):
            return (Text.number(value).map { JSONValue.number($0.rounded(.towardZero)) } ?? fallback).map(Optional.some)
        case .round(let places):
            return Text.number(value).map { .number(Text.round($0, places)) }
        case .fallback(let fallback, let alsoForEmpty):
            let isEmpty = alsoForEmpty && [.string(""), .null, .number(0), .bool(false)].contains(value)
            return .some(value == nil || isEmpty ? fallback : value)
        case .lower: return Text.write(value).map { .string($0.lowercased()) }
        case .upper: return Text.write(value).map { .string($0.uppercased()) }
        case .trim: return Text.write(value).map { .string($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
    }
}

/// A command template is taken only when it changes nothing.
enum CommandTemplate {
    static func isPlain(_ text: String) -> Bool {
        ValueTemplate(text) == .some(.plain)
    }
}

/// Walks over a template, past white space.
private struct Scanner {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
        skip()
    }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func skip() { rest = rest.drop(while: \.isWhitespace) }

    mutating func take(_ token: String) -> Bool {
        guard rest.hasPrefix(token) else { return false }
        rest = rest.dropFirst(token.count)
        skip()
        return true
    }

    mutating func name() -> String? {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber else { return nil }
        rest = rest.dropFirst(name.count)
        skip()
        return String(name)
    }

    /// `.name`, `['name']` or `[0]`. Nil where the path ends; `.some(nil)` where it is not one.
    mutating func step() -> JSONValue?? {
        if take(".") { return .some(name().map(JSONValue.string)) }
        if take("[") {
            guard let key = literal(), take("]") else { return .some(nil) }
            return .some(key)
        }
        return nil
    }

    /// What stands in brackets after a filter; nothing is nothing.
    mutating func arguments() -> [JSONValue]? {
        guard take("(") else { return [] }
        if take(")") { return [] }
        var arguments: [JSONValue] = []
        repeat {
            guard let argument = literal() else { return nil }
            arguments.append(argument)
        } while take(",")
        return take(")") ? arguments : nil
    }

    mutating func literal() -> JSONValue? {
        if let quote = rest.first, quote == "'" || quote == "\"" {
            let text = rest.dropFirst().prefix { $0 != quote && $0 != "\\" }
            let after = rest.dropFirst(text.count + 1)
            guard after.first == quote else { return nil }
            rest = after.dropFirst()
            skip()
            return .string(String(text))
        }
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        if !digits.isEmpty {
            guard let number = Text.number(String(digits)) else { return nil }
            rest = rest.dropFirst(digits.count)
            skip()
            return .number(number)
        }
        switch name() {
        case "true", "True": return .bool(true)
        case "false", "False": return .bool(false)
        case "none", "None": return .null
        default: return nil
        }
    }
}
