import Foundation

/// Octets as hexadecimal digits, as links, tags and firmware carry them.
public enum Hexadecimal {
    public static func encode(_ data: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return data.reduce(into: "") { text, octet in
            text.append(digits[Int(octet >> 4)])
            text.append(digits[Int(octet & 15)])
        }
    }

    /// - Returns: nil for an odd number of digits, and for other characters; upper and lower case are the same.
    public static func decode(_ text: some StringProtocol) -> Data? {
        var data = Data()
        var high: UInt8?
        for unit in text.utf8 {
            let value: UInt8
            switch unit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = unit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = unit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = unit - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                data.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? data : nil
    }
}
