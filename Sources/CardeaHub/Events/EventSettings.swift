import Foundation

/// The settings for keeping events and their pictures.
public struct EventSettings: Sendable {
    /// The folder of the pictures; nil for a house that keeps none, such as a demo.
    public var pictures: URL?
    /// Makes pictures that are safe to keep from untrusted data; nil if none is set up.
    public var transcoder: (any PictureTranscoder)?
    /// Describes events that came without a description; nil if no describer is set up, and then no picture leaves the house.
    public var describer: (any PictureDescriber)?
    /// The bytes that all pictures may take together. Beyond that the oldest are deleted.
    public var pictureSpace: Int64
    /// Days after which an event is deleted.
    public var retentionDays: Int

    public static let defaultPictureSpace: Int64 = 4 << 30

    public init(
        pictures: URL? = nil, maker: (any PictureTranscoder)? = nil, describer: (any PictureDescriber)? = nil,
        pictureSpace: Int64 = defaultPictureSpace, days: Int = 90
    ) {
        self.pictures = pictures
        self.transcoder = maker
        self.describer = describer
        self.pictureSpace = pictureSpace
        self.retentionDays = days
    }
}
