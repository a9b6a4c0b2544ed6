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

    /// Bytes that are kept: 256 MiB, or a tenth of the file system if that is less.
    public var reserve: Int64 { min(Self.largestReserve, size / 10) }

    /// Returns whether less space is free than the reserve.
    ///
    /// - Parameter wasLow: the result of the last check. Low space remains low until a tenth more than the reserve is free, so that a file
    ///   system at the limit does not cause repeated warnings.
    public func isLow(wasLow: Bool) -> Bool { free < (wasLow ? reserve + reserve / 10 : reserve) }
}
