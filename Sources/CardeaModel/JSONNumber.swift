/// A number of JSON, with its digits.
@usableFromInline package enum JSONNumber {
    /// A whole number of at most 15 digits, without its sign.
    case short(Int, isNegative: Bool)
    /// Any other number, as it is written. A whole number has neither a point nor an exponent.
    case text(String, isWhole: Bool)

    /// The nearest number; nil beyond the range of `Double`.
    package var double: Double? {
        switch self {
        case .short(let magnitude, let isNegative): isNegative ? -Double(magnitude) : Double(magnitude)
        case .text(let text, _): Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }
}
