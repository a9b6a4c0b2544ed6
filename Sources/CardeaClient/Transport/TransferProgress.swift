import Foundation

/// How far an upload or a download has come.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes of the body so far.
    public let bytes: Int64
    /// Bytes in all; nil where nobody has said.
    public let total: Int64?

    public init(bytes: Int64, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    /// 0 to 1; nil where nobody has said how much there is.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
    }
}
