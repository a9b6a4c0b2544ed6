import Foundation

/// A counter that only rises, until it is replaced and begins anew.
public enum Meter {
    /// What was used between two words of a meter: one that shows less than before has begun at nothing.
    public static func consumption(from earlier: Double, to later: Double) -> Double {
        later >= earlier ? later - earlier : max(later, 0)
    }
}
