import Foundation

extension JSONValue {
    /// The deepest nesting that is read, because parsing recurses.
    public static let depthLimit = 32

    /// Reads JSON that strangers send; nil when it is none, or nested too deeply.
    public static func read(_ bytes: [UInt8]) -> JSONValue? {
        if let value = JSONReader.read(bytes) { return value }
        guard isShallow(bytes) else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
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
