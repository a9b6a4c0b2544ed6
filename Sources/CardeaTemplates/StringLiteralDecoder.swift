/// Reads the escapes of a string, as Python does.
enum StringLiteralDecoder {
    static func text(of content: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        var rest = content
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escape = rest.popFirst() else { return nil }
            switch escape {
            case 0x0A: break
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(escape)
            case UInt8(ascii: "a"): text.append(0x07)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "v"): text.append(0x0B)
            case UInt8(ascii: "x"): guard add(digits: 2, of: &rest, to: &text) else { return nil }
            case UInt8(ascii: "u"): guard add(digits: 4, of: &rest, to: &text) else { return nil }
            case UInt8(ascii: "U"): guard add(digits: 8, of: &rest, to: &text) else { return nil }
            case UInt8(ascii: "N"): return nil
            case UInt8(ascii: "0")...UInt8(ascii: "7"):
                var code = UInt32(escape - 0x30)
                for _ in 0..<2 {
                    guard let next = rest.first, (0x30...0x37).contains(next) else { break }
                    code = code * 8 + UInt32(next - 0x30)
                    rest.removeFirst()
                }
                guard let scalar = Unicode.Scalar(code) else { return nil }
                text += Array(Character(scalar).utf8)
            default: text += [UInt8(ascii: "\\"), escape]
            }
        }
        return String(validating: text, as: UTF8.self)
    }

    private static func add(digits count: Int, of rest: inout ArraySlice<UInt8>, to text: inout [UInt8]) -> Bool {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(code)
        else { return false }
        rest.removeFirst(count)
        text += Array(Character(scalar).utf8)
        return true
    }
}
