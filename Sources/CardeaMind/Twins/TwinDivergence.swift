import CardeaModel
import Foundation

/// The divergence of two sets of values, key by key.
///
/// A key is one leaf: `color.hue` counts for itself. Texts are the same or not, 0 or 1. Numbers within 2 % of the larger one are the
/// same, as devices round; beyond that they count by their relative difference, 1 at most. A key that only one of them has counts 1.
public enum TwinDivergence {
    /// The share of the larger number by which two may differ and count as the same.
    public static let tolerance = 0.02

    /// The divergence of two sets of values, from 0 (all the same) to 1 (all different). With nothing to compare it is 0.
    public static func between(_ one: [String: JSONValue], _ other: [String: JSONValue]) -> Double {
        let apart = leaves(of: one, other).map(\.apart)
        return apart.isEmpty ? 0 : apart.reduce(0, +) / Double(apart.count)
    }

    /// The keys in which they differ, in order.
    public static func keys(_ one: [String: JSONValue], _ other: [String: JSONValue]) -> [String] {
        leaves(of: one, other).filter { $0.apart > 0 }.map(\.key).sorted()
    }

    /// The divergence of two numbers, from 0 (the same) to 1 (nothing in common).
    public static func between(_ one: Double, _ other: Double) -> Double {
        guard one.isFinite, other.isFinite else { return one == other || (one.isNaN && other.isNaN) ? 0 : 1 }
        let larger = max(abs(one), abs(other))
        guard larger > 0 else { return 0 }
        // Divided separately: the difference of two very large numbers is infinite.
        let part = abs(one / larger - other / larger)
        return part <= tolerance ? 0 : min(part, 1)
    }

    private static func leaves(of one: [String: JSONValue], _ other: [String: JSONValue], under path: String = "") -> [(
        key: String, apart: Double
    )] {
        Set(one.keys).union(other.keys).sorted().flatMap { name -> [(key: String, apart: Double)] in
            let key = path.isEmpty ? name : "\(path).\(name)"
            guard let left = one[name], let right = other[name] else { return [(key, 1)] }
            if case .object(let left) = left, case .object(let right) = right { return leaves(of: left, right, under: key) }
            if case .number(let left) = left, case .number(let right) = right {
                return [(key, name == "hue" ? hue(left, right) : between(left, right))]
            }
            return [(key, left == right ? 0 : 1)]
        }
    }

    /// Degrees on a circle: 359 is next to 1.
    private static func hue(_ one: Double, _ other: Double) -> Double {
        guard one.isFinite, other.isFinite else { return between(one, other) }
        let apart = abs((one - other).remainder(dividingBy: 360)) / 180
        return apart <= tolerance ? 0 : apart
    }
}
