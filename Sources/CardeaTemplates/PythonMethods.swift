/// The methods of Python's types that a template may call.
enum PythonMethods {
    static func has(_ name: String, on value: Value) -> Bool {
        switch value {
        case .string: stringNames.contains(name)
        case .mapping: name == "get" || name == "items" || name == "keys" || name == "values" || name == "copy" || name == "fromkeys"
        case .sequence(let items):
            switch items.kind {
            case .list: name == "count" || name == "index" || name == "copy"
            case .tuple, .range: name == "count" || name == "index"
            default: false
            }
        case .integer, .bool: name == "bit_length" || name == "is_integer" || name == "bit_count"
        case .float: name == "is_integer"
        case .moment: dateTimeNames.contains(name)
        case .interval: name == "total_seconds"
        default: false
        }
    }

    /// Names that hide members of a dictionary behind a point.
    static let mappingNames: Set<String> = [
        "clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
    ]

    static let stringNames: Set<String> = [
        "capitalize", "casefold", "center", "count", "encode", "endswith", "expandtabs", "find", "format", "format_map", "index", "isalnum",
        "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle",
        "isupper",
        "join", "ljust", "lower", "lstrip", "maketrans", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust",
        "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "translate", "upper", "zfill",
    ]

    static let dateTimeNames: Set<String> = ["isoformat", "isoweekday", "replace", "strftime", "timestamp", "weekday"]
}

extension Renderer {
    mutating func call(
        _ method: Value.Method, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) -> Value {
        try charge()
        switch method.receiver {
        case .string(let text):
            try charge(for: text)
            return try StringMethods.call(method.name, text, positional, keywords, &self)
        case .mapping(let mapping): return try call(method.name, on: mapping, positional)
        case .sequence(let items): return try call(method.name, on: items, positional)
        case .moment(let moment): return try call(method.name, on: moment, positional, keywords)
        case .interval(let interval): return .float(Double(interval.microseconds) / 1e6)
        case .float(let number): return .bool(number.isFinite && number == number.rounded())
        case .integer, .bool:
            let number = method.receiver.index ?? 0
            switch method.name {
            case "is_integer": return .bool(true)
            case "bit_count": return .integer(number.magnitude.nonzeroBitCount)
            default: return .integer(Int.bitWidth - number.magnitude.leadingZeroBitCount)
            }
        case .loop(let loop):
            guard !positional.isEmpty else { throw .type("cycle needs a value") }
            return positional[loop.index % positional.count]
        default: throw .unknown(.method, method.name)
        }
    }

    private func call(_ name: String, on mapping: OrderedMapping, _ positional: [Value]) throws(TemplateError) -> Value {
        switch name {
        case "get":
            guard (1...2).contains(positional.count) else { throw .type("get takes a key and a default") }
            return try mapping.value(of: positional[0]) ?? (positional.count > 1 ? positional[1] : .null)
        case "keys": return .sequence(try Value.Items(.keys, mapping.keys))
        case "values": return .sequence(try Value.Items(.values, mapping.values))
        case "items": return .sequence(try Value.Items(.items, try mapping.pairs()))
        case "copy": return .mapping(mapping)
        default: throw .unknown(.method, name)
        }
    }

    private func call(_ name: String, on items: Value.Items, _ positional: [Value]) throws(TemplateError) -> Value {
        switch name {
        case "count":
            guard positional.count == 1 else { throw .type("count takes one value") }
            var count = 0
            for value in items.values where try PythonComparison.areEqual(value, positional[0]) { count += 1 }
            return .integer(count)
        case "index":
            guard let wanted = positional.first else { throw .type("index takes a value") }
            for (place, value) in items.values.enumerated() where try PythonComparison.areEqual(value, wanted) { return .integer(place) }
            throw .value("the value is not in the list")
        default: return .sequence(items)
        }
    }

    private func call(
        _ name: String, on moment: DateTime, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) -> Value {
        switch name {
        case "isoformat":
            guard case .string(let separator)? = positional.first ?? .string("T") else { throw .type("isoformat takes a text") }
            return .string(moment.text(separator: separator))
        case "isoweekday": return .integer(moment.weekday + 1)
        case "weekday": return .integer(moment.weekday)
        case "timestamp": return .float(try moment.timestamp(in: zone))
        case "strftime":
            guard case .string(let format)? = positional.first ?? keywords.first?.value else { throw .type("strftime takes a text") }
            return .string(try moment.text(format: format))
        default: return .moment(try moment.replacing(positional, keywords))
        }
    }
}

extension OrderedMapping {
    func pairs() throws(TemplateError) -> [Value] {
        var pairs: [Value] = []
        for (place, key) in keys.enumerated() { pairs.append(try .tuple([key, values[place]])) }
        return pairs
    }
}

extension DateTime {
    func attribute(_ name: String) -> Value? {
        let fields = fields
        switch name {
        case "year": return .integer(fields.year)
        case "month": return .integer(fields.month)
        case "day": return .integer(fields.day)
        case "hour": return .integer(fields.hour)
        case "minute": return .integer(fields.minute)
        case "second": return .integer(fields.second)
        case "microsecond": return .integer(fields.microsecond)
        default: return nil
        }
    }

    func replacing(_ positional: [Value], _ keywords: [(name: String, value: Value)]) throws(TemplateError) -> DateTime {
        let names = ["year", "month", "day", "hour", "minute", "second", "microsecond"]
        guard positional.count <= names.count else { throw .type("replace has too many arguments") }
        var fields = fields
        var zone = zone
        for (name, value) in Array(zip(names, positional)) + keywords.map({ ($0.name, $0.value) }) {
            if name == "tzinfo", case .null = value {
                zone = .naive
                continue
            }
            guard let number = value.index else { throw .type("\(name) is an integer") }
            switch name {
            case "year": fields.year = number
            case "month": fields.month = number
            case "day": fields.day = number
            case "hour": fields.hour = number
            case "minute": fields.minute = number
            case "second": fields.second = number
            case "microsecond": fields.microsecond = number
            default: throw .type("replace does not take \(name)")
            }
        }
        return try DateTime(fields, zone: zone)
    }
}

extension TimeDelta {
    func attribute(_ name: String) -> Value? {
        switch name {
        case "days": .integer(days)
        case "seconds": .integer(seconds)
        case "microseconds": .integer(rest)
        default: nil
        }
    }
}
