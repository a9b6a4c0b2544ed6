import Foundation

/// A counter that only rises, until it is replaced and begins anew.
public enum CumulativeMeter {
    /// Returns the consumption between two readings of a meter. A meter that shows less than before has restarted at 0.
    public static func consumption(from earlier: Double, to later: Double) -> Double {
        later >= earlier ? later - earlier : max(later, 0)
    }
}
