/// The order of loads. A result that arrives after that of a later load is dropped.
struct LatestOnly: Sendable {
    private var latest = 0
    private var completed = 0

    mutating func begin() -> Int {
        latest += 1
        return latest
    }

    /// Returns whether no later load has started.
    func isLatest(_ turn: Int) -> Bool { turn == latest }

    /// Returns whether no later load has completed.
    func isCurrent(_ turn: Int) -> Bool { turn >= completed }

    /// Records that a load has completed.
    mutating func complete(_ turn: Int) { completed = max(completed, turn) }
}
