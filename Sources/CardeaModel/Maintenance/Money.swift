import Foundation

/// An amount in the smallest unit of its currency: 1299 EUR are 12.99 euros.
public struct Money: Hashable, Sendable {
    public let minor: Int64
    /// By ISO 4217.
    public let currency: String

    /// A billion units or less: no household pays more, and every number in between is exact in JSON.
    public static let maximum: Int64 = 1_000_000_000_000

    public init?(minor: Int64, currency: String) {
        guard (0...Self.maximum).contains(minor), currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
        else { return nil }
        self.minor = minor
        self.currency = currency
    }

    /// Reads `12.99 EUR`, `12,99EUR` and `1200 JPY`: an amount with no more places than its currency has.
    public init?(written text: String) {
        let plain = text.filter { $0 != " " && $0 != "\u{A0}" }
        let (amount, currency) = (plain.dropLast(3), String(plain.suffix(3)))
        let parts = amount.replacingOccurrences(of: ",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        let places = Self.minorUnitDigits(of: currency)
        let fraction = parts.dropFirst().joined(separator: "")
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            fraction.count <= places, parts[0].count <= 12,
            let minor = Int64(parts[0] + fraction + String(repeating: "0", count: places - fraction.count))
        else { return nil }
        self.init(minor: minor, currency: currency)
    }

    /// The number of decimal places of the amount, by ISO 4217.
    private static func minorUnitDigits(of currency: String) -> Int {
        if currenciesWithoutMinorUnit.contains(currency) { return 0 }
        return thousands.contains(currency) ? 3 : 2
    }

    private static let currenciesWithoutMinorUnit: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    private static let thousands: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}

extension Money: CustomStringConvertible {
    /// `12.99 EUR`
    public var description: String {
        let places = Self.minorUnitDigits(of: currency)
        let digits = "\(minor)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return places == 0 ? "\(digits) \(currency)" : "\(padded.dropLast(places)).\(padded.suffix(places)) \(currency)"
    }
}
