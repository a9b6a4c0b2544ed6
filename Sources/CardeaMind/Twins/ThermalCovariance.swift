import Foundation

/// The 3 × 3 covariance of a thermal twin's log τ, log q and g, in this order.
struct ThermalCovariance: Hashable, Sendable {
    private var cells: [Double]

    static let zero = ThermalCovariance(cells: Array(repeating: 0, count: 9))

    subscript(row: Int, column: Int) -> Double {
        get { cells[row * 3 + column] }
        set { cells[row * 3 + column] = newValue }
    }

    var isFinite: Bool { cells.allSatisfy(\.isFinite) }

    func scaled(by factor: Double) -> ThermalCovariance { ThermalCovariance(cells: cells.map { $0 * factor }) }

    func times(_ other: ThermalCovariance) -> ThermalCovariance {
        var product = ThermalCovariance.zero
        for row in 0..<3 {
            for column in 0..<3 {
                product[row, column] = (0..<3).reduce(0) { $0 + self[row, $1] * other[$1, column] }
            }
        }
        return product
    }

    /// The inverse by cofactors; nil if the matrix is nearly singular.
    var inverse: ThermalCovariance? {
        // Each unknown is scaled to its own size, so that "nearly zero" means the same for all.
        let scale = (0..<3).map { self[$0, $0] > 0 ? self[$0, $0].squareRoot() : 0 }
        guard scale.allSatisfy({ $0 > 0 }) else { return nil }
        var plain = self
        for row in 0..<3 { for column in 0..<3 { plain[row, column] /= scale[row] * scale[column] } }
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3, (row + 2) % 3)
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return plain[r1, c1] * plain[r2, c2] - plain[r1, c2] * plain[r2, c1]
        }
        let determinant = (0..<3).reduce(0) { $0 + plain[0, $1] * minor(0, $1) }
        guard determinant > 1e-12 else { return nil }
        var inverse = ThermalCovariance.zero
        for row in 0..<3 {
            for column in 0..<3 { inverse[row, column] = minor(column, row) / determinant / (scale[row] * scale[column]) }
        }
        return inverse
    }

    /// The variance of a quantity that changes by `slopes` with the three.
    func variance(along slopes: [Double]) -> Double {
        guard slopes.count == 3 else { return 0 }
        var sum = 0.0
        for row in 0..<3 { for column in 0..<3 { sum += slopes[row] * self[row, column] * slopes[column] } }
        return max(sum, 0)
    }
}
