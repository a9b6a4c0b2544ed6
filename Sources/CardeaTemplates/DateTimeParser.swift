/// Reads times from texts.
struct DateTimeParser {
    private var rest: Substring.UnicodeScalarView

    private init(_ text: String) {
        rest = text[...].unicodeScalars
    }

    /// A time of ISO 8601; nil when the text is none.
    static func iso(_ text: String) -> DateTime? {
        var parser = DateTimeParser(text)
        return parser.iso()
    }

    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    /// A number of `range` digits.
    private mutating func digits(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(range.upperBound).prefix { ("0"..."9").contains($0) }
        guard range.contains(digits.count), let number = Int(String(digits)) else { return nil }
        rest.removeFirst(digits.count)
        return number
    }

    private mutating func iso() -> DateTime? {
        var fields = DateTime.Fields()
        guard let year = digits(4...4) else { return nil }
        fields.year = year
        if accept("-") {
            guard let month = digits(1...2) else { return nil }
            fields.month = month
            if accept("-") {
                guard let day = digits(1...2) else { return nil }
                fields.day = day
            } else if !rest.isEmpty {
                return nil
            }
        } else {
            guard let month = digits(2...2), let day = digits(2...2) else { return nil }
            fields.month = month
            fields.day = day
        }
        var zone = DateTime.Zone.naive
        if !rest.isEmpty {
            guard accept("T") || accept(" ") || accept("t"), let hour = digits(1...2) else { return nil }
            fields.hour = hour
            let isSeparated = accept(":")
            if let minute = digits(2...2) {
                fields.minute = minute
                if isSeparated ? accept(":") : true, let second = digits(2...2) {
                    fields.second = second
                    if accept(".") || accept(",") {
                        guard let fraction = fraction() else { return nil }
                        fields.microsecond = fraction
                    }
                }
            }
            guard let read = self.zone() else { return nil }
            zone = read
        }
        guard rest.isEmpty else { return nil }
        return try? DateTime(fields, zone: zone)
    }

    /// Microseconds; more digits are cut off.
    private mutating func fraction() -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        return Int((String(digits.prefix(6)) + "000000").prefix(6))
    }

    private mutating func zone() -> DateTime.Zone? {
        if rest.isEmpty { return DateTime.Zone.naive }
        if accept("Z") || accept("z") { return .utc }
        let isNegative = rest.first == "-"
        guard accept("+") || accept("-"), let hours = digits(2...2) else { return nil }
        let isSeparated = accept(":")
        let minutes = digits(2...2)
        guard minutes != nil || !isSeparated, hours < 24, (minutes ?? 0) < 60 else { return nil }
        let seconds = hours * 3_600 + (minutes ?? 0) * 60
        return seconds == 0 ? .utc : .fixed(seconds: isNegative ? -seconds : seconds)
    }

    /// The time that `strptime` reads; nil when the text is not in the format.
    static func time(_ text: String, format: String) -> DateTime? {
        var parser = DateTimeParser(text)
        return parser.time(format: format)
    }

    private mutating func time(format: String) -> DateTime? {
        var fields = DateTime.Fields()
        var zone = DateTime.Zone.naive
        var isAfternoon: Bool?
        var dayOfYear: Int?
        var pattern = format.unicodeScalars[...]
        while let scalar = pattern.popFirst() {
            if PythonText.isSpace(scalar) {
                guard let first = rest.first, PythonText.isSpace(first) else { return nil }
                rest = rest.drop(while: PythonText.isSpace)
                continue
            }
            guard scalar == "%" else {
                guard accept(scalar) else { return nil }
                continue
            }
            guard let directive = pattern.popFirst() else { return nil }
            switch directive {
            case "z":
                guard let read = self.zone(), read != DateTime.Zone.naive else { return nil }
                zone = read
            case "Z": guard acceptWord(["UTC", "GMT"]) != nil else { return nil }
            case "p":
                guard let half = acceptWord(["AM", "PM"]) else { return nil }
                isAfternoon = half == 1
            case "j":
                guard let day = digits(1...3), (1...366).contains(day) else { return nil }
                dayOfYear = day
            case "%": guard accept("%") else { return nil }
            default: guard parse(directive, in: &fields) else { return nil }
            }
        }
        guard rest.isEmpty else { return nil }
        if let isAfternoon { fields.hour = fields.hour % 12 + (isAfternoon ? 12 : 0) }
        guard let dayOfYear else { return try? DateTime(fields, zone: zone) }
        fields.month = 1
        fields.day = 1
        guard let first = try? DateTime(fields, zone: zone) else { return nil }
        return try? DateTime(wall: first.wall + (dayOfYear - 1) * DateTime.day, zone: zone)
    }

    private mutating func parse(_ directive: Unicode.Scalar, in fields: inout DateTime.Fields) -> Bool {
        let number: Int?
        switch directive {
        case "Y":
            number = digits(4...4)
            fields.year = number ?? 0
        case "y":
            number = digits(2...2)
            fields.year = (number ?? 0) + ((number ?? 0) < 69 ? 2000 : 1900)
        case "m":
            number = digits(1...2)
            fields.month = number ?? 0
        case "d":
            number = digits(1...2)
            fields.day = number ?? 0
        case "H":
            number = digits(1...2)
            fields.hour = number ?? 0
        case "I":
            number = digits(1...2)
            fields.hour = number ?? 0
            guard (1...12).contains(fields.hour) else { return false }
        case "M":
            number = digits(1...2)
            fields.minute = number ?? 0
        case "S":
            number = digits(1...2)
            fields.second = number ?? 0
        case "f":
            let count = rest.prefix(6).prefix { ("0"..."9").contains($0) }.count
            number = digits(1...6).map { value in (count..<6).reduce(value) { value, _ in value * 10 } }
            fields.microsecond = number ?? 0
        case "B", "b":
            number = acceptWord(DateTime.months) ?? acceptWord(DateTime.months.map { String($0.prefix(3)) })
            fields.month = (number ?? 0) + 1
        case "A", "a": number = acceptWord(DateTime.weekdays) ?? acceptWord(DateTime.weekdays.map { String($0.prefix(3)) })
        default: number = nil
        }
        return number != nil
    }

    /// The place of the word that comes next, in any case; nil when none does.
    private mutating func acceptWord(_ words: [String]) -> Int? {
        for (place, word) in words.enumerated() {
            let length = word.unicodeScalars.count
            guard String(rest.prefix(length)).lowercased() == word.lowercased() else { continue }
            rest.removeFirst(length)
            return place
        }
        return nil
    }
}
