/// Reads the words of a header field.
struct HeaderFieldReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ field: String) { bytes = Array(field.utf8) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte = next, isSkipped(byte) { position += 1 }
    }

    private mutating func text(while isTaken: (UInt8) -> Bool) -> String {
        let start = position
        skip(while: isTaken)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Steps over commas and spaces, and over a byte that can begin no word, so that a damaged field ends as well.
    mutating func skipSeparators() { skip { !Self.isOfToken($0) } }

    /// The next word; nil at the end.
    mutating func token() -> String? {
        let word = text(while: Self.isOfToken)
        return word.isEmpty ? nil : word
    }

    /// Steps over an equals sign with the spaces around it, if one is next.
    mutating func acceptEquals() -> Bool {
        let start = position
        skip(while: Self.isSpace)
        guard next == UInt8(ascii: "=") else {
            position = start
            return false
        }
        position += 1
        skip(while: Self.isSpace)
        return true
    }

    /// A token or a quoted string. An unterminated quoted string ends with the field.
    mutating func value() -> String {
        guard next == UInt8(ascii: "\"") else { return text { $0 != UInt8(ascii: ",") && !Self.isSpace($0) } }
        position += 1
        var value: [UInt8] = []
        while var byte = next, byte != UInt8(ascii: "\"") {
            position += 1
            if byte == UInt8(ascii: "\\"), let escaped = next {
                byte = escaped
                position += 1
            }
            value.append(byte)
        }
        if next != nil { position += 1 }
        return String(decoding: value, as: UTF8.self)
    }

    /// The token after a scheme, which only a comma or the end may follow.
    mutating func token68() -> String? {
        let start = position
        skip(while: Self.isSpace)
        var token = text(while: Self.isOfToken68)
        guard position > start, !token.isEmpty else {
            position = start
            return nil
        }
        token += text { $0 == UInt8(ascii: "=") }
        let end = position
        skip(while: Self.isSpace)
        guard next == nil || next == UInt8(ascii: ",") else {
            position = start
            return nil
        }
        position = end
        return token
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isOfToken68(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
