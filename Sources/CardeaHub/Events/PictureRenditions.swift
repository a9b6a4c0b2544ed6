import CardeaModel
import Foundation

/// Both JPEG.
public struct PictureRenditions: Sendable {
    /// At most 1920 pixels wide.
    public let whole: Data
    /// For lists: about 30 to 50 KB.
    public let thumbnail: Data

    public init(whole: Data, thumbnail: Data) {
        self.whole = whole
        self.thumbnail = thumbnail
    }
}
