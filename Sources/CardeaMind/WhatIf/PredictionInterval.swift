import Foundation

/// The mean of a number over several times of the past, and the interval in which the next one may lie.
enum PredictionInterval {
    /// Fewer values do not show how far they spread.
    static let minimumCount = 4

    /// The mean, and Student's 95 % prediction interval for the next value.
    static func estimate(_ values: [Double], more half: Double = 0) -> Estimate {
        let mean = values.reduce(0, +) / Double(max(values.count, 1))
        let reach = (pow(halfWidth(values), 2) + half * half).squareRoot()
        return Estimate(mean, low: mean - reach, high: mean + reach)
    }

    /// The distance from the mean within which the next value may lie. The values are in the order of time: if neighbours are alike, as in
    /// a cold spell, they count as fewer values.
    static func halfWidth(_ values: [Double]) -> Double {
        guard values.count > 1 else { return .infinity }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let off = values.map { $0 - mean }
        let squares = off.reduce(0) { $0 + $1 * $1 }
        guard squares.isFinite else { return .infinity }
        guard squares > 0 else { return 0 }
        let likeness = min(max(zip(off, off.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / squares, 0), 0.9)
        let worth = min(max(count * (1 - likeness) / (1 + likeness), 4), count)
        let variance = squares / count / (1 - 1 / max(worth, 2))
        return studentT(Int(worth.rounded()) - 1) * (variance * (1 + 1 / worth)).squareRoot()
    }

    /// The 97.5 % quantile of Student's t distribution.
    static func studentT(_ freedom: Int) -> Double {
        let table = [
            12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
            2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
        ]
        guard freedom > 0 else { return .infinity }
        return freedom <= table.count ? table[freedom - 1] : 1.96 + 2.5 / Double(freedom)
    }
}
