/// Python's operations on texts. They count code points, and not characters as Swift does.
enum PythonText {
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Without what `isDropped` names at either end.
    static func stripped(
        _ text: String, left: Bool = true, right: Bool = true, _ isDropped: (Unicode.Scalar) -> Bool = isSpace
    ) -> String {
        let scalars = text.unicodeScalars
        var rest = scalars[...]
        if left { rest = rest.drop(while: isDropped) }
        if right { while let last = rest.last, isDropped(last) { rest.removeLast() } }
        return rest.startIndex == scalars.startIndex && rest.endIndex == scalars.endIndex ? text : String(rest)
    }

    /// Without white space, or the scalars of `scalars`.
    static func stripped(_ text: String, of scalars: String?, left: Bool = true, right: Bool = true) -> String {
        guard let scalars else { return stripped(text, left: left, right: right) }
        let dropped = Set(scalars.unicodeScalars)
        return stripped(text, left: left, right: right) { dropped.contains($0) }
    }

    /// The place in bytes of the first occurrence; nil when there is none.
    static func find(_ part: String, in text: String) -> Int? {
        places(of: part, in: Array(text.utf8), upTo: 1).first
    }

    /// The places in bytes of the occurrences that do not overlap, in linear time.
    static func places(of part: String, in text: [UInt8], upTo limit: Int = .max) -> [Int] {
        places(of: Array(part.utf8), in: text, upTo: limit)
    }

    static func places(of part: [UInt8], in text: [UInt8], upTo limit: Int = .max) -> [Int] {
        guard !part.isEmpty else { return text.isEmpty ? [0] : [0, text.count] }
        guard part.count <= text.count else { return [] }
        var borders = [0]
        var length = 0
        for place in 1..<part.count {
            while length > 0, part[place] != part[length] { length = borders[length - 1] }
            if part[place] == part[length] { length += 1 }
            borders.append(length)
        }
        var places: [Int] = []
        length = 0
        for place in text.indices {
            while length > 0, text[place] != part[length] { length = borders[length - 1] }
            if text[place] == part[length] { length += 1 }
            if length == part.count {
                places.append(place + 1 - length)
                length = 0
                if places.count == limit { break }
            }
        }
        return places
    }

    static func replaced(_ text: String, _ old: String, by new: String, count: Int) throws(TemplateError) -> String {
        let limit = count < 0 ? Int.max : count
        guard limit > 0 else { return text }
        if old.isEmpty { return try interleaved(text, by: new, count: limit) }
        let bytes = Array(text.utf8)
        let places = places(of: old, in: bytes, upTo: limit)
        guard !places.isEmpty else { return text }
        let (grown, overflow) = places.count.multipliedReportingOverflow(by: new.utf8.count)
        guard !overflow, grown <= TemplateLimits.text, bytes.count + grown <= TemplateLimits.text * 2 else { throw .limit(.text) }
        var result: [UInt8] = []
        var start = 0
        for place in places {
            result += bytes[start..<place]
            result += Array(new.utf8)
            start = place + old.utf8.count
        }
        result += bytes[start...]
        return String(decoding: result, as: UTF8.self)
    }

    /// `new` before every scalar and at the end.
    private static func interleaved(_ text: String, by new: String, count: Int) throws(TemplateError) -> String {
        guard new.utf8.count * 2 <= TemplateLimits.text, (text.utf8.count + 1) <= TemplateLimits.text / max(1, new.utf8.count) else {
            throw .limit(.text)
        }
        var result = ""
        var left = count
        for scalar in text.unicodeScalars {
            if left > 0 { result += new }
            left -= 1
            result.unicodeScalars.append(scalar)
        }
        if left > 0 { result += new }
        return result
    }

    /// The parts between separators; white space when there is none.
    static func split(_ text: String, by separator: String?, upTo limit: Int, fromRight: Bool) throws(TemplateError) -> [String] {
        guard let separator else { return splitAtSpace(text, upTo: limit, fromRight: fromRight) }
        guard !separator.isEmpty else { throw .value("the separator is empty") }
        let bytes = Array(text.utf8)
        var places = places(of: separator, in: bytes)
        if fromRight {
            // From the right, overlapping occurrences may be different ones.
            places = self.places(of: Array(separator.utf8.reversed()), in: bytes.reversed())
                .map { bytes.count - $0 - separator.utf8.count }.reversed()
        }
        if limit >= 0, places.count > limit { places = Array(fromRight ? places.suffix(limit) : places.prefix(limit)) }
        var parts: [String] = []
        var start = 0
        for place in places {
            parts.append(String(decoding: bytes[start..<place], as: UTF8.self))
            start = place + separator.utf8.count
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        return parts
    }

    private static func splitAtSpace(_ text: String, upTo limit: Int, fromRight: Bool) -> [String] {
        var parts: [String] = []
        var rest = text.unicodeScalars[...]
        while true {
            if fromRight {
                while let last = rest.last, isSpace(last) { rest.removeLast() }
            } else {
                rest = rest.drop(while: isSpace)
            }
            guard !rest.isEmpty else { break }
            if limit >= 0, parts.count == limit {
                parts.append(String(rest))
                break
            }
            if fromRight {
                let start = rest.lastIndex(where: isSpace).map { rest.index(after: $0) } ?? rest.startIndex
                parts.append(String(rest[start...]))
                rest = rest[..<start]
            } else {
                let end = rest.firstIndex(where: isSpace) ?? rest.endIndex
                parts.append(String(rest[..<end]))
                rest = rest[end...]
            }
        }
        return fromRight ? parts.reversed() : parts
    }

    /// The lines, without their ends.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            defer { wasReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where wasReturn: break
            case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029:
                lines.append(String(line))
                line = .init()
            default: line.append(scalar)
            }
        }
        if !line.isEmpty { lines.append(String(line)) }
        return lines
    }

    static func capitalized(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        return first.properties.titlecaseMapping + String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())).lowercased()
    }

    /// Python's `str.title`: a letter behind anything that is no letter is large.
    static func titled(_ text: String) -> String {
        var result = ""
        var isInside = false
        for scalar in text.unicodeScalars {
            result += isInside ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
            isInside = scalar.properties.isCased
        }
        return result
    }

    /// The filter `title`: the first letter of a word is large.
    static func titledWords(_ text: String) -> String {
        var result = ""
        var word = String.UnicodeScalarView()
        func flush() {
            guard let first = word.first else { return }
            result += first.properties.uppercaseMapping + String(String.UnicodeScalarView(word.dropFirst())).lowercased()
            word = .init()
        }
        for scalar in text.unicodeScalars {
            if isSpace(scalar) || "-({[<".unicodeScalars.contains(scalar) {
                flush()
                result.unicodeScalars.append(scalar)
            } else {
                word.append(scalar)
            }
        }
        flush()
        return result
    }

    static func swappedCase(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.isUppercase ? $0.properties.lowercaseMapping : $0.properties.uppercaseMapping }.joined()
    }
}
