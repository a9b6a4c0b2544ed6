import Foundation

/// Bytes as URL-safe text: RFC 4648, section 5, without padding.
public enum Base64URL {
    public static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Strict: its own alphabet, no padding, and only the one canonical text of these bytes.
    public static func decode(_ text: String) -> Data? {
        var base64 = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): base64 += "+"
            case UInt8(ascii: "_"): base64 += "/"
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                base64.unicodeScalars.append(Unicode.Scalar(byte))
            default: return nil
            }
        }
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), encode(data) == text else { return nil }
        return data
    }
}
