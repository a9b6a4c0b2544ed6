import Foundation

/// The last picture that an image entity sent.
public struct EntityPicture: Hashable, Sendable {
    public let bytes: [UInt8]
    /// `image/jpeg`, `image/png`, `image/webp` or `image/gif`, as its first bytes say.
    public let contentType: String
    /// The time at which it arrived.
    public let at: Date

    public init(bytes: [UInt8], contentType: String, at: Date) {
        self.bytes = bytes
        self.contentType = contentType
        self.at = at
    }
}
