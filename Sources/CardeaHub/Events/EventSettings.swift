import Foundation

/// What of events and their pictures is kept, and where.
public struct EventSettings: Sendable {
    /// The folder of the pictures; nil for a house that keeps none, such as a demo.
    public var pictures: URL?
    /// Who makes pictures that are safe to keep of what strangers send; nil where there is nobody.
    public var maker: (any PictureMaker)?
    /// Who puts into words what came without; nil where nobody is asked, and no picture leaves the house.
    public var describer: (any PictureDescriber)?
    /// Bytes that all pictures may take together. Beyond it the oldest are given up.
    public var pictureSpace: Int64
    /// Days after which an event is forgotten.
    public var days: Int

    public static let usualPictureSpace: Int64 = 4 << 30

    public init(
        pictures: URL? = nil, maker: (any PictureMaker)? = nil, describer: (any PictureDescriber)? = nil,
        pictureSpace: Int64 = usualPictureSpace, days: Int = 90
    ) {
        self.pictures = pictures
        self.maker = maker
        self.describer = describer
        self.pictureSpace = pictureSpace
        self.days = days
    }
}
