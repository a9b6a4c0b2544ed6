/// Loads in the order in which they began. What an earlier one brings after a later one is dropped.
struct LatestOnly: Sendable {
    private var latest = 0
    private var completed = 0

    mutating func begin() -> Int {
        latest += 1
        return latest
    }

    /// Whether nothing began after it.
    func isLatest(_ turn: Int) -> Bool { turn == latest }

    /// Whether nothing that began after it has come to its end.
    func isCurrent(_ turn: Int) -> Bool { turn >= completed }

    /// Notes that a load came to its end.
    mutating func complete(_ turn: Int) { completed = max(completed, turn) }
}
