import Foundation

extension Renderer {
    /// Filters of texts. Most take any value, as the text that it is written as.
    mutating func callOnText(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        switch builtin {
        case .string: return .string(try text(of: value))
        case .lower: return .string(try text(of: value).lowercased())
        case .upper: return .string(try text(of: value).uppercased())
        case .title: return .string(PythonText.titledWords(try text(of: value)))
        case .capitalize: return .string(PythonText.capitalized(try text(of: value)))
        case .trim:
            switch arguments[1] {
            case nil, .null?: return .string(PythonText.stripped(try text(of: value)))
            case .string(let scalars)?: return .string(PythonText.stripped(try text(of: value), of: scalars))
            case let other?: throw .type("trim takes a text, and not a \(other.typeName)")
            }
        case .replace:
            let old = try text(of: arguments[1] ?? .null)
            let new = try text(of: arguments[2] ?? .null)
            let count = arguments[3].map { $0.isNull ? -1 : $0.index ?? -1 } ?? -1
            return .string(try PythonText.replaced(try text(of: value), old, by: new, count: count))
        case .center:
            guard let width = (arguments[1] ?? .integer(80)).index else { throw .type("center takes a width") }
            return try StringMethods.call("center", try text(of: value), [.integer(width)], [], &self)
        case .escape:
            var text = try text(of: value)
            for (character, name) in [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ("\"", "&#34;")] {
                text = try PythonText.replaced(text, character, by: name, count: -1)
            }
            return .string(text)
        case .wordcount: return .integer(Self.words(in: try text(of: value)))
        case .indent: return .string(try indented(arguments))
        case .truncate: return try truncated(arguments)
        case .base64Encode:
            guard case .string(let text) = try value.defined() else {
                throw .type("base64_encode takes a text, and not a \(value.typeName)")
            }
            return .string(Data(text.utf8).base64EncodedString())
        case .base64Decode:
            guard case .string(let text) = value else { throw .type("base64_decode takes a text, and not a \(value.typeName)") }
            guard arguments[1].map({ ["utf-8", "utf8", "ascii"].contains($0.text.lowercased()) }) ?? true else {
                throw .value("base64_decode decodes only to UTF-8 text")
            }
            return .string(try Self.decoded(text))
        case .fromJSON:
            guard case .string(let text) = value else { throw .type("from_json takes a text, and not a \(value.typeName)") }
            guard let read = Value.read(text.utf8) else { throw .value("the text is no JSON") }
            return read
        case .toJSON:
            let indent = arguments.isTrue(2) ? 2 : nil
            let isASCII = arguments.isTrue(1)
            var writer = JSONWriter(hasSpaces: isASCII, isASCII: isASCII, sortsKeys: arguments.isTrue(3), indent: indent)
            try writer.write(value)
            return .string(writer.text)
        case .jinjaToJSON: return .string(try Self.safeJSON(value, indent: arguments[1]?.index))
        default: return try callPattern(builtin, arguments)
        }
    }

