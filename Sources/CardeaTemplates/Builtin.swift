import Foundation

/// The filters and functions that templates may use, by the names of Jinja and Home Assistant.
enum Builtin: String, Sendable, CaseIterable {
    case abs, add, attr, batch, capitalize, center, combine, contains, dictsort, first, flatten, format, indent, items, join, last, length
    case list, lower, map, max, min, multiply, ord, ordinal, reject, rejectattr, replace, reverse, select, selectattr, sort, string, sum
    case title, trim, truncate, tuple, typeof, unique, upper, wordcount
    case escape
    case defaultValue = "default"
    case bool, float, int
    case iif
    case isDefined = "is_defined"
    case isNumber = "is_number"
    case round
    case sqrt, sin, cos, tan, asin, acos, atan, log
    case average, median
    case bitwiseAnd = "bitwise_and"
    case bitwiseOr = "bitwise_or"
    case bitwiseXor = "bitwise_xor"
    case base64Decode = "base64_decode"
    case base64Encode = "base64_encode"
    case fromJSON = "from_json"
    case toJSON = "to_json"
    case jinjaToJSON = "tojson"
    case regexMatch = "regex_match"
    case regexSearch = "regex_search"
    case regexReplace = "regex_replace"
    case regexFindAll = "regex_findall"
    case regexFindAllIndex = "regex_findall_index"
    case asDatetime = "as_datetime"
    case asLocal = "as_local"
    case asTimedelta = "as_timedelta"
    case asTimestamp = "as_timestamp"
    case strptime
    case timestampCustom = "timestamp_custom"
    case timestampLocal = "timestamp_local"
    case timestampUTC = "timestamp_utc"
    case todayAt = "today_at"
    // Functions only.
    case dict, namespace, now, range, timedelta, utcnow, zip
    case maxOf = "max of arguments"
    case minOf = "min of arguments"

    /// The names of the parameters; the first is the value before the bar of a filter.
    struct Signature: Sendable {
        let parameters: [String]
        let required: Int
    }

    static let filters: [String: Builtin] = {
        let functions: Set<Builtin> = [.dict, .namespace, .now, .range, .timedelta, .utcnow, .zip, .maxOf, .minOf, .tuple, .strptime]
        var names = Dictionary(uniqueKeysWithValues: allCases.filter { !functions.contains($0) }.map { ($0.rawValue, $0) })
        names["d"] = .defaultValue
        names["count"] = .length
        names["e"] = .escape
        names["safe"] = .string
        return names
    }()

    static let functions: [String: Builtin] = {
        let shared: [Builtin] = [
            .acos, .asDatetime, .asLocal, .asTimedelta, .asTimestamp, .asin, .atan, .average, .bool, .combine, .cos, .dict, .flatten,
            .float, .iif, .int, .isNumber, .log, .median, .namespace, .now, .range, .sin, .sqrt, .strptime, .tan, .timedelta, .todayAt,
            .tuple, .typeof, .utcnow, .zip,
        ]
        var names = Dictionary(uniqueKeysWithValues: shared.map { ($0.rawValue, $0) })
        names["max"] = .maxOf
        names["min"] = .minOf
        return names
    }()

    static let constants: [String: Value] = ["e": .float(M_E), "pi": .float(.pi), "tau": .float(.pi * 2)]

    /// A function of Jinja or Home Assistant that is left out here.
    static func isUnsupportedFunction(_ name: String) -> Bool { unsupported.contains(name) }

    private static let unsupported: Set<String> = [
        "atan2", "cycler", "difference", "intersect", "joiner", "lipsum", "md5", "merge_response", "pack", "relative_time", "set", "sha1",
        "sha256", "sha512", "shuffle", "slugify", "statistical_mode", "symmetric_difference", "time_since", "time_until", "union",
        "unpack", "urlencode", "version",
    ]

    private static func signature(_ parameters: String..., required: Int) -> Signature {
        Signature(parameters: parameters, required: required)
    }

    /// Nil for what takes any number of arguments.
    var signature: Signature? { Self.signatures[self] }

    private static let signatures: [Builtin: Signature] = {
        let value = signature("value", required: 1)
        let withDefault = signature("value", "default", required: 1)
        let cased = signature("value", "case_sensitive", "attribute", required: 1)
        let pattern = signature("value", "find", "ignorecase", required: 1)
        var table: [Builtin: Signature] = [
            .add: signature("value", "amount", "default", required: 2), .multiply: signature("value", "amount", "default", required: 2),
            .attr: signature("value", "name", required: 2), .batch: signature("value", "linecount", "fill_with", required: 2),
            .center: signature("value", "width", required: 1), .contains: signature("value", "item", required: 2),
            .dictsort: signature("value", "case_sensitive", "by", "reverse", required: 1),
            .flatten: signature("value", "levels", required: 1), .indent: signature("value", "width", "first", "blank", required: 1),
            .join: signature("value", "d", "attribute", required: 1), .max: cased, .min: cased, .unique: cased,
            .replace: signature("value", "old", "new", "count", required: 3),
            .sort: signature("value", "reverse", "case_sensitive", "attribute", required: 1),
            .sum: signature("value", "attribute", "start", required: 1), .trim: signature("value", "chars", required: 1),
            .truncate: signature("value", "length", "killwords", "end", "leeway", required: 1),
            .defaultValue: signature("value", "default_value", "boolean", required: 1),
            .int: signature("value", "default", "base", required: 1),
            .iif: signature("value", "if_true", "if_false", "if_none", required: 1),
            .round: signature("value", "precision", "method", "default", required: 1),
            .log: signature("value", "base", "default", required: 1),
            .bitwiseAnd: signature("first_value", "second_value", required: 2),
            .bitwiseOr: signature("first_value", "second_value", required: 2),
            .bitwiseXor: signature("first_value", "second_value", required: 2),
            .base64Decode: signature("value", "encoding", required: 1),
            .toJSON: signature("value", "ensure_ascii", "pretty_print", "sort_keys", required: 1),
            .jinjaToJSON: signature("value", "indent", required: 1), .regexMatch: pattern, .regexSearch: pattern, .regexFindAll: pattern,
            .regexReplace: signature("value", "find", "replace", "ignorecase", required: 1),
            .regexFindAllIndex: signature("value", "find", "index", "ignorecase", required: 1),
            .strptime: signature("string", "fmt", "default", required: 2),
            .timestampCustom: signature("value", "date_format", "local", "default", required: 1),
            .todayAt: signature("time_str", required: 0), .now: signature(required: 0), .utcnow: signature(required: 0),
            .tuple: signature("value", required: 0),
            .timedelta: signature("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks", required: 0),
        ]
        for builtin in [
            Builtin.bool, .float, .sqrt, .sin, .cos, .tan, .asin, .acos, .atan, .asDatetime, .asTimestamp, .timestampLocal, .timestampUTC,
        ] {
            table[builtin] = withDefault
        }
        for builtin in [
            Builtin.abs, .capitalize, .first, .items, .last, .length, .list, .lower, .ord, .ordinal, .reverse, .string, .title, .typeof,
            .upper,
            .wordcount, .escape, .isDefined, .isNumber, .base64Encode, .fromJSON, .asLocal, .asTimedelta,
        ] {
            table[builtin] = value
        }
        return table
    }()
}
