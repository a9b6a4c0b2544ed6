import Foundation

/// Numbers as Home Assistant reads, rounds and writes them.
enum PythonNumber {
    /// A number with white space around it; nil if the text is none. May be infinite or not a number.
    static func float(_ text: String) -> Double? {
        let trimmed = PayloadText.trimmed(text)
        guard trimmed.utf8.count <= 64 else { return nil }
        guard trimmed.utf8.allSatisfy(isDigit) else { return word(trimmed) }
        if let number = Double(trimmed) { return number }
        // `5.` and `.5` are numbers in Python, and not in Swift.
        let isNegative = trimmed.hasPrefix("-")
        let unsigned = isNegative || trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed[...]
        guard unsigned.hasPrefix(".") || unsigned.hasSuffix("."), unsigned.utf8.count > 1 else { return nil }
        return Double((unsigned.hasPrefix(".") ? "0" : "") + unsigned + (unsigned.hasSuffix(".") ? "0" : "")).map { isNegative ? -$0 : $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }

    private static func word(_ text: String) -> Double? {
        switch text.lowercased() {
        case "nan", "+nan", "-nan": .nan
        case "inf", "+inf", "infinity", "+infinity": .infinity
        case "-inf", "-infinity": -.infinity
        default: nil
        }
    }

    /// A number that is neither infinite nor missing.
    static func finite(_ text: String) -> Double? { float(text).flatMap { $0.isFinite ? $0 : nil } }

    /// A whole number with white space around it: `12`, and neither `12.0` nor `1e3`.
    static func integer(_ text: String) -> Int? {
        let trimmed = PayloadText.trimmed(text)
        return trimmed.utf8.count <= 20 ? Int(trimmed) : nil
    }

    /// Rounded to the nearest whole number, and to the even one of two that are as near.
    static func round(_ number: Double) -> Double { number.rounded(.toNearestOrEven) }

    /// The same as an integer; nil if there is none.
    static func rounded(_ number: Double) -> Int? { Int(exactly: round(number)) }

    /// Rounded to `places` decimals by its exact value.
    static func round(_ number: Double, to places: Int) -> Double {
        guard number.isFinite, number.magnitude < 1e15 else { return number }
        return Double(String(format: "%.\(places)f", number)) ?? number
    }

    /// The whole part of a quotient, towards less. Nil for a division by zero, and for what is not finite.
    static func floorDivide(_ number: Double, by divisor: Double) -> Double? {
        guard number.isFinite, divisor.isFinite, divisor != 0 else { return nil }
        let rest = number.truncatingRemainder(dividingBy: divisor)
        var quotient = (number - rest) / divisor
        if rest != 0, (divisor < 0) != (rest < 0) { quotient -= 1 }
        let whole = quotient.rounded(.down)
        let result = quotient - whole > 0.5 ? whole + 1 : whole
        return result.isFinite ? result : nil
    }

    /// A number with a decimal point: `21.0`.
    static func text(_ number: Double) -> String { String(number) }
}