    private static func safeJSON(_ value: Value, indent: Int?) throws(TemplateError) -> String {
        guard (0...16).contains(indent ?? 0) else { throw .limit(.text) }
        var writer = JSONWriter(hasSpaces: true, isASCII: true, sortsKeys: true, indent: indent)
        try writer.write(value)
        var text = ""
        for scalar in writer.text.unicodeScalars {
            switch scalar {
            case "<": text += "\\u003c"
            case ">": text += "\\u003e"
            case "&": text += "\\u0026"
            case "'": text += "\\u0027"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func decoded(_ text: String) throws(TemplateError) -> String {
        // Python ignores other characters, and requires the padding.
        let digits = text.utf8.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "+/=".utf8.contains(byte)
        }
        guard let data = Data(base64Encoded: String(decoding: digits, as: UTF8.self)), let result = String(validating: data, as: UTF8.self)
        else { throw .value("the text is no base64") }
        return result
    }

    private static func words(in text: String) -> Int {
        var count = 0
        var wasInside = false
        for scalar in text.unicodeScalars {
            let isInside = PythonRegex.isWord(scalar)
            if isInside, !wasInside { count += 1 }
            wasInside = isInside
        }
        return count
    }

    private mutating func indented(_ arguments: BoundArguments) throws(TemplateError) -> String {
        let text = try text(of: arguments.value)
        let margin: String
        switch arguments[1] {
        case .string(let text)?: margin = text
        case let width:
            guard let width = (width ?? .integer(4)).index, width <= 1_000 else { throw .limit(.text) }
            margin = String(repeating: " ", count: max(0, width))
        }
        var result = ""
        for (place, line) in PythonText.lines(of: text + "\n").enumerated() {
            if place > 0 { result += "\n" }
            if place == 0 ? arguments.isTrue(2) : arguments.isTrue(3) || !line.isEmpty { result += margin }
            result += line
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        return result
    }

    /// Any value that is short enough stays as it is.
    private mutating func truncated(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        let count = try count(of: arguments.value)
        let end = arguments[3]?.text ?? "..."
        let length = (arguments[1] ?? .integer(255)).index ?? 255
        let leeway = (arguments[4] ?? .integer(5)).index ?? 5
        let endCount = end.unicodeScalars.count
        guard length >= endCount, leeway >= 0, length <= TemplateLimits.text, leeway <= TemplateLimits.text else {
            throw .value("truncate has a wrong length")
        }
        if count <= length + leeway { return arguments.value }
        guard case .string(let text) = arguments.value else { throw .type("truncate takes a text") }
        let scalars = Array(text.unicodeScalars)
        let head = String(String.UnicodeScalarView(scalars.prefix(length - endCount)))
        if arguments.isTrue(2) { return .string(head + end) }
        return .string(try PythonText.split(head, by: " ", upTo: 1, fromRight: true)[0] + end)
    }

    // MARK: Regular expressions

    private mutating func callPattern(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let text = Array(try text(of: arguments.value).unicodeScalars)
        let pattern = try pattern(arguments[1])
        switch builtin {
        case .regexMatch, .regexSearch:
            return .bool(try matches(text, pattern, isAnchored: builtin == .regexMatch, ignoringCase: arguments.isTrue(2)))
        case .regexReplace:
            let replacement: String
            switch arguments[2] {
            case nil: replacement = ""
            case .string(let text)?: replacement = text
            case let other?: throw .type("regex_replace takes a text, and not a \(other.typeName)")
            }
            return .string(try replaced(text, pattern, by: replacement, ignoringCase: arguments.isTrue(3)))
        case .regexFindAll: return try .list(try found(text, pattern, ignoringCase: arguments.isTrue(2)))
        default:
            let list = try found(text, pattern, ignoringCase: arguments.isTrue(3))
            guard let index = (arguments[2] ?? .integer(0)).index else { throw .type("an index is an integer") }
            let place = index < 0 ? index + list.count : index
            guard list.indices.contains(place) else { throw .value("the regular expression has no match \(index)") }
            return list[place]
        }
    }

    private mutating func pattern(_ value: Value?) throws(TemplateError) -> PythonRegex {
        guard case .string(let source) = value ?? .string("") else { throw .type("a regular expression is a text") }
        if let pattern = patterns[source] { return pattern }
        let pattern = try PythonRegexCompiler.pattern(source)
        try charge(16 + pattern.program.count / 16)
        if patterns.count < 64 { patterns[source] = pattern }
        return pattern
    }

    mutating func matches(_ value: Value, _ arguments: [Value], isAnchored: Bool) throws(TemplateError) -> Bool {
        let text = Array(try text(of: value).unicodeScalars)
        let pattern = try pattern(arguments.first)
        return try matches(text, pattern, isAnchored: isAnchored, ignoringCase: arguments.count > 1 && arguments[1].isTrue)
    }

    private mutating func matches(
        _ text: [Unicode.Scalar], _ pattern: PythonRegex, isAnchored: Bool, ignoringCase: Bool
    ) throws(TemplateError) -> Bool {
        var budget = patternBudget
        let match = try pattern.firstMatch(in: text, from: 0, ignoringCase: ignoringCase, isAnchored: isAnchored, budget: &budget)
        try chargePattern(left: budget)
        return match != nil
    }

    /// The matches that do not overlap, by the rules of Python for empty ones.
    private mutating func allMatches(
        _ text: [Unicode.Scalar], _ pattern: PythonRegex, ignoringCase: Bool
    ) throws(TemplateError) -> [PythonRegex.Match] {
        var budget = patternBudget
        var matches: [PythonRegex.Match] = []
        var place = 0
        var forbidden: Int?
        while place <= text.count,
            let match = try pattern.firstMatch(in: text, from: place, ignoringCase: ignoringCase, forbidden: forbidden, budget: &budget)
        {
            matches.append(match)
            place = match.range.upperBound
            forbidden = match.range.isEmpty ? place : nil
            guard matches.count <= TemplateLimits.elements else { throw .limit(.pattern) }
        }
        try chargePattern(left: budget)
        return matches
    }

    private mutating func found(_ text: [Unicode.Scalar], _ pattern: PythonRegex, ignoringCase: Bool) throws(TemplateError) -> [Value] {
        func part(_ range: Range<Int>?) -> Value { .string(range.map { String(String.UnicodeScalarView(text[$0])) } ?? "") }
        var result: [Value] = []
        for match in try allMatches(text, pattern, ignoringCase: ignoringCase) {
            switch pattern.groups {
            case 0: result.append(part(match.range))
            case 1: result.append(part(match.range(of: 1)))
            default: result.append(try .tuple((1...pattern.groups).map { part(match.range(of: $0)) }))
            }
        }
        return result
    }

    private mutating func replaced(
        _ text: [Unicode.Scalar], _ pattern: PythonRegex, by replacement: String, ignoringCase: Bool
    ) throws(TemplateError) -> String {
        let parts = try RegexReplacement.parts(of: replacement, pattern)
        var result = ""
        var place = 0
        for match in try allMatches(text, pattern, ignoringCase: ignoringCase) {
            result.unicodeScalars.append(contentsOf: text[place..<match.range.lowerBound])
            for part in parts {
                switch part {
                case .text(let text): result += text
                case .group(let group):
                    if let range = group == 0 ? match.range : match.range(of: group) {
                        result.unicodeScalars.append(contentsOf: text[range])
                    }
                }
                guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
            }
            place = match.range.upperBound
        }
        result.unicodeScalars.append(contentsOf: text[place...])
        try charge(for: result)
        return result
    }
}
