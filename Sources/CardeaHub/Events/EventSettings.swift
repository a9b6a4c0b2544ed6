import Foundation

/// What of events and their pictures is kept, and where.
public struct EventSettings: Sendable {
    /// The folder of the pictures; nil for a house that keeps none, such as a demo.
    public var pictures: URL?
    /// Who makes pictures that are safe to keep of what strangers send; nil where there is nobody.
    public var transcoder: (any PictureTranscoder)?
    /// Who puts into words what came without; nil where nobody is asked, and no picture leaves the house.
    public var describer: (any PictureDescriber)?
    /// Bytes that all pictures may take together. Beyond it the oldest are given up.
    public var pictureSpace: Int64
    /// Days after which an event is forgotten.
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
