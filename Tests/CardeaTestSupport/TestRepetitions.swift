import Foundation

/// How often a test does the same: less in the gate, everything in the long suite, which sets `CARDEA_FULL=1`.
public enum TestRepetitions {
    private static let environment = ProcessInfo.processInfo.environment

    /// True if the full run is requested.
    public static let isFull = environment["CARDEA_FULL"] == "1"

    /// `gate`, or `full` with `CARDEA_FULL=1`. `variable` names an environment variable that overrides both.
    public static func of(_ gate: Int, full: Int, variable: String? = nil) -> Int {
        variable.flatMap { environment[$0] }.flatMap { Int($0) } ?? (isFull ? full : gate)
    }
}
