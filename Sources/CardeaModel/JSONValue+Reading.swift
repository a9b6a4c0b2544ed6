import Foundation

extension JSONValue {
    /// The deepest nesting that is read, because parsing recurses.
    public static let depthLimit = 32

    /// Reads JSON that strangers send; nil when it is none, or nested too deeply.
    public static func read(_ bytes: [UInt8]) -> JSONValue? {
        guard isShallow(bytes), let parsed = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
            return nil
        }
        return JSONValue(parsed: parsed)
    }

    /// `JSONDecoder` finds out what a value is by trying, and each failure costs more than the value.
    private init?(parsed: Any) {
        switch parsed {
        case is NSNull: self = .null
        case let text as String: self = .string(text)
        // A boolean says so by its type; as a number it would be one as well.
        case let number as NSNumber where number.objCType.pointee == CChar(UInt8(ascii: "c")): self = .bool(number.boolValue)
        case let number as NSNumber:
            guard number.doubleValue.isFinite else { return nil }
            self = .number(number.doubleValue)
        case let array as [Any]:
            let members = array.compactMap(JSONValue.init(parsed:))
            guard members.count == array.count else { return nil }
            self = .array(members)
        case let object as [String: Any]:
            let members = object.compactMapValues(JSONValue.init(parsed:))
            guard members.count == object.count else { return nil }
            self = .object(members)
        default: return nil
        }
    }

    /// Looked at before it is parsed.
    private static func isShallow(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > depthLimit { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return true
    }
}
