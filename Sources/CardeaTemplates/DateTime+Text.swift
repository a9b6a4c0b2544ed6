import Foundation

extension DateTime {
    static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The form of ISO 8601, as `isoformat` and `str` write it.
    func text(separator: String) -> String {
        let fields = fields
        let date = "\(Self.padded(fields.year, 4))-\(Self.padded(fields.month))-\(Self.padded(fields.day))"
        let time = "\(Self.padded(fields.hour)):\(Self.padded(fields.minute)):\(Self.padded(fields.second))"
        let fraction = fields.microsecond == 0 ? "" : "." + Self.padded(fields.microsecond, 6)
        return date + separator + time + fraction + offsetText(separator: ":")
    }

    private func offsetText(separator: String) -> String {
        guard isAware else { return "" }
        let seconds = offset.magnitude
        let rest = seconds % 60 == 0 ? "" : separator + Self.padded(Int(seconds % 60))
        return (offset < 0 ? "-" : "+") + Self.padded(Int(seconds / 3_600)) + separator + Self.padded(Int(seconds / 60 % 60)) + rest
    }

    /// The text that Python's `repr` makes.
    var repr: String {
        let fields = fields
        var parts = [fields.year, fields.month, fields.day, fields.hour, fields.minute]
        if fields.second != 0 || fields.microsecond != 0 { parts.append(fields.second) }
        if fields.microsecond != 0 { parts.append(fields.microsecond) }
        let zone =
            switch zone {
            case .naive: ""
            case .utc: ", tzinfo=datetime.timezone.utc"
            case .fixed(let seconds): ", tzinfo=datetime.timezone(\(TimeDelta(microseconds: seconds * Self.second).repr))"
            case .local(let zone): ", tzinfo=zoneinfo.ZoneInfo(key='\(zone.identifier)')"
            }
        return "datetime.datetime(\(parts.map(String.init).joined(separator: ", "))\(zone))"
    }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private var zoneName: String {
        switch zone {
        case .naive: return ""
        case .utc: return "UTC"
        case .fixed: return offset == 0 ? "UTC" : "UTC" + offsetText(separator: ":")
        case .local(let zone):
            let date = Date(timeIntervalSince1970: Double(instant) / Double(Self.second))
            return zone.abbreviation(for: date) ?? zone.identifier
        }
    }

    /// The text that `strftime` makes.
    func text(format: String) throws(TemplateError) -> String {
        let fields = fields
        var result = ""
        var scalars = format.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "%", var directive = scalars.popFirst() else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let isUnpadded = directive == "-"
            if isUnpadded {
                guard let next = scalars.popFirst() else {
                    result += "%-"
                    break
                }
                directive = next
            }
            let (number, width) = number(of: directive, fields)
            if let number {
                result += isUnpadded ? String(number) : Self.padded(number, width)
            } else {
                result += try part(of: directive, fields)
            }
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        return result
    }

    private func number(of directive: Unicode.Scalar, _ fields: Fields) -> (Int?, width: Int) {
        switch directive {
        case "Y", "G": (directive == "Y" ? fields.year : isoWeek.year, 4)
        case "y": (fields.year % 100, 2)
        case "m": (fields.month, 2)
        case "d": (fields.day, 2)
        case "H": (fields.hour, 2)
        case "I": ((fields.hour + 11) % 12 + 1, 2)
        case "M": (fields.minute, 2)
        case "S": (fields.second, 2)
        case "f": (fields.microsecond, 6)
        case "j": (dayOfYear, 3)
        case "C": (fields.year / 100, 2)
        case "u": (weekday + 1, 1)
        case "w": ((weekday + 1) % 7, 1)
        case "U": ((dayOfYear + 6 - (weekday + 1) % 7) / 7, 2)
        case "W": ((dayOfYear + 6 - weekday) / 7, 2)
        case "V": (isoWeek.week, 2)
        default: (nil, 0)
        }
    }

    /// The week of ISO 8601 and its year.
    private var isoWeek: (year: Int, week: Int) {
        let year = fields.year
        let week = (dayOfYear - (weekday + 1) + 10) / 7
        if week < 1 { return (year - 1, Self.weeks(of: year - 1)) }
        return week > Self.weeks(of: year) ? (year + 1, 1) : (year, week)
    }

    private static func weeks(of year: Int) -> Int {
        func last(_ year: Int) -> Int { (year + year / 4 - year / 100 + year / 400) % 7 }
        return last(year) == 4 || last(year - 1) == 3 ? 53 : 52
    }

    private func part(of directive: Unicode.Scalar, _ fields: Fields) throws(TemplateError) -> String {
        switch directive {
        case "%": "%"
        case "n": "\n"
        case "t": "\t"
        case "A": Self.weekdays[weekday]
        case "a": String(Self.weekdays[weekday].prefix(3))
        case "B": Self.months[fields.month - 1]
        case "b", "h": String(Self.months[fields.month - 1].prefix(3))
        case "p": fields.hour < 12 ? "AM" : "PM"
        case "P": fields.hour < 12 ? "am" : "pm"
        case "e": (fields.day < 10 ? " " : "") + String(fields.day)
        case "k": (fields.hour < 10 ? " " : "") + String(fields.hour)
        case "z": offsetText(separator: "")
        case "Z": zoneName
        case "s": String(Self.floorDivide(instant, by: Self.second))
        case "F": try text(format: "%Y-%m-%d")
        case "T", "X": try text(format: "%H:%M:%S")
        case "R": try text(format: "%H:%M")
        case "D", "x": try text(format: "%m/%d/%y")
        case "r": try text(format: "%I:%M:%S %p")
        case "c": try text(format: "%a %b %e %H:%M:%S %Y")
        default: "%" + String(directive)
        }
    }
}

extension TimeDelta {
    /// The text that Python's `str` makes: `1 day, 2:03:04`.
    var text: String {
        let time = "\(seconds / 3_600):\(DateTime.padded(seconds / 60 % 60)):\(DateTime.padded(seconds % 60))"
        let fraction = rest == 0 ? "" : "." + DateTime.padded(rest, 6)
        return (days == 0 ? "" : "\(days) day\(days.magnitude == 1 ? "" : "s"), ") + time + fraction
    }

    var repr: String {
        var parts: [String] = []
        if days != 0 { parts.append("days=\(days)") }
        if seconds != 0 { parts.append("seconds=\(seconds)") }
        if rest != 0 { parts.append("microseconds=\(rest)") }
        return "datetime.timedelta(\(parts.isEmpty ? "0" : parts.joined(separator: ", ")))"
    }
}
