import Foundation

/// Moments are kept as whole milliseconds since 1970: they sort, compare and never round twice.
extension Date {
    public var milliseconds: Int64 {
        // Rounded: a Double seldom is an exact millisecond, and truncation would write back the previous one.
        Int64((timeIntervalSince1970 * 1000).rounded().clamped(to: -62_000_000_000_000...253_402_300_799_999))
    }

    public init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
