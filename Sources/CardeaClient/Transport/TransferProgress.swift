import Foundation

/// The progress of an upload or a download.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes of the body so far.
    public let bytes: Int64
    /// The total number of bytes; nil if not known.
    public let total: Int64?

    public init(bytes: Int64, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    /// 0 to 1; nil if the total is not known.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
    }
}
