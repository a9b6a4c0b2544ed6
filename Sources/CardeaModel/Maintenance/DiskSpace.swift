/// The room on a file system, and the part of it that is kept for the house's own commands.
public struct DiskSpace: Hashable, Sendable {
    /// Bytes that can still be written.
    public let free: Int64
    /// Bytes of the whole file system.
    public let size: Int64

    public init(free: Int64, size: Int64) {
        self.free = free
        self.size = size
    }

    /// The most that is kept, however large the file system is.
    public static let largestReserve: Int64 = 256 << 20

    /// Bytes that are kept: 256 MiB, or a tenth of the file system where that is less.
    public var reserve: Int64 { min(Self.largestReserve, size / 10) }

    /// True where there is less room than is kept.
    ///
    /// - Parameter wasLow: the result of the last look. Room that is low is low until there is a tenth more than is kept, so that a file system
    ///   at the border is not told of again and again.
    public func isLow(wasLow: Bool) -> Bool { free < (wasLow ? reserve + reserve / 10 : reserve) }
}
