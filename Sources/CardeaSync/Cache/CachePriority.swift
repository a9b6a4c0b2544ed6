/// The priority of a cached answer (Seed 004, item 34).
public enum CachePriority: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// Read ahead, and perhaps never used.
    case low
    case normal
    /// Also needed after a restart of the program, without the house.
    case high
    /// Removed last.
    case critical

    /// True if the answer is stored in the file, not in memory alone.
    public var isOnDisk: Bool { self >= .high }

    public static func < (one: CachePriority, other: CachePriority) -> Bool { one.rawValue < other.rawValue }
}
