/// How much it matters that an answer is at hand (Seed 004, item 34).
public enum CachePriority: Int, Comparable, Hashable, Sendable, CaseIterable {
    /// Read ahead, and perhaps never looked at.
    case low
    case normal
    /// Wanted also after the program was started again, without the house.
    case high
    /// The last to go.
    case critical

    /// Whether it is kept in the file, and not in memory alone.
    public var isOnDisk: Bool { self >= .high }

    public static func < (one: CachePriority, other: CachePriority) -> Bool { one.rawValue < other.rawValue }
}
